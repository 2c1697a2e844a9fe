package cli

import (
	"bytes"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
)

// conditionsOf are the conditions that the steps of this test return.
func conditionsOf() []*fnv1.Condition {
	message, claim := "in 3 zones", fnv1.Target_TARGET_COMPOSITE_AND_CLAIM
	return []*fnv1.Condition{
		{Type: "NetworkReady", Status: fnv1.Status_STATUS_CONDITION_TRUE, Reason: "Available", Message: &message, Target: &claim},
		{Type: "Ready", Status: fnv1.Status_STATUS_CONDITION_FALSE, Reason: "No", Target: &claim},
		{Type: "Backed", Status: fnv1.Status_STATUS_CONDITION_UNSPECIFIED, Reason: "Other", Target: &claim},
		{Type: "Tested", Status: fnv1.Status_STATUS_CONDITION_TRUE, Reason: "Passed", Message: &message},
		{Type: "NetworkReady", Status: fnv1.Status_STATUS_CONDITION_FALSE, Reason: "Late", Target: &claim},
	}
}

// Each is what crossplane composition render v2.5 gives.
func TestConditions(t *testing.T) {
	condition := func(kind, status, reason string) map[string]any {
		return map[string]any{"type": kind, "status": status, "reason": reason, "lastTransitionTime": conditionTime}
	}
	tested := condition("Tested", "True", "Passed")
	tested["message"] = "in 3 zones"
	conditions := []any{
		condition("Backed", "Unknown", "Other"), condition("Responsive", "True", "WatchCircuitClosed"),
		condition("NetworkReady", "False", "Late"), tested,
		condition("Synced", "True", "ReconcileSuccess"), condition("Ready", "True", "Available"),
	}
	observed := map[string]any{"conditions": []any{condition("Backed", "True", "Done")}, "claimConditionTypes": []any{"Old"}}
	cases := map[string]struct {
		spec map[string]any
		full bool
		want map[string]any
	}{
		"Modern": {
			want: map[string]any{"conditions": conditions},
		},
		"ClassicTellsTheClaim": {
			spec: map[string]any{"claimRef": map[string]any{"name": "shop"}},
			want: map[string]any{"conditions": conditions, "claimConditionTypes": []any{"NetworkReady", "Backed"}},
		},
		"ClassicInFull": {
			spec: map[string]any{"claimRef": map[string]any{"name": "shop"}},
			full: true,
			want: map[string]any{"conditions": conditions, "claimConditionTypes": []any{"NetworkReady", "Backed"}},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			in := &inputs{xr: manifest{object: map[string]any{
				"apiVersion": "example.org/v1", "kind": "App", "metadata": map[string]any{"name": "shop"},
				"spec": tc.spec, "status": observed,
			}}}
			out := &outcome{desired: &fnv1.State{}}
			var log bytes.Buffer
			out.addConditions(step{Step: "compose"}, conditionsOf(), &log)
			if diff := cmp.Diff(tc.want, objectAt(in.renderedXR(out, nil, tc.full), "status")); diff != "" {
				t.Errorf("status (-want +got):\n%s", diff)
			}
			want := "NOTICE step \"compose\": returns the condition Ready, which Crossplane sets itself: it has no effect\n"
			if diff := cmp.Diff(want, log.String()); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

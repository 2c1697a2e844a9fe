package proto

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// What a response has beside the desired state, at random, and the same on
// messages.

func randomContext(t *testing.T, rng *rand.Rand) *fieldpath.Draft {
	t.Helper()
	switch rng.IntN(4) {
	case 0:
		return nil
	case 1:
		return fieldpath.NewDraft(fieldpath.Freeze(randomValue(rng, 2)), nil, nil)
	case 2:
		d := fieldpath.NewDraft(nil, nil, nil)
		if err := d.Set(fieldpath.Path{}, randomValue(rng, 2)); err != nil {
			t.Fatal(err)
		}
		return d
	}
	return randomDraft(t, rng)
}

func setContext(m map[string]*fieldpath.Draft, key string, d *fieldpath.Draft) map[string]*fieldpath.Draft {
	if m == nil {
		m = map[string]*fieldpath.Draft{}
	}
	m[key] = d
	return m
}

func setRequirement(m map[string]Requirement, name string, r Requirement) map[string]Requirement {
	if m == nil {
		m = map[string]Requirement{}
	}
	m[name] = r
	return m
}

func randomCondition(rng *rand.Rand) Condition {
	texts := []string{"", "Ready", "bad \xff", strings.Repeat("é", 200)}
	return Condition{
		Type: texts[rng.IntN(4)], Status: ConditionStatus(rng.IntN(4)), Reason: texts[rng.IntN(4)],
		Message: texts[rng.IntN(4)], Claim: rng.IntN(2) == 0,
	}
}

func randomRequirement(rng *rand.Rand) Requirement {
	texts := []string{"", "v1", "bad \xff", strings.Repeat("é", 200)}
	r := Requirement{APIVersion: texts[rng.IntN(4)], Kind: texts[rng.IntN(4)], MatchName: texts[rng.IntN(4)]}
	if rng.IntN(2) == 0 {
		r.MatchLabels = map[string]string{"a": texts[rng.IntN(4)], "b": "", texts[rng.IntN(4)]: "c"}
	}
	if rng.IntN(2) == 0 {
		r.Namespace = &texts[rng.IntN(4)]
	}
	return r
}

func contextsOnMessage(r *Response, out *fnv1.RunFunctionResponse) {
	for key, d := range r.Contexts {
		if d == nil || d.IsEmpty() {
			continue
		}
		if out.Context == nil {
			out.Context = &structpb.Struct{}
		}
		if out.Context.Fields == nil {
			out.Context.Fields = map[string]*structpb.Value{}
		}
		out.Context.Fields[key] = valueOf(d.Value())
	}
}

func valid8(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func requirementsOnMessage(r *Response, out *fnv1.RunFunctionResponse) {
	for name, q := range r.Requirements {
		m := &fnv1.ResourceSelector{ApiVersion: valid8(q.APIVersion), Kind: valid8(q.Kind)}
		labels := map[string]string{}
		for k, v := range q.MatchLabels {
			labels[valid8(k)] = valid8(v)
		}
		m.Match = &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{Labels: labels}}
		if q.MatchName != "" {
			m.Match = &fnv1.ResourceSelector_MatchName{MatchName: valid8(q.MatchName)}
		}
		if q.Namespace != nil {
			m.Namespace = proto.String(valid8(*q.Namespace))
		}
		if out.Requirements == nil {
			out.Requirements = &fnv1.Requirements{Resources: map[string]*fnv1.ResourceSelector{}}
		}
		out.Requirements.Resources[valid8(name)] = m
		if r.LegacyRequirements {
			out.Requirements.ExtraResources = out.Requirements.GetResources() //nolint:staticcheck // What older ones read.
		}
	}
}

func conditionMessage(c Condition) *fnv1.Condition {
	m := &fnv1.Condition{
		Type: valid8(c.Type), Status: fnv1.Status(c.Status), Reason: valid8(c.Reason), Target: fnv1.Target_TARGET_COMPOSITE.Enum(),
	}
	if c.Message != "" {
		m.Message = proto.String(valid8(c.Message))
	}
	if c.Claim {
		m.Target = fnv1.Target_TARGET_COMPOSITE_AND_CLAIM.Enum()
	}
	return m
}

func TestConditionsAndRequirements(t *testing.T) {
	namespace, none := "team-a", ""
	selector := func(m *fnv1.ResourceSelector) *fnv1.ResourceSelector {
		m.ApiVersion, m.Kind = "v1", "ConfigMap"
		return m
	}
	requirement := Requirement{APIVersion: "v1", Kind: "ConfigMap"}
	byName, all, byLabel := requirement, requirement, requirement
	byName.MatchName, byName.Namespace = "settings", &namespace
	byLabel.MatchLabels, byLabel.Namespace = map[string]string{"team": "a", "app": ""}, &none
	resources := map[string]*fnv1.ResourceSelector{
		"name": selector(&fnv1.ResourceSelector{
			Match: &fnv1.ResourceSelector_MatchName{MatchName: "settings"}, Namespace: &namespace,
		}),
		"all": selector(&fnv1.ResourceSelector{Match: &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{}}}),
		"label": selector(&fnv1.ResourceSelector{
			Match:     &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{Labels: map[string]string{"team": "a", "app": ""}}},
			Namespace: &none,
		}),
	}
	r := &Response{
		Conditions: []Condition{
			{Type: "B", Status: ConditionTrue, Reason: "Fine", Message: "All is well.", Claim: true},
			{Type: "A", Status: ConditionFalse, Reason: "Bad"}, {Type: "C", Status: ConditionUnknown, Reason: "Who"},
		},
		Requirements: map[string]Requirement{"name": byName, "all": all, "label": byLabel},
	}
	want := &fnv1.RunFunctionResponse{
		Conditions: []*fnv1.Condition{
			{
				Type: "B", Status: fnv1.Status_STATUS_CONDITION_TRUE, Reason: "Fine", Message: proto.String("All is well."),
				Target: fnv1.Target_TARGET_COMPOSITE_AND_CLAIM.Enum(),
			},
			{Type: "A", Status: fnv1.Status_STATUS_CONDITION_FALSE, Reason: "Bad", Target: fnv1.Target_TARGET_COMPOSITE.Enum()},
			{Type: "C", Status: fnv1.Status_STATUS_CONDITION_UNKNOWN, Reason: "Who", Target: fnv1.Target_TARGET_COMPOSITE.Enum()},
		},
		Requirements: &fnv1.Requirements{Resources: resources},
	}
	for _, r.LegacyRequirements = range []bool{false, true} {
		b, err := r.Append(nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.LegacyRequirements {
			want.Requirements.ExtraResources = resources //nolint:staticcheck // What older ones read.
		}
		got := &fnv1.RunFunctionResponse{}
		if err := proto.Unmarshal(b, got); err != nil {
			t.Fatal(err)
		}
		got.Meta = nil
		if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
			t.Errorf("legacy %v: -want, +got:\n%s", r.LegacyRequirements, diff)
		}
		checkBounds(t, &Response{Conditions: r.Conditions, Requirements: r.Requirements, LegacyRequirements: r.LegacyRequirements}, b)
	}
}

func TestAContextThatCannotBeWritten(t *testing.T) {
	d := fieldpath.NewDraft(fieldpath.Freeze(int64(1<<53+1)), nil, nil)
	_, err := (&Response{Contexts: map[string]*fieldpath.Draft{"good": nil, "bad.key": d}}).Append(nil)
	if value := (*ValueError)(nil); !errors.As(err, &value) || !strings.HasPrefix(err.Error(), "context[bad.key]: the integer") {
		t.Errorf("error %v", err)
	}
}

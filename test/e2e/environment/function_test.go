package main

import (
	"strings"
	"testing"

	"github.com/crossplane/function-sdk-go/logging"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/resource"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
)

const classAndNamespace = `{"spec": {
	"defaultData": {"provider": "none", "class": {"size": "tiny"}},
	"environmentConfigs": [
		{"type": "Selector", "selector": {"matchLabels": [
			{"key": "class", "valueFromFieldPath": "spec.class"},
			{"key": "kind", "type": "Value", "value": "database"}]}},
		{"type": "Selector", "selector": {"mode": "Multiple", "matchLabels": [
			{"key": "namespace", "valueFromFieldPath": "metadata.namespace"}]}},
		{"ref": {"name": "account"}}]}}`

func TestRequirements(t *testing.T) {
	rsp := call(t, newRequest(classAndNamespace))
	want := &fnv1.Requirements{Resources: map[string]*fnv1.ResourceSelector{
		"environment-config-0": byLabels(map[string]string{"class": "gold", "kind": "database"}),
		"environment-config-1": byLabels(map[string]string{"namespace": "team-a"}),
		"environment-config-2": {
			ApiVersion: "apiextensions.crossplane.io/v1beta1", Kind: "EnvironmentConfig",
			Match: &fnv1.ResourceSelector_MatchName{MatchName: "account"},
		},
	}}
	if diff := cmp.Diff(want, rsp.GetRequirements(), protocmp.Transform()); diff != "" {
		t.Errorf("requirements (-want +got):\n%s", diff)
	}
	if got, ok := rsp.GetContext().GetFields()[contextKey]; ok {
		t.Errorf("want no environment before there is what is required, got %v", got)
	}
}

func TestEnvironment(t *testing.T) {
	cases := map[string]struct {
		before    string
		namespace []string
		want      string
	}{
		"merged in order": {
			before:    `{"zone": "a", "class": {"old": true, "size": "old"}}`,
			namespace: []string{`{"data": {"provider": "rival", "class": {"size": "medium"}}}`},
			want:      `{"zone": "a", "provider": "rival", "account": 42, "class": {"old": true, "size": "medium", "tags": {"grade": "gold"}}}`,
		},
		"none match": {
			before: `{}`,
			want:   `{"provider": "none", "account": 42, "class": {"size": "large", "tags": {"grade": "gold"}}}`,
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req := newRequest(classAndNamespace)
			req.Context = &structpb.Struct{Fields: map[string]*structpb.Value{
				contextKey: structpb.NewStructValue(resource.MustStructJSON(c.before)),
			}}
			req.RequiredResources = map[string]*fnv1.Resources{
				"environment-config-0": resources(`{"data": {"class": {"size": "large", "tags": {"grade": "gold"}}}}`),
				"environment-config-1": resources(c.namespace...),
				"environment-config-2": resources(`{"data": {"account": 42}}`),
			}
			rsp := call(t, req)
			got := rsp.GetContext().GetFields()[contextKey].GetStructValue()
			if diff := cmp.Diff(resource.MustStructJSON(c.want), got, protocmp.Transform()); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
		})
	}
}

func TestProduce(t *testing.T) {
	req := newRequest(`{"spec": {"produce": {"network": {"apiVersion": "example.org/v1", "kind": "Network"}}}}`)
	req.Desired = &fnv1.State{Resources: map[string]*fnv1.Resource{"kept": {Ready: fnv1.Ready_READY_TRUE}}}
	want := map[string]*fnv1.Resource{
		"kept":    {Ready: fnv1.Ready_READY_TRUE},
		"network": {Resource: resource.MustStructJSON(`{"apiVersion": "example.org/v1", "kind": "Network"}`)},
	}
	if diff := cmp.Diff(want, call(t, req).GetDesired().GetResources(), protocmp.Transform()); diff != "" {
		t.Errorf("desired (-want +got):\n%s", diff)
	}
}

func TestFatal(t *testing.T) {
	cases := map[string]struct{ input, want string }{
		"an unknown field": {`{"spec": {"configs": []}}`, `unknown field "configs"`},
		"no name":          {`{"spec": {"environmentConfigs": [{}]}}`, "spec.environmentConfigs[0]: ref.name: required"},
		"no selector":      {`{"spec": {"environmentConfigs": [{"type": "Selector"}]}}`, "selector: required"},
		"no labels":        {`{"spec": {"environmentConfigs": [{"type": "Selector", "selector": {}}]}}`, "selector.matchLabels: required"},
		"a type": {
			`{"spec": {"environmentConfigs": [{"type": "Label"}]}}`, `"Label" is not Reference or Selector`,
		},
		"a mode": {
			`{"spec": {"environmentConfigs": [{"type": "Selector", "selector": {"mode": "Any"}}]}}`, `"Any" is not Single or Multiple`,
		},
		"a field that is not there": {
			`{"spec": {"environmentConfigs": [{"type": "Selector", "selector": {"matchLabels": [{"key": "a", "valueFromFieldPath": "spec.b"}]}}]}}`,
			"label a: composite resource: spec.b",
		},
		"none match": {
			`{"spec": {"environmentConfigs": [{"ref": {"name": "a"}}]}}`, "spec.environmentConfigs[0]: 0 EnvironmentConfigs match",
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			req := newRequest(c.input)
			req.RequiredResources = map[string]*fnv1.Resources{"environment-config-0": {}}
			rsp, err := (&Function{log: logging.NewNopLogger()}).RunFunction(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if r := rsp.GetResults(); len(r) != 1 || r[0].GetSeverity() != fnv1.Severity_SEVERITY_FATAL || !strings.Contains(r[0].GetMessage(), c.want) {
				t.Errorf("want a fatal result with %q, got %v", c.want, r)
			}
		})
	}
}

// newRequest has a composite resource of the class gold in the namespace team-a.
func newRequest(input string) *fnv1.RunFunctionRequest {
	return &fnv1.RunFunctionRequest{
		Input: resource.MustStructJSON(input),
		Observed: &fnv1.State{Composite: &fnv1.Resource{
			Resource: resource.MustStructJSON(`{"metadata": {"namespace": "team-a"}, "spec": {"class": "gold"}}`),
		}},
	}
}

func call(t *testing.T, req *fnv1.RunFunctionRequest) *fnv1.RunFunctionResponse {
	t.Helper()
	rsp, err := (&Function{log: logging.NewNopLogger()}).RunFunction(t.Context(), req)
	if err != nil || len(rsp.GetResults()) > 0 {
		t.Fatalf("%v, %v", err, rsp.GetResults())
	}
	return rsp
}

func byLabels(labels map[string]string) *fnv1.ResourceSelector {
	return &fnv1.ResourceSelector{
		ApiVersion: "apiextensions.crossplane.io/v1beta1", Kind: "EnvironmentConfig",
		Match: &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{Labels: labels}},
	}
}

func resources(manifests ...string) *fnv1.Resources {
	out := &fnv1.Resources{}
	for _, m := range manifests {
		out.Items = append(out.Items, &fnv1.Resource{Resource: resource.MustStructJSON(m)})
	}
	return out
}

package cli

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/structpb"
)

const cluster = `
apiVersion: example.org/v1
kind: SizeClass
metadata: {name: small, labels: {tier: basic}}
---
apiVersion: example.org/v1
kind: SizeClass
metadata: {name: large, labels: {tier: gold}}
---
apiVersion: example.org/v1
kind: Quota
metadata: {name: limit, namespace: team-b, labels: {tier: gold}}
---
apiVersion: example.org/v1
kind: Quota
metadata: {name: limit, namespace: team-a, labels: {tier: gold}}
`

// given are inputs with the objects of some YAML as required resources.
func given(t *testing.T, text string) *inputs {
	t.Helper()
	ms, err := splitYAML("classes.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	xr := map[string]any{"apiVersion": "example.org/v1", "kind": "App", "metadata": map[string]any{"name": "shop", "namespace": "team-a"}}
	return &inputs{xr: manifest{file: "xr.yaml", object: xr}, required: ms}
}

// script is a function that answers its calls in turn, the last answer for all
// further ones, and keeps what it was asked.
type script struct {
	answers []*fnv1.RunFunctionResponse
	asked   []*fnv1.RunFunctionRequest
}

func (f *script) run(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	f.asked = append(f.asked, &fnv1.RunFunctionRequest{
		RequiredResources: req.GetRequiredResources(),
		ExtraResources:    req.GetExtraResources(), //nolint:staticcheck // Functions may still ask this way.
		Context:           req.GetContext(),
	})
	return f.answers[min(len(f.asked), len(f.answers))-1], nil
}

// names are the names of the required resources of each call, by requirement.
func (f *script) names() []map[string][]string {
	var out []map[string][]string
	for _, req := range f.asked {
		names := map[string][]string{}
		for key, rs := range req.GetRequiredResources() {
			names[key] = []string{}
			for _, r := range rs.GetItems() {
				o := r.GetResource().AsMap()
				names[key] = append(names[key], strings.TrimPrefix(namespaceOf(o)+"/"+nameOf(o), "/"))
			}
		}
		out = append(out, names)
	}
	return out
}

func byName(kind, name string) *fnv1.ResourceSelector {
	return &fnv1.ResourceSelector{ApiVersion: "example.org/v1", Kind: kind, Match: &fnv1.ResourceSelector_MatchName{MatchName: name}}
}

func byLabel(kind, value string) *fnv1.ResourceSelector {
	return &fnv1.ResourceSelector{ApiVersion: "example.org/v1", Kind: kind, Match: &fnv1.ResourceSelector_MatchLabels{
		MatchLabels: &fnv1.MatchLabels{Labels: map[string]string{"tier": value}},
	}}
}

func in(namespace string, s *fnv1.ResourceSelector) *fnv1.ResourceSelector {
	s.Namespace = &namespace
	return s
}

func requires(selectors map[string]*fnv1.ResourceSelector) *fnv1.RunFunctionResponse {
	return &fnv1.RunFunctionResponse{Requirements: &fnv1.Requirements{Resources: selectors}}
}

func fatal(rsp *fnv1.RunFunctionResponse) *fnv1.RunFunctionResponse {
	rsp.Results = []*fnv1.Result{{Severity: fnv1.Severity_SEVERITY_FATAL, Message: "no"}}
	return rsp
}

type selectors = map[string]*fnv1.ResourceSelector

func TestRounds(t *testing.T) {
	name := func(s string) *string { return &s }
	cases := map[string]struct {
		first   []requirement
		answers []*fnv1.RunFunctionResponse
		want    []map[string][]string
		log     string
		err     string
	}{
		"WhatRequiresNothingRunsOnce": {
			answers: []*fnv1.RunFunctionResponse{{}},
			want:    []map[string][]string{{}},
		},
		"UntilItRequiresTheSame": {
			answers: []*fnv1.RunFunctionResponse{requires(selectors{"class": byName("SizeClass", "large")})},
			want:    []map[string][]string{{}, {"class": {"large"}}},
		},
		"OneLeadsToAnother": {
			answers: []*fnv1.RunFunctionResponse{
				requires(selectors{"class": byName("SizeClass", "large")}),
				requires(selectors{"class": byName("SizeClass", "large"), "quota": in("team-b", byName("Quota", "limit"))}),
			},
			want: []map[string][]string{{}, {"class": {"large"}}, {"class": {"large"}, "quota": {"team-b/limit"}}},
		},
		"WhatIsNoLongerRequiredIsNotGiven": {
			answers: []*fnv1.RunFunctionResponse{
				requires(selectors{"a": byName("SizeClass", "large")}), requires(selectors{"b": byName("SizeClass", "small")}),
			},
			want: []map[string][]string{{}, {"a": {"large"}}, {"b": {"small"}}},
		},
		"LabelsSelectInAllNamespaces": {
			answers: []*fnv1.RunFunctionResponse{requires(selectors{"quotas": byLabel("Quota", "gold")})},
			want:    []map[string][]string{{}, {"quotas": {"team-a/limit", "team-b/limit"}}},
		},
		"OrInOne": {
			answers: []*fnv1.RunFunctionResponse{requires(selectors{"quotas": in("team-b", byLabel("Quota", "gold"))})},
			want:    []map[string][]string{{}, {"quotas": {"team-b/limit"}}},
		},
		"NeitherNameNorLabelsSelectsAll": {
			answers: []*fnv1.RunFunctionResponse{requires(selectors{"all": {ApiVersion: "example.org/v1", Kind: "SizeClass"}})},
			want:    []map[string][]string{{}, {"all": {"large", "small"}}},
		},
		"TheCompositeResourceIsThereAsWell": {
			answers: []*fnv1.RunFunctionResponse{requires(selectors{"xr": in("team-a", byName("App", "shop"))})},
			want:    []map[string][]string{{}, {"xr": {"team-a/shop"}}},
		},
		"WhatIsMissingIsTold": {
			answers: []*fnv1.RunFunctionResponse{requires(selectors{
				"class":  byName("SizeClass", "huge"),
				"again":  byName("SizeClass", "huge"),
				"silver": in("team-a", byLabel("Quota", "silver")),
			})},
			want: []map[string][]string{{}, {"class": {}, "again": {}, "silver": {}}},
			log: `NOTICE step "compose": requires any Quota with tier=silver in the namespace "team-a" (example.org/v1), which is not in --required-resources
NOTICE step "compose": requires the SizeClass "huge" (example.org/v1), which is not in --required-resources
`,
		},
		"WhatIsSimilarIsTold": {
			answers: []*fnv1.RunFunctionResponse{requires(selectors{
				"quota":     byName("Quota", "limit"),
				"class":     in("team-a", byName("SizeClass", "large")),
				"other":     {ApiVersion: "example.org/v2", Kind: "SizeClass", Match: byName("", "small").GetMatch()},
				"unlabeled": byLabel("App", "gold"),
			})},
			want: []map[string][]string{{}, {"quota": {}, "class": {}, "other": {}, "unlabeled": {}}},
			log: `NOTICE step "compose": requires any App with tier=gold (example.org/v1), which is not in --required-resources
NOTICE step "compose": requires the Quota "limit" (example.org/v1), which is not in --required-resources; that at classes.yaml:14 is in the namespace "team-a"
NOTICE step "compose": requires the SizeClass "large" in the namespace "team-a" (example.org/v1), which is not in --required-resources; that at classes.yaml:6 has no namespace
NOTICE step "compose": requires the SizeClass "small" (example.org/v2), which is not in --required-resources; that at classes.yaml has the apiVersion example.org/v1
`,
		},
		"WhatTheStepHasFirstStays": {
			first: []requirement{
				{RequirementName: "class", APIVersion: "example.org/v1", Kind: "SizeClass", Name: name("small")},
				{RequirementName: "gold", APIVersion: "example.org/v1", Kind: "Quota", MatchLabels: map[string]string{"tier": "gold"}},
			},
			answers: []*fnv1.RunFunctionResponse{
				requires(selectors{"class": byName("SizeClass", "large"), "quota": in("team-a", byName("Quota", "limit"))}),
				{Requirements: &fnv1.Requirements{}},
			},
			want: []map[string][]string{
				{"class": {"small"}, "gold": {"team-a/limit", "team-b/limit"}},
				{"class": {"large"}, "gold": {"team-a/limit", "team-b/limit"}, "quota": {"team-a/limit"}},
				{"class": {"small"}, "gold": {"team-a/limit", "team-b/limit"}},
			},
		},
		"AFatalResultEndsIt": {
			answers: []*fnv1.RunFunctionResponse{fatal(requires(selectors{"class": byName("SizeClass", "huge")}))},
			want:    []map[string][]string{{}},
		},
		"WhatIsMissingIsToldBeforeAFatalResult": {
			answers: []*fnv1.RunFunctionResponse{
				requires(selectors{"class": byName("SizeClass", "huge")}), fatal(&fnv1.RunFunctionResponse{}),
			},
			want: []map[string][]string{{}, {"class": {}}},
			log:  "NOTICE step \"compose\": requires the SizeClass \"huge\" (example.org/v1), which is not in --required-resources\n",
		},
		"ItHasToSettle": {
			answers: []*fnv1.RunFunctionResponse{
				requires(selectors{"a": byName("SizeClass", "large")}), requires(selectors{"b": byName("SizeClass", "large")}),
				requires(selectors{"a": byName("SizeClass", "large")}), requires(selectors{"b": byName("SizeClass", "large")}),
				requires(selectors{"a": byName("SizeClass", "large")}), requires(selectors{"b": byName("SizeClass", "large")}),
			},
			want: []map[string][]string{
				{}, {"a": {"large"}}, {"b": {"large"}}, {"a": {"large"}}, {"b": {"large"}}, {"a": {"large"}},
			},
			err: `step "compose": what it requires changes from call to call, and has not settled after 6 calls: Crossplane gives up`,
		},
	}
	for label, tc := range cases {
		t.Run(label, func(t *testing.T) {
			f := &script{answers: tc.answers}
			s := step{Step: "compose"}
			s.Requirements.RequiredResources = tc.first
			var log bytes.Buffer
			rsp, err := given(t, cluster).runStep(t.Context(), s, f.run, &fnv1.RunFunctionRequest{}, &log)
			if got := textOf(err); got != tc.err {
				t.Errorf("error: got %q, want %q", got, tc.err)
			}
			if err == nil && rsp != f.answers[min(len(f.asked), len(f.answers))-1] {
				t.Error("the answer is not the last one")
			}
			if diff := cmp.Diff(tc.want, f.names()); diff != "" {
				t.Errorf("required resources of each call (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tc.log, log.String()); diff != "" {
				t.Errorf("log (-want +got):\n%s", diff)
			}
		})
	}
}

func textOf(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// The context goes from call to call, and what is asked for in the old field is
// given in the old field.
func TestRoundsPassOn(t *testing.T) {
	second, err := structpb.NewStruct(map[string]any{"call": "second"})
	if err != nil {
		t.Fatal(err)
	}
	f := &script{answers: []*fnv1.RunFunctionResponse{{
		Context:      second,
		Requirements: &fnv1.Requirements{ExtraResources: selectors{"class": byName("SizeClass", "large")}}, //nolint:staticcheck // As above.
	}}}
	var log bytes.Buffer
	if _, err := given(t, cluster).runStep(t.Context(), step{Step: "compose"}, f.run, &fnv1.RunFunctionRequest{}, &log); err != nil {
		t.Fatal(err)
	}
	if len(f.asked) != 2 {
		t.Fatalf("got %d calls, want 2", len(f.asked))
	}
	if diff := cmp.Diff(second, f.asked[1].GetContext(), protocmp.Transform()); diff != "" {
		t.Errorf("context of the second call (-want +got):\n%s", diff)
	}
	extra := f.asked[1].GetExtraResources()["class"].GetItems() //nolint:staticcheck // As above.
	if len(extra) != 1 || nameOf(extra[0].GetResource().AsMap()) != "large" {
		t.Errorf("extra resources: got %v, want the SizeClass large", extra)
	}
	if got := f.asked[1].GetRequiredResources(); len(got) > 0 {
		t.Errorf("required resources: got %v, want none", got)
	}
}

func TestRoundsWithoutTheFlag(t *testing.T) {
	f := &script{answers: []*fnv1.RunFunctionResponse{requires(selectors{"class": byName("SizeClass", "large")})}}
	var log bytes.Buffer
	if _, err := given(t, "").runStep(t.Context(), step{Step: "compose"}, f.run, &fnv1.RunFunctionRequest{}, &log); err != nil {
		t.Fatal(err)
	}
	want := "NOTICE step \"compose\": requires the SizeClass \"large\" (example.org/v1); give it with --required-resources\n"
	if diff := cmp.Diff(want, log.String()); diff != "" {
		t.Errorf("log (-want +got):\n%s", diff)
	}
}

func TestRoundsEndWithAnError(t *testing.T) {
	broken := errors.New("broken")
	run := func(context.Context, *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) { return nil, broken }
	var log bytes.Buffer
	_, err := given(t, cluster).runStep(t.Context(), step{Step: "compose"}, run, &fnv1.RunFunctionRequest{}, &log)
	if !errors.Is(err, broken) || err.Error() != `step "compose": broken` {
		t.Errorf("got %v, want what the function says, with its step", err)
	}
}

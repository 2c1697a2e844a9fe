package fn_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"github.com/function-patchwork/function-patchwork/fn"
)

const (
	casesFolder = "testdata/cases"

	// waitingKey is where steps tell later steps what they hold back.
	waitingKey = "pt.fn.crossplane.io/waiting"
)

var update = flag.Bool("update", false, "write what comes out of the worked cases to their files")

// workedCase is the first document of a file of cases: what goes in. The second
// is what comes out. The reference is made from the same files.
type workedCase struct {
	// Doc says in a sentence or two what the case shows, and About of what.
	Doc   string `json:"doc"`
	About string `json:"about,omitempty"`

	// A case of a composition.
	XR          map[string]any               `json:"xr,omitempty"`
	Observed    map[string]map[string]any    `json:"observed,omitempty"`
	Connection  map[string]map[string]string `json:"connection,omitempty"`
	Environment map[string]any               `json:"environment,omitempty"`
	Context     map[string]any               `json:"context,omitempty"`
	Desired     desiredState                 `json:"desired,omitempty"`

	// Required are the required resources that Crossplane fetched, by name.
	Required map[string][]map[string]any `json:"required,omitempty"`
	// Crossplane is what it is able to do: "2.3" by default, "2.1" does not say, and
	// "none" says that it can do nothing.
	Crossplane string         `json:"crossplane,omitempty"`
	Input      map[string]any `json:"input,omitempty"`

	// A case of transforms: each value goes from spec.in through them to spec.out.
	Transforms []any `json:"transforms,omitempty"`
	Values     []any `json:"values,omitempty"`
}

// desiredState is what earlier functions of the pipeline desire, and what comes out.
type desiredState struct {
	Resources         map[string]map[string]any `json:"resources,omitempty"`
	Ready             []string                  `json:"ready,omitempty"`
	NotReady          []string                  `json:"notReady,omitempty"`
	Status            any                       `json:"status,omitempty"`
	ConnectionDetails map[string]string         `json:"connectionDetails,omitempty"`
}

// caseOutcome is what comes out of a composition. The environment is there if it
// changed, the composite if more than its status is desired, and the TTL if it is
// not the server's. What it requires is there if it was not fetched yet.
type caseOutcome struct {
	Error string `json:"error,omitempty"`

	desiredState

	Composite   map[string]any `json:"composite,omitempty"`
	XRNotReady  bool           `json:"compositeNotReady,omitempty"`
	XRReady     bool           `json:"compositeReady,omitempty"`
	Environment any            `json:"environment,omitempty"`
	Context     any            `json:"context,omitempty"`
	Conditions  []string       `json:"conditions,omitempty"`
	Requires    any            `json:"requires,omitempty"`
	TTL         string         `json:"ttl,omitempty"`
	Results     []string       `json:"results,omitempty"`
	Notices     []string       `json:"notices,omitempty"`
}

// transformOutcome is what comes out of transforms for one value.
type transformOutcome struct {
	In    any    `json:"in"`
	Out   any    `json:"out,omitempty"`
	Error string `json:"error,omitempty"`
}

func TestCases(t *testing.T) {
	for _, path := range caseFiles(t) {
		name, _ := filepath.Rel(casesFolder, strings.TrimSuffix(path, ".yaml"))
		t.Run(name, func(t *testing.T) { testCase(t, path) })
	}
}

// caseFiles returns the files of all worked cases.
func caseFiles(t testing.TB) []string {
	t.Helper()
	var paths []string
	err := filepath.WalkDir(casesFolder, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// caseText returns the two documents of a worked case.
func caseText(t testing.TB, path string) (in, want []byte) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	in, want, _ = bytes.Cut(text, []byte("\n---\n"))
	return in, want
}

func readCase(t testing.TB, path string) *workedCase {
	t.Helper()
	in, _ := caseText(t, path)
	c := &workedCase{}
	if err := yaml.UnmarshalStrict(in, c); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return c
}

func testCase(t *testing.T, path string) {
	t.Helper()
	in, want := caseText(t, path)
	c := readCase(t, path)
	got, err := yaml.Marshal(c.outcome(t))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		text := slices.Concat(bytes.TrimSpace(in), []byte("\n---\n"), got)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s\n-want +got\n%s", c.Doc, diff)
	}
}

func (c *workedCase) outcome(t *testing.T) any {
	t.Helper()
	if c.Transforms == nil {
		return c.run(t)
	}
	outcomes := make([]transformOutcome, len(c.Values))
	for i, v := range c.Values {
		outcomes[i] = transform(t, c.Transforms, v)
	}
	return outcomes
}

// transform sends one value through transforms. Its errors are told without the
// place of the patch.
func transform(t *testing.T, transforms []any, v any) transformOutcome {
	t.Helper()
	c := workedCase{
		XR: map[string]any{"spec": map[string]any{"in": v}},
		Input: map[string]any{"resources": []any{map[string]any{
			"name":    "r",
			"base":    map[string]any{"apiVersion": "v1", "kind": "K"},
			"patches": []any{map[string]any{"fromFieldPath": "spec.in", "toFieldPath": "spec.out", "transforms": transforms}},
		}}},
	}
	result := c.run(t)
	spec, _ := result.Resources["r"]["spec"].(map[string]any)
	return transformOutcome{In: v, Out: spec["out"], Error: strings.ReplaceAll(result.Error, `resources[0] ("r").patches[0].`, "")}
}

func (c *workedCase) run(t *testing.T) caseOutcome {
	t.Helper()
	notices := []string{}
	f := fn.New(fn.Options{Notify: func(n fn.Notice) { notices = append(notices, n.Place+": "+n.Text) }})
	req := c.request(t)
	rsp, err := f.RunFunction(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	again, err := fn.New(fn.Options{}).RunFunction(t.Context(), req)
	if err != nil || !proto.Equal(rsp, again) {
		t.Errorf("the same request is answered differently the second time: %v, %v", again, err)
	}
	return outcomeOf(t, req, rsp, notices)
}

func (c *workedCase) request(t testing.TB) *fnv1.RunFunctionRequest {
	t.Helper()
	xr := withDefaults(c.XR, map[string]any{"apiVersion": "example.org/v1", "kind": "XDatabase", "metadata": map[string]any{"name": "demo"}})
	req := &fnv1.RunFunctionRequest{
		Input:    toStruct(t, withDefaults(c.Input, map[string]any{"apiVersion": "pt.fn.crossplane.io/v1beta1", "kind": "Resources"})),
		Observed: &fnv1.State{Composite: &fnv1.Resource{Resource: toStruct(t, xr)}, Resources: map[string]*fnv1.Resource{}},
		Desired:  c.Desired.state(t),
	}
	for name, resource := range c.Observed {
		req.Observed.Resources[name] = &fnv1.Resource{Resource: toStruct(t, resource), ConnectionDetails: encoded(c.Connection[name])}
	}
	context := maps.Clone(c.Context)
	if c.Environment != nil {
		context = withDefaults(context, map[string]any{environmentKey: c.Environment})
	}
	if context != nil {
		req.Context = toStruct(t, context)
	}
	req.Meta = &fnv1.RequestMeta{Capabilities: capabilities[c.Crossplane]}
	if c.Required != nil {
		req.RequiredResources = map[string]*fnv1.Resources{}
	}
	for name, objects := range c.Required {
		req.RequiredResources[name] = &fnv1.Resources{}
		for _, o := range objects {
			req.RequiredResources[name].Items = append(req.RequiredResources[name].Items, &fnv1.Resource{Resource: toStruct(t, o)})
		}
	}
	return req
}

var capabilities = map[string][]fnv1.Capability{
	"": {
		fnv1.Capability_CAPABILITY_CAPABILITIES, fnv1.Capability_CAPABILITY_REQUIRED_RESOURCES,
		fnv1.Capability_CAPABILITY_CREDENTIALS, fnv1.Capability_CAPABILITY_CONDITIONS,
	},
	"2.1":  nil,
	"none": {fnv1.Capability_CAPABILITY_CAPABILITIES},
}

func (s desiredState) state(t testing.TB) *fnv1.State {
	t.Helper()
	composite := &fnv1.Resource{ConnectionDetails: encoded(s.ConnectionDetails)}
	if s.Status != nil {
		composite.Resource = toStruct(t, map[string]any{"status": s.Status})
	}
	out := &fnv1.State{Composite: composite, Resources: map[string]*fnv1.Resource{}}
	for name, resource := range s.Resources {
		ready := fnv1.Ready_READY_UNSPECIFIED
		switch {
		case slices.Contains(s.Ready, name):
			ready = fnv1.Ready_READY_TRUE
		case slices.Contains(s.NotReady, name):
			ready = fnv1.Ready_READY_FALSE
		}
		out.Resources[name] = &fnv1.Resource{Resource: toStruct(t, resource), Ready: ready}
	}
	return out
}

func outcomeOf(t *testing.T, req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse, notices []string) caseOutcome {
	t.Helper()
	out := caseOutcome{Notices: notices}
	for _, r := range rsp.GetResults() {
		if r.GetSeverity() == fnv1.Severity_SEVERITY_FATAL {
			return caseOutcome{Error: r.GetMessage()}
		}
		severity := strings.TrimPrefix(r.GetSeverity().String(), "SEVERITY_")
		out.Results = append(out.Results, fmt.Sprintf("%s: %s", severity, r.GetMessage()))
	}
	if ttl := rsp.GetMeta().GetTtl().AsDuration(); ttl != fn.DefaultTTL {
		out.TTL = ttl.String()
	}
	out.Resources = map[string]map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(rsp.GetDesired().GetResources())) {
		resource := rsp.GetDesired().GetResources()[name]
		out.Resources[name] = resource.GetResource().AsMap()
		switch resource.GetReady() {
		case fnv1.Ready_READY_TRUE:
			out.Ready = append(out.Ready, name)
		case fnv1.Ready_READY_FALSE:
			out.NotReady = append(out.NotReady, name)
		case fnv1.Ready_READY_UNSPECIFIED:
		}
	}
	out.composite(rsp.GetDesired().GetComposite())
	before, after := req.GetContext().AsMap(), rsp.GetContext().AsMap()
	if !cmp.Equal(before[environmentKey], after[environmentKey]) {
		out.Environment = after[environmentKey]
	}
	delete(before, environmentKey)
	delete(before, waitingKey)
	delete(after, environmentKey)
	delete(after, waitingKey) // The condition has it.
	if !cmp.Equal(before, after) {
		out.Context = after
	}
	for _, c := range rsp.GetConditions() {
		out.Conditions = append(out.Conditions, describeCondition(c))
	}
	out.Requires = requires(t, req, rsp)
	return out
}

// requires tells what is asked for, in the request's JSON shape, if there is
// something that was not fetched yet.
func requires(t *testing.T, req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) any {
	t.Helper()
	asked, complete := map[string]any{}, true
	for name, selector := range rsp.GetRequirements().GetResources() {
		_, fetched := req.GetRequiredResources()[name]
		complete = complete && fetched
		b, err := protojson.Marshal(selector)
		if err != nil {
			t.Fatal(err)
		}
		fields := map[string]any{}
		if err := json.Unmarshal(b, &fields); err != nil {
			t.Fatal(err)
		}
		asked[name] = fields
	}
	if complete {
		return nil
	}
	return asked
}

// describeCondition tells a condition: "NetworkReady: True, Available: it is there".
func describeCondition(c *fnv1.Condition) string {
	status := strings.TrimPrefix(c.GetStatus().String(), "STATUS_CONDITION_")
	text := fmt.Sprintf("%s: %s, %s", c.GetType(), status[:1]+strings.ToLower(status[1:]), c.GetReason())
	if c.GetMessage() != "" {
		text += ": " + c.GetMessage()
	}
	if c.GetTarget() == fnv1.Target_TARGET_COMPOSITE_AND_CLAIM {
		text += " (of the claim too)"
	}
	return text
}

func (o *caseOutcome) composite(composite *fnv1.Resource) {
	o.XRNotReady = composite.GetReady() == fnv1.Ready_READY_FALSE
	o.XRReady = composite.GetReady() == fnv1.Ready_READY_TRUE
	o.ConnectionDetails = map[string]string{}
	for key, value := range composite.GetConnectionDetails() {
		o.ConnectionDetails[key] = string(value)
	}
	resource := composite.GetResource().AsMap()
	o.Status = resource["status"]
	delete(resource, "status")
	o.Composite = resource
}

// withDefaults returns the fields of an object and those of the defaults that it
// does not have.
func withDefaults(fields, defaults map[string]any) map[string]any {
	out := maps.Clone(defaults)
	maps.Copy(out, fields)
	return out
}

func toStruct(t testing.TB, fields map[string]any) *structpb.Struct {
	t.Helper()
	b, err := json.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	out := &structpb.Struct{}
	if err := out.UnmarshalJSON(b); err != nil {
		t.Fatal(err)
	}
	return out
}

func encoded(details map[string]string) map[string][]byte {
	out := make(map[string][]byte, len(details))
	for key, value := range details {
		out[key] = []byte(value)
	}
	return out
}

package fn_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"github.com/function-patchwork/function-patchwork/fn"
)

// request returns a request with an input and an observed composite resource,
// both as YAML.
func request(t testing.TB, input, xr string) *fnv1.RunFunctionRequest {
	t.Helper()
	in := structOf(t, input)
	in.Fields["apiVersion"] = structpb.NewStringValue("pt.fn.crossplane.io/v1beta1")
	in.Fields["kind"] = structpb.NewStringValue("Resources")
	return &fnv1.RunFunctionRequest{
		Meta:     &fnv1.RequestMeta{Tag: "hostile"},
		Observed: &fnv1.State{Composite: &fnv1.Resource{Resource: structOf(t, xr)}},
		Input:    in,
	}
}

func structOf(t testing.TB, text string) *structpb.Struct {
	t.Helper()
	var m map[string]any
	if err := yaml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("%v in:\n%s", err, text)
	}
	s, err := structpb.NewStruct(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

const goodXR = `{apiVersion: example.org/v1, kind: XR, metadata: {name: xr}, spec: {size: medium, big: 1}}`

const goodInput = `{resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [{fromFieldPath: spec.size, toFieldPath: spec.size}]}]}`

// patches returns an input with these patches on one resource.
func patches(list ...string) string {
	return `{resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [` + strings.Join(list, ", ") + `]}]}`
}

func repeat(n int, s string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

// nested returns a value with a number of levels of objects.
func nested(levels int) *structpb.Value {
	v := structpb.NewStringValue("deep")
	for range levels {
		v = structpb.NewStructValue(&structpb.Struct{Fields: map[string]*structpb.Value{"a": v}})
	}
	return v
}

// hostileRequests returns requests that may be refused, but that must not harm
// the function, by name.
func hostileRequests(t *testing.T) map[string]*fnv1.RunFunctionRequest {
	t.Helper()
	grow := strings.Join(repeat(12, `{type: string, string: {type: Replace, replace: {search: a, replace: aaaaaaaaaa}}}`), ", ")
	format := strings.Join(repeat(12, `{type: string, string: {type: Format, fmt: "%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s%[1]s"}}`), ", ")
	many := make([]string, 5000)
	for i := range many {
		many[i] = fmt.Sprintf(`{fromFieldPath: spec, toFieldPath: "spec.f%d", policy: {toFieldPath: MergeObjects}}`, i)
	}
	out := map[string]*fnv1.RunFunctionRequest{
		"twelve replacements":      request(t, patches(`{fromFieldPath: spec.size, toFieldPath: a, transforms: [`+grow+`]}`), `{spec: {size: a}}`),
		"twelve formats":           request(t, patches(`{fromFieldPath: spec.size, toFieldPath: a, transforms: [`+format+`]}`), goodXR),
		"huge width":               request(t, patches(`{fromFieldPath: spec.size, toFieldPath: a, transforms: [{type: string, string: {fmt: "%999999999d"}}]}`), goodXR),
		"huge hash length":         request(t, patches(`{fromFieldPath: spec.size, toFieldPath: a, transforms: [{type: string, string: {type: Truncate, truncate: {length: 999999999999, hashLength: 99999999}}}]}`), goodXR),
		"five thousand patches":    request(t, patches(many...), goodXR),
		"an index too large":       request(t, patches(`{fromFieldPath: spec.size, toFieldPath: "a[1025]"}`), goodXR),
		"an index of 4294967295":   request(t, patches(`{fromFieldPath: "spec.size[4294967295]", toFieldPath: "a[4294967295]"}`), goodXR),
		"many arrays":              request(t, patches(manyArrays()...), goodXR),
		"a regexp group below 0":   request(t, patches(`{fromFieldPath: spec.size, toFieldPath: a, transforms: [{type: string, string: {type: Regexp, regexp: {match: m, group: -1}}}]}`), goodXR),
		"a regexp of many states":  request(t, patches(`{fromFieldPath: spec.size, toFieldPath: a, transforms: [{type: string, string: {type: Regexp, regexp: {match: "((a{1,100}){1,10}){1,1000}"}}}]}`), goodXR),
		"many large regexps":       request(t, patches(manyRegexps()...), goodXR),
		"a secret without combine": request(t, `{resources: [{name: r, base: {apiVersion: v1, kind: K}}], writeConnectionSecretToRef: {patches: [{type: CombineFromComposite, toFieldPath: name}]}}`, goodXR),
		"a check without anything": request(t, `{resources: [{name: r, base: {apiVersion: v1, kind: K}, readinessChecks: [{type: MatchCondition}, {type: MatchString}, {}]}]}`, goodXR),
		"patch sets that explode":  request(t, explodingSets(), goodXR),
		"a long path":              request(t, patches(`{fromFieldPath: spec.size, toFieldPath: "a`+strings.Repeat(".a", 100_000)+`"}`), goodXR),
		"no input":                 {},
		"an input of nothing":      {Input: &structpb.Struct{}},
		"a resource of nothing":    {Input: structOf(t, goodInput), Observed: &fnv1.State{Resources: map[string]*fnv1.Resource{"r": nil}}},
	}
	for _, list := range []string{
		`resources: [null]`, `resources: null`, `patchSets: [null], resources: []`, `environment: null`, `environment: {patches: [null]}`,
		`resources: [{name: r, base: null}]`, `resources: [{name: null, base: {apiVersion: v1, kind: K}, patches: [null]}]`,
		`resources: [{name: r, base: {apiVersion: null, kind: null, metadata: null}, readinessChecks: [null], connectionDetails: [null]}]`,
		`resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [{transforms: [null], combine: null, policy: null}]}]`,
		`resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [{type: CombineFromComposite, toFieldPath: a, combine: {strategy: string, variables: [null], string: null}}]}]`,
		`resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [{fromFieldPath: spec.size, transforms: [{type: match, match: {patterns: [null]}}, {type: map, map: null}, {type: string, string: null}]}]}]`,
		`writeConnectionSecretToRef: {patches: [null]}, resources: [{name: r, base: {apiVersion: v1, kind: K}}]`,
	} {
		out["nulls in "+list] = request(t, "{"+list+"}", goodXR)
	}
	addOddValues(t, out)
	addLoops(t, out)
	return out
}

func manyArrays() []string {
	out := make([]string, 5000)
	for i := range out {
		out[i] = fmt.Sprintf(`{fromFieldPath: spec.size, toFieldPath: "spec.f%d[1024][1024]"}`, i)
	}
	return out
}

func manyRegexps() []string {
	out := make([]string, 2000)
	for i := range out {
		out[i] = fmt.Sprintf(`{fromFieldPath: spec.size, toFieldPath: spec.f, transforms: [{type: string, string: {type: Regexp,
			regexp: {match: "%s%d"}}}]}`, strings.Repeat("[a-z]{1,900}|", 5), i)
	}
	return out
}

func explodingSets() string {
	set := strings.Join(repeat(2000, `{fromFieldPath: spec.size}`), ", ")
	include := strings.Join(repeat(2000, `{type: PatchSet, patchSetName: s}`), ", ")
	return `{patchSets: [{name: s, patches: [` + set + `]}], resources: [{name: r, base: {apiVersion: v1, kind: K}, patches: [` + include + `]}]}`
}

// addOddValues adds requests with values that are no JSON, or nest deeply.
func addOddValues(t *testing.T, out map[string]*fnv1.RunFunctionRequest) {
	t.Helper()
	odd := map[string]*structpb.Value{
		"NaN": structpb.NewNumberValue(math.NaN()), "infinity": structpb.NewNumberValue(math.Inf(1)),
		"a huge number": structpb.NewNumberValue(1e300), "no kind": {}, "deep nesting": nested(2000), "deeper nesting": nested(3000),
		"a list of no kinds": structpb.NewListValue(&structpb.ListValue{Values: []*structpb.Value{{}, {}}}),
	}
	for name, v := range odd {
		inXR := request(t, patches(`{fromFieldPath: spec.odd, toFieldPath: spec.odd, policy: {toFieldPath: MergeObjects}}`,
			`{type: ToEnvironmentFieldPath, fromFieldPath: spec.odd}`), goodXR)
		inXR.Observed.Composite.Resource.Fields["spec"].GetStructValue().Fields["odd"] = v
		inXR.Observed.Resources = map[string]*fnv1.Resource{"r": inXR.GetObserved().GetComposite()}
		out[name+" in the composite resource"] = inXR

		inInput := request(t, goodInput, goodXR)
		base := inInput.GetInput().GetFields()["resources"].GetListValue().GetValues()[0].GetStructValue().GetFields()["base"]
		base.GetStructValue().Fields["odd"] = v
		out[name+" in a base"] = inInput

		asInput := request(t, goodInput, goodXR)
		asInput.Input.Fields["resources"] = v
		out[name+" as the resources"] = asInput

		inEnvironment := request(t, `{environment: {patches: [{fromFieldPath: spec.size, toFieldPath: "a.b"}]}}`, goodXR)
		inEnvironment.Context = &structpb.Struct{Fields: map[string]*structpb.Value{environmentKey: v}}
		out[name+" as the environment"] = inEnvironment

		inDesired := request(t, `{resources: [{name: r, patches: [{fromFieldPath: spec.size}]}]}`, goodXR)
		inDesired.Desired = &fnv1.State{Resources: map[string]*fnv1.Resource{"r": {Resource: &structpb.Struct{Fields: map[string]*structpb.Value{"odd": v}}}}}
		out[name+" in a desired resource"] = inDesired
	}
}

// TestHostileRequests sends requests that must neither crash nor hang nor
// exhaust the server, and checks that it still answers a good one after each.
func TestHostileRequests(t *testing.T) {
	f := fnv1.NewFunctionRunnerServiceClient(serve(t, fn.New(fn.Options{}).Run).dial(t, nil))
	for name, req := range hostileRequests(t) {
		t.Run(name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			rsp, err := f.RunFunction(t.Context(), req)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("took %s", took)
			}
			runtime.ReadMemStats(&after)
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
				t.Errorf("allocated %d MiB", used>>20)
			}
			if err != nil {
				t.Logf("error: %.300s", err)
			}
			for _, r := range rsp.GetResults() {
				t.Logf("%s: %.300s", r.GetSeverity(), r.GetMessage())
				if strings.Contains(r.GetMessage(), "%!") {
					t.Errorf("garbage in %q", r.GetMessage())
				}
			}
			stillServes(t, f)
		})
	}
}

func stillServes(t *testing.T, f fnv1.FunctionRunnerServiceClient) {
	t.Helper()
	rsp, err := f.RunFunction(t.Context(), request(t, goodInput, goodXR))
	if err != nil || len(rsp.GetResults()) > 0 || rsp.GetDesired().GetResources()["r"] == nil {
		t.Fatalf("a good request is answered with %v, %v", rsp, err)
	}
}

// TestDamagedRequests cuts and flips the bytes of a request.
func TestDamagedRequests(t *testing.T) {
	f := fn.New(fn.Options{})
	good, err := proto.MarshalOptions{Deterministic: true}.Marshal(request(t, goodInput, goodXR))
	if err != nil {
		t.Fatal(err)
	}
	for n := range good {
		if _, _, err := f.Run(t.Context(), good[:n], nil); err == nil && proto.Unmarshal(good[:n], &fnv1.RunFunctionRequest{}) != nil {
			t.Errorf("the first %d bytes are no request, and are answered", n)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		b := append([]byte(nil), good...)
		for range 1 + rng.IntN(3) {
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
		}
		rsp, _, err := f.Run(t.Context(), b, nil)
		if err == nil && proto.Unmarshal(rsp, &fnv1.RunFunctionResponse{}) != nil {
			t.Fatalf("the answer to %x is no response", b)
		}
	}
}

// encode encodes a request.
func encode(t testing.TB, req *fnv1.RunFunctionRequest) []byte {
	t.Helper()
	b, err := proto.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

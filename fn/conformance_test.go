package fn_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	fnv1beta1 "github.com/crossplane/function-sdk-go/proto/v1beta1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"

	"github.com/function-patchwork/function-patchwork/fn"
)

const environmentKey = "apiextensions.crossplane.io/environment"

// conformanceCase is a request with the response that it must get.
type conformanceCase struct {
	Name     string          `json:"name"`
	Doc      string          `json:"doc"`
	Why      string          `json:"why"`
	Request  json.RawMessage `json:"request"`
	Response json.RawMessage `json:"response"`
}

// caller sends a request to the function in one of the ways there are.
type caller func(ctx context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error)

func TestConformance(t *testing.T) {
	for name, call := range callers(t) {
		t.Run(name, func(t *testing.T) {
			for _, c := range conformanceCases(t) {
				t.Run(c.Name, func(t *testing.T) { c.run(t, call) })
			}
			for _, c := range transformRows(t) {
				t.Run(c.Name, func(t *testing.T) { c.run(t, call) })
			}
		})
	}
}

// callers returns the ways to call the function: in this process, and with the
// clients of both versions of the service over gRPC from the real server.
func callers(t *testing.T) map[string]caller {
	t.Helper()
	f := fn.New(fn.Options{})
	conn := serve(t, f.Run).dial(t, nil)
	v1, v1beta1 := fnv1.NewFunctionRunnerServiceClient(conn), fnv1beta1.NewFunctionRunnerServiceClient(conn)
	return map[string]caller{
		"in process": f.RunFunction,
		"v1": func(ctx context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
			return v1.RunFunction(ctx, req)
		},
		"v1beta1": func(ctx context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
			old, rsp := &fnv1beta1.RunFunctionRequest{}, &fnv1.RunFunctionResponse{}
			if err := recode(req, old); err != nil {
				return nil, err
			}
			got, err := v1beta1.RunFunction(ctx, old)
			if err != nil {
				return nil, err
			}
			return rsp, recode(got, rsp)
		},
	}
}

// recode copies a message of one version to that of another.
func recode(from, to proto.Message) error {
	b, err := proto.Marshal(from)
	if err != nil {
		return err
	}
	return proto.Unmarshal(b, to)
}

// transformRow is a patch from spec.in to spec.out with transforms.
type transformRow struct {
	Name       string `json:"name"`
	Why        string `json:"why"`
	In         any    `json:"in"`
	Transforms []any  `json:"transforms"`
	Out        any    `json:"out"`
	Error      bool   `json:"error"`
}

func transformRows(t *testing.T) []transformRow {
	t.Helper()
	var rows []transformRow
	for _, f := range []string{"transforms", "numbers"} {
		b, err := os.ReadFile("../transforms/testdata/conformance/" + f + ".jsonl")
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(b) {
			var r transformRow
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			rows = append(rows, r)
		}
	}
	return rows
}

func (r transformRow) run(t *testing.T, call caller) {
	t.Helper()
	req := request(t, patches(), `{apiVersion: example.org/v1, kind: XR, spec: {}}`)
	patch := map[string]any{"fromFieldPath": "spec.in", "toFieldPath": "spec.out", "transforms": r.Transforms}
	list, err := structpb.NewList([]any{patch})
	if err != nil {
		t.Fatal(err)
	}
	in, err := structpb.NewValue(r.In)
	if err != nil {
		t.Fatal(err)
	}
	req.Observed.Composite.Resource.Fields["spec"].GetStructValue().Fields["in"] = in
	req.Input.Fields["resources"].GetListValue().GetValues()[0].GetStructValue().Fields["patches"] = structpb.NewListValue(list)
	rsp, err := call(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	if r.Error {
		if n := len(rsp.GetResults()); n != 1 || rsp.GetResults()[0].GetSeverity() != fnv1.Severity_SEVERITY_FATAL {
			t.Errorf("no error but %v; %s", rsp, r.Why)
		}
		return
	}
	spec := rsp.GetDesired().GetResources()["r"].GetResource().GetFields()["spec"].GetStructValue()
	if diff := cmp.Diff(r.Out, spec.GetFields()["out"].AsInterface()); diff != "" || len(rsp.GetResults()) > 0 {
		t.Errorf("-want +got\n%s%v\n%s", diff, rsp.GetResults(), r.Why)
	}
}

func conformanceCases(t testing.TB) []conformanceCase {
	t.Helper()
	files, err := filepath.Glob("testdata/conformance/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	cases := make([]conformanceCase, len(files))
	for i, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.UnmarshalStrict(b, &cases[i]); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		cases[i].Name = strings.TrimSuffix(filepath.Base(f), ".yaml")
	}
	return cases
}

func (c conformanceCase) run(t *testing.T, call caller) {
	t.Helper()
	req, want := &fnv1.RunFunctionRequest{}, &fnv1.RunFunctionResponse{}
	if err := protojson.Unmarshal(c.Request, req); err != nil {
		t.Fatal(err)
	}
	if err := protojson.Unmarshal(c.Response, want); err != nil {
		t.Fatal(err)
	}
	got, err := call(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range got.GetResults() {
		t.Logf("%s: %s", r.GetSeverity(), r.GetMessage())
		if r.GetTarget() != fnv1.Target_TARGET_COMPOSITE {
			t.Errorf("the target of a result is %s", r.GetTarget())
		}
	}
	if diff := cmp.Diff(comparable(t, want), comparable(t, got)); diff != "" {
		t.Errorf("%s\n-want +got\n%s", c.Doc, diff)
	}
}

// comparable returns what of a response must be equal: all but the TTL, the
// apiVersion and kind of the composite and the environment, and the texts of
// results; of a fatal response, only its severities and tag.
func comparable(t *testing.T, rsp *fnv1.RunFunctionResponse) any {
	t.Helper()
	rsp = proto.CloneOf(rsp)
	rsp.GetMeta().Ttl = nil
	fatal := false
	for _, r := range rsp.GetResults() {
		r.Message = ""
		fatal = fatal || r.GetSeverity() == fnv1.Severity_SEVERITY_FATAL
	}
	if fatal {
		rsp = &fnv1.RunFunctionResponse{Meta: rsp.GetMeta(), Results: rsp.GetResults()}
	}
	b, err := protojson.Marshal(rsp)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(b, &out); err != nil {
		t.Fatal(err)
	}
	dropTypeMeta(out, "desired", "composite", "resource")
	dropTypeMeta(out, "context", environmentKey)
	return out
}

// dropTypeMeta takes apiVersion and kind out of the object at a path, and then
// the objects that nothing is left in.
func dropTypeMeta(object map[string]any, path ...string) {
	child, ok := object[path[0]].(map[string]any)
	if !ok {
		return
	}
	if len(path) > 1 {
		dropTypeMeta(child, path[1:]...)
	} else {
		delete(child, "apiVersion")
		delete(child, "kind")
	}
	if len(child) == 0 {
		delete(object, path[0])
	}
}

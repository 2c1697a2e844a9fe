package fn_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
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
		})
	}
}

func callers(t *testing.T) map[string]caller {
	t.Helper()
	return map[string]caller{"in process": fn.New(fn.Options{}).RunFunction}
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

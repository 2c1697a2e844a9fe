package fn_test

import (
	"encoding/json"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/fn"
)

// FuzzInput runs any JSON as the input: what compiles must not panic.
func FuzzInput(f *testing.F) {
	var requests []*fnv1.RunFunctionRequest
	for _, c := range seeds(f) {
		b, err := json.Marshal(c.GetInput().AsMap())
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b, len(requests))
		requests = append(requests, c)
	}
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		var in map[string]any
		if json.Unmarshal(b, &in) != nil {
			return
		}
		s, err := structpb.NewStruct(in)
		if err != nil {
			return
		}
		req := proto.CloneOf(requests[uint(n)%uint(len(requests))])
		req.Input = s
		if _, err := fn.New(fn.Options{}).RunFunction(t.Context(), req); err != nil {
			t.Fatal(err)
		}
	})
}

// FuzzRun sends any bytes: they are answered with a response, or are no request.
func FuzzRun(f *testing.F) {
	for _, c := range seeds(f) {
		b, err := proto.MarshalOptions{Deterministic: true}.Marshal(c)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		rsp, _, err := fn.New(fn.Options{}).Run(t.Context(), b, nil)
		standard := proto.Unmarshal(b, &fnv1.RunFunctionRequest{})
		if err != nil {
			if standard == nil {
				t.Fatalf("a request is refused: %v", err)
			}
			return
		}
		if err := proto.Unmarshal(rsp, &fnv1.RunFunctionResponse{}); err != nil {
			t.Fatalf("the answer is no response: %v", err)
		}
	})
}

// seeds returns the requests of the recorded cases, but for the largest, and of the
// worked cases.
func seeds(f *testing.F) []*fnv1.RunFunctionRequest {
	f.Helper()
	var out []*fnv1.RunFunctionRequest
	for _, c := range conformanceCases(f) {
		req := &fnv1.RunFunctionRequest{}
		if err := protojson.Unmarshal(c.Request, req); err != nil {
			f.Fatal(err)
		}
		if proto.Size(req) < 10_000 {
			out = append(out, req)
		}
	}
	for _, path := range caseFiles(f) {
		if c := readCase(f, path); c.Transforms == nil {
			out = append(out, c.request(f))
		}
	}
	return out
}

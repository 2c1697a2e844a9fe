package shapes_test

import (
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/fn"
	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// TestRequests checks that the function has nothing to complain about, and that
// it composes all that the shapes have.
func TestRequests(t *testing.T) {
	for _, s := range append(shapes.All(), shapes.Growing(2)) {
		t.Run(s.Name, func(t *testing.T) {
			notices := 0
			f := fn.New(fn.Options{Notify: func(n fn.Notice) { notices++; t.Log(n) }})
			for variant := range 2 {
				req := request(t, s, variant)
				rsp, err := f.RunFunction(t.Context(), req)
				if err != nil || len(rsp.GetResults()) > 0 || notices > 0 {
					t.Fatalf("variant %d: %v, %v", variant, rsp.GetResults(), err)
				}
				check(t, s, req, rsp)
			}
		})
	}
}

func check(t *testing.T, s shapes.Shape, req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) {
	t.Helper()
	composed := 0
	for name, r := range rsp.GetDesired().GetResources() {
		if r.GetResource().GetFields()["kind"].GetStringValue() == "Instance" {
			composed++
		}
		if s.Observed > 0 && strings.HasPrefix(name, "database-") && r.GetReady() != fnv1.Ready_READY_TRUE {
			t.Errorf("%s is not ready", name)
		}
	}
	if want := s.Templates + s.Upstream; composed != want {
		t.Errorf("%d resources are composed, want %d", composed, want)
	}
	for name, o := range req.GetObserved().GetResources() {
		if size := proto.Size(o.GetResource()); size < s.Observed-s.Observed/20 || size > s.Observed+s.Observed/5 {
			t.Errorf("the observed %s has %d bytes, want about %d", name, size, s.Observed)
			return
		}
	}
}

// TestVariants checks that a request is the same each time, and that variants
// and compositions differ.
func TestVariants(t *testing.T) {
	s := shapes.All()[0]
	first, inputs, xrs := request(t, s, 0), map[string]bool{}, map[string]bool{}
	if !proto.Equal(first, request(t, s, 0)) {
		t.Error("a request is not the same the second time")
	}
	for variant := range s.Variants {
		req := request(t, s, variant)
		inputs[encode(t, req.GetInput())] = true
		xrs[encode(t, req.GetObserved())] = true
	}
	if len(inputs) != s.Compositions || len(xrs) != s.Variants {
		t.Errorf("%d inputs and %d composite resources, want %d and %d", len(inputs), len(xrs), s.Compositions, s.Variants)
	}
}

func TestNamed(t *testing.T) {
	got, err := shapes.Named([]string{"wide", "small"})
	if err != nil || len(got) != 2 || got[0].Name != "wide" || got[1].Name != "small" {
		t.Errorf("got %v, %v", got, err)
	}
	want := `"tpyical" is no scenario; there are small, typical, conditions, wide, passthrough, large, huge`
	if _, err := shapes.Named([]string{"tpyical"}); err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func request(t *testing.T, s shapes.Shape, variant int) *fnv1.RunFunctionRequest {
	t.Helper()
	req, err := s.Request(variant)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

func encode(t *testing.T, m proto.Message) string {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

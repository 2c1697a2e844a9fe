package fn_test

import (
	"bytes"
	"sync"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/function-patchwork/function-patchwork/fn"
)

// TestConcurrentCalls makes calls of all kinds at the same time, with a cache that
// has room for few of their programs: each gets the answer that it gets alone.
func TestConcurrentCalls(t *testing.T) {
	const callers, rounds = 8, 3
	cases := conformanceCases(t)
	requests, want := make([]*fnv1.RunFunctionRequest, len(cases)), make([]*fnv1.RunFunctionResponse, len(cases))
	for i, c := range cases {
		requests[i] = &fnv1.RunFunctionRequest{}
		if err := protojson.Unmarshal(c.Request, requests[i]); err != nil {
			t.Fatal(err)
		}
		var err error
		if want[i], err = fn.New(fn.Options{}).RunFunction(t.Context(), requests[i]); err != nil {
			t.Fatal(err)
		}
	}
	f := fn.New(fn.Options{CacheBytes: 20_000})
	var wg sync.WaitGroup
	for caller := range callers {
		wg.Go(func() {
			for n := range rounds * len(cases) {
				i := (n*7 + caller*13) % len(cases)
				got, err := f.RunFunction(t.Context(), requests[i])
				if diff := cmp.Diff(want[i], got, protocmp.Transform()); err != nil || diff != "" {
					t.Errorf("%s: %v, -want +got\n%s", cases[i].Name, err, diff)
					return
				}
			}
		})
	}
	wg.Wait()
	if s := f.CacheStats(); s.Bytes > 20_000 || s.Hits == 0 || s.Misses < uint64(s.Programs) {
		t.Errorf("the cache is off: %+v", s)
	}
}

// TestEqualRequestsGetEqualBytes sends the same bytes to functions that have and
// have not seen them before.
func TestEqualRequestsGetEqualBytes(t *testing.T) {
	used := fn.New(fn.Options{})
	for _, c := range conformanceCases(t) {
		req := &fnv1.RunFunctionRequest{}
		if err := protojson.Unmarshal(c.Request, req); err != nil {
			t.Fatal(err)
		}
		b, err := proto.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := fn.New(fn.Options{}).Run(t.Context(), b, nil)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			got, _, err := used.Run(t.Context(), b, []byte("before"))
			if err != nil || !bytes.Equal(got, append([]byte("before"), want...)) {
				t.Fatalf("%s: %v, got other bytes", c.Name, err)
			}
		}
	}
}

// TestTheOrderOfMapsIsNoNewInput encodes one request again and again, with its
// maps in another order each time: its input is compiled once.
func TestTheOrderOfMapsIsNoNewInput(t *testing.T) {
	f := fn.New(fn.Options{})
	req := request(t, goodInput, goodXR)
	base := req.GetInput().GetFields()["resources"].GetListValue().GetValues()[0].GetStructValue().GetFields()["base"]
	for _, k := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		base.GetStructValue().Fields[k] = base.GetStructValue().Fields["kind"]
	}
	encodings := map[string]bool{}
	const calls = 50
	for range calls {
		b, err := proto.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		encodings[string(b)] = true
		if _, call, err := f.Run(t.Context(), b, nil); err != nil || call.Fatal > 0 {
			t.Fatalf("%v, %v", call.Messages, err)
		}
	}
	if len(encodings) < 2 {
		t.Fatalf("%d encodings do not show anything", len(encodings))
	}
	if s := f.CacheStats(); s.Misses != 1 || s.Hits != calls-1 || s.Programs != 1 {
		t.Errorf("%d encodings of one input: %+v", len(encodings), s)
	}
}

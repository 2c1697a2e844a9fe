package fn_test

import (
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/fn"
	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// forEachShape runs a benchmark with an encoded request of each shape.
func forEachShape(b *testing.B, run func(b *testing.B, req []byte)) {
	for _, s := range shapes.All() {
		b.Run(s.Name, func(b *testing.B) {
			msg, err := s.Request(0)
			if err != nil {
				b.Fatal(err)
			}
			req, err := proto.Marshal(msg)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			run(b, req)
		})
	}
}

// BenchmarkRun answers encoded requests, into memory that is used again as the
// server does.
func BenchmarkRun(b *testing.B) {
	forEachShape(b, func(b *testing.B, req []byte) {
		f := fn.New(fn.Options{})
		rsp, call, err := f.Run(b.Context(), req, nil)
		if err != nil || call.Fatal > 0 || call.Warnings > 0 {
			b.Fatalf("%v, %v", call.Messages, err)
		}
		b.SetBytes(int64(len(req) + len(rsp)))
		for b.Loop() {
			if rsp, _, err = f.Run(b.Context(), req, rsp[:0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDecode only decodes the same requests with the standard library and
// encodes their desired state, to compare with.
func BenchmarkDecode(b *testing.B) {
	forEachShape(b, func(b *testing.B, in []byte) {
		for b.Loop() {
			req := &fnv1.RunFunctionRequest{}
			if err := proto.Unmarshal(in, req); err != nil {
				b.Fatal(err)
			}
			if _, err := proto.Marshal(&fnv1.RunFunctionResponse{Desired: req.GetDesired()}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkCompile answers requests whose input was not seen before.
func BenchmarkCompile(b *testing.B) {
	forEachShape(b, func(b *testing.B, req []byte) {
		for b.Loop() {
			if _, _, err := fn.New(fn.Options{}).Run(b.Context(), req, nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

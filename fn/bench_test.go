package fn_test

import (
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/fn"
	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// encodings is how many encodings of the requests of a shape take turns: a map's
// entries come in another order each time.
const encodings = 12

// forEachShape runs a benchmark with encoded requests of each shape.
func forEachShape(b *testing.B, run func(b *testing.B, requests [][]byte)) {
	for _, s := range shapes.All() {
		b.Run(s.Name, func(b *testing.B) {
			messages, err := s.Requests()
			if err != nil {
				b.Fatal(err)
			}
			requests := make([][]byte, encodings)
			for i := range requests {
				if requests[i], err = proto.Marshal(messages[i%len(messages)]); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportAllocs()
			run(b, requests)
		})
	}
}

// BenchmarkRun answers encoded requests, into memory that is used again as the
// server does.
func BenchmarkRun(b *testing.B) {
	forEachShape(b, func(b *testing.B, requests [][]byte) {
		f := fn.New(fn.Options{})
		var rsp []byte
		for _, req := range requests {
			var call fn.Call
			var err error
			rsp, call, err = f.Run(b.Context(), req, rsp[:0])
			if err != nil || call.Fatal > 0 || call.Warnings > 0 {
				b.Fatalf("%v, %v", call.Messages, err)
			}
		}
		b.SetBytes(int64(len(requests[0]) + len(rsp)))
		for i := 0; b.Loop(); i++ {
			var err error
			if rsp, _, err = f.Run(b.Context(), requests[i%encodings], rsp[:0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkDecode only decodes the same requests with the standard library and
// encodes their desired state, to compare with.
func BenchmarkDecode(b *testing.B) {
	forEachShape(b, func(b *testing.B, requests [][]byte) {
		for i := 0; b.Loop(); i++ {
			req := &fnv1.RunFunctionRequest{}
			if err := proto.Unmarshal(requests[i%encodings], req); err != nil {
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
	forEachShape(b, func(b *testing.B, requests [][]byte) {
		for i := 0; b.Loop(); i++ {
			if _, _, err := fn.New(fn.Options{}).Run(b.Context(), requests[i%encodings], nil); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package proto

import (
	"fmt"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

var sizes = []int{1, 10, 100}

func forSizes(b *testing.B, run func(b *testing.B, request []byte)) {
	b.Helper()
	for _, resources := range sizes {
		request := marshal(b, usualRequest(resources))
		b.Run(fmt.Sprintf("resources=%d", resources), func(b *testing.B) {
			b.SetBytes(int64(len(request)))
			b.ReportAllocs()
			run(b, request)
		})
	}
}

// BenchmarkStandardDecoder is what the others are to be compared with.
func BenchmarkStandardDecoder(b *testing.B) {
	forSizes(b, func(b *testing.B, request []byte) {
		for b.Loop() {
			if err := proto.Unmarshal(request, &fnv1.RunFunctionRequest{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkParseRequest(b *testing.B) {
	forSizes(b, func(b *testing.B, request []byte) {
		for b.Loop() {
			if _, err := ParseRequest(request); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkLookups parses a request and looks up 15 paths for each resource.
func BenchmarkLookups(b *testing.B) {
	composite, composed := []fieldpath.Path{}, []fieldpath.Path{}
	for _, text := range []string{
		"metadata.name", "metadata.labels[crossplane.io/claim-name]", "spec.region", "spec.storageGB", "spec.ratio",
		"spec.subnets[1].id", "spec.settings.key33", "spec.settings.key07", "spec.absent.field", "metadata.labels.team",
	} {
		composite = append(composite, parse(b, text))
	}
	for _, text := range []string{
		"metadata.name", "status.atProvider.arn", "status.atProvider.port", "status.conditions[0].type", "metadata.annotations[crossplane.io/external-name]",
	} {
		composed = append(composed, parse(b, text))
	}
	forSizes(b, func(b *testing.B, request []byte) {
		for b.Loop() {
			r, err := ParseRequest(request)
			if err != nil {
				b.Fatal(err)
			}
			for _, name := range r.Observed().Names() {
				resource, _ := r.Observed().Resource(name)
				get(b, r.Observed().Composite().Object(), composite)
				get(b, resource.Object(), composed)
			}
		}
	})
}

func get(b *testing.B, s *Struct, paths []fieldpath.Path) {
	b.Helper()
	for _, p := range paths {
		if _, _, err := s.Get(p); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHash(b *testing.B) {
	forSizes(b, func(b *testing.B, request []byte) {
		r, err := ParseRequest(request)
		if err != nil {
			b.Fatal(err)
		}
		objects := []*Struct{}
		for _, name := range r.Observed().Names() {
			resource, _ := r.Observed().Resource(name)
			objects = append(objects, resource.Object())
		}
		for b.Loop() {
			for _, o := range objects {
				if _, err := o.Hash(); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
}

// BenchmarkRespond writes each resource anew from a base with three patches.
func BenchmarkRespond(b *testing.B) {
	base, err := NewFreezer().Freeze(composedObject(0))
	if err != nil {
		b.Fatal(err)
	}
	paths := []fieldpath.Path{parse(b, "metadata.name"), parse(b, "spec.forProvider.region"), parse(b, "spec.forProvider.size")}
	forSizes(b, func(b *testing.B, request []byte) {
		r, err := ParseRequest(request)
		if err != nil {
			b.Fatal(err)
		}
		buffer := []byte(nil)
		for b.Loop() {
			out := &Response{Request: r, Resources: map[string]*Desired{}}
			for _, name := range r.Observed().Names() {
				d := fieldpath.NewDraft(base, nil, nil)
				for _, p := range paths {
					if err := d.Set(p, "value"); err != nil {
						b.Fatal(err)
					}
				}
				out.Resources[name] = &Desired{Object: d, Ready: ReadyTrue}
			}
			if buffer, err = out.Append(buffer[:0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkPassThrough(b *testing.B) {
	forSizes(b, func(b *testing.B, request []byte) {
		buffer := []byte(nil)
		for b.Loop() {
			r, err := ParseRequest(request)
			if err != nil {
				b.Fatal(err)
			}
			if buffer, err = (&Response{Request: r}).Append(buffer[:0]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

package proto

import (
	"math"
	"sync"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
)

// Tags of the records of a RunFunctionRequest that are read.
const (
	tagMeta     = 1<<3 | wireBytes
	tagObserved = 2<<3 | wireBytes
	tagDesired  = 3<<3 | wireBytes
	tagInput    = 4<<3 | wireBytes
	tagContext  = 5<<3 | wireBytes

	tagMetaTag          = 1<<3 | wireBytes
	tagCapability       = 2<<3 | wireVarint
	tagCapabilityPacked = 2<<3 | wireBytes
)

// Request is a read-only view on an encoded RunFunctionRequest. The bytes must
// neither change nor be freed while it is used. Lookups remember what they found:
// it is not safe for concurrent use.
type Request struct {
	index             *index
	meta              span
	observed, desired State
	input, context    *Struct

	// Nodes of what a function asked for, 0 as long as nobody looked.
	required, extra, credentials int32
}

// Views makes views on requests, and uses their memory again. It is safe for
// concurrent use.
type Views struct {
	indexes  sync.Pool // of *index
	scanners sync.Pool // of *scanner
}

// Parse is ParseRequest. Free takes the view back.
func (v *Views) Parse(b []byte) (*Request, error) {
	x, ok := v.indexes.Get().(*index)
	if !ok {
		x = newIndex(nil)
	}
	s, ok := v.scanners.Get().(*scanner)
	if !ok {
		s = &scanner{}
	}
	defer func() {
		s.reset(nil)
		v.scanners.Put(s)
	}()
	return view(b, x, s)
}

// Free takes a view back, which must not be used any more.
func (v *Views) Free(r *Request) {
	if cap(r.index.entries) <= mostEntries {
		r.index.reset(nil)
		v.indexes.Put(r.index)
	}
}

// ParseRequest returns a view on b, or a *SyntaxError. It accepts what the
// standard decoder accepts and nothing else.
func ParseRequest(b []byte) (*Request, error) { return view(b, newIndex(nil), &scanner{}) }

func view(b []byte, x *index, s *scanner) (*Request, error) {
	b, hash, err := s.usual(b)
	if err != nil {
		return nil, err
	}
	x.reset(b)
	r := &Request{index: x, observed: State{index: x}, desired: State{index: x}}
	for pos := 0; pos < len(b); {
		rec := next(b, pos)
		body := spanOf(rec.from, rec.to)
		switch rec.tag {
		case tagMeta:
			r.meta = body
		case tagObserved:
			r.observed = newState(x, body)
		case tagDesired:
			r.desired = newState(x, body)
		case tagInput:
			r.input = newStruct(x, body)
			r.input.hash = hash
		case tagContext:
			r.context = newStruct(x, body)
		}
		pos = rec.to
	}
	return r, nil
}

// usual returns b, or the same request encoded again if b has a shape that no
// encoder writes; and the hash of its input, if that could be had on the way.
func (s *scanner) usual(b []byte) ([]byte, *Hash, error) {
	if len(b) > math.MaxInt32 {
		return nil, nil, &SyntaxError{Offset: math.MaxInt32, Reason: "larger than 2 GiB"}
	}
	s.reset(b)
	if f := s.message(protocol.request, 0, len(b), maxDepth); f != nil {
		return nil, nil, f.syntaxError()
	}
	switch {
	case !s.odd && s.input != Hash{}:
		hash := s.input
		return b, &hash, nil
	case !s.odd:
		return b, nil, nil
	}
	m := &fnv1.RunFunctionRequest{}
	if err := proto.Unmarshal(b, m); err != nil {
		return nil, nil, &SyntaxError{Reason: err.Error()}
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return nil, nil, &SyntaxError{Reason: err.Error()}
	}
	return b, nil, nil
}

func newStruct(x *index, body span) *Struct {
	return &Struct{index: x, kind: kindObject, body: body}
}

// Tag returns the tag that the response has to repeat.
func (r *Request) Tag() string {
	tag := ""
	r.eachMeta(func(rec record) {
		if rec.tag == tagMetaTag {
			tag = string(r.index.b[rec.from:rec.to])
		}
	})
	return tag
}

// HasCapability tells whether Crossplane says that it supports a feature.
func (r *Request) HasCapability(c int32) bool {
	has := false
	r.eachMeta(func(rec record) {
		if rec.tag != tagCapability && rec.tag != tagCapabilityPacked {
			return
		}
		for pos := rec.from; pos < rec.to; {
			v, end := varint(r.index.b[:rec.to], pos)
			has = has || int32(v) == c
			pos = end
		}
	})
	return has
}

func (r *Request) eachMeta(do func(record)) {
	b := r.index.b[:r.meta.to]
	for pos := int(r.meta.from); pos < len(b); {
		rec := next(b, pos)
		do(rec)
		pos = rec.to
	}
}

// Input returns the function's input, nil if there is none.
func (r *Request) Input() *Struct { return r.input }

// Observed returns the observed state, which may be empty.
func (r *Request) Observed() *State { return &r.observed }

// Desired returns the desired state so far, which may be empty.
func (r *Request) Desired() *State { return &r.desired }

// Context returns what is at a key of the context; false if that is nothing or
// null. If it is no object, reading it is a *fieldpath.TypeError.
func (r *Request) Context(key string) (*Struct, bool) {
	if r.context == nil {
		return nil, false
	}
	at, found := r.context.field(r.context.whole(), key)
	if !found || at.kind == kindNull {
		return nil, false
	}
	return &Struct{index: r.index, kind: at.kind, body: at.body}, true
}

package proto

import (
	"slices"
	"strings"
	"time"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Tags of the records of a RunFunctionResponse that are written.
const (
	tagResponseMeta         = 1<<3 | wireBytes
	tagResponseDesired      = 2<<3 | wireBytes
	tagResponseResults      = 3<<3 | wireBytes
	tagResponseContext      = 4<<3 | wireBytes
	tagResponseRequirements = 5<<3 | wireBytes
	tagResponseConditions   = 6<<3 | wireBytes

	tagResponseTag = 1<<3 | wireBytes
	tagTTL         = 2<<3 | wireBytes
	tagSeconds     = 1<<3 | wireVarint
	tagNanos       = 2<<3 | wireVarint

	tagSeverity = 1<<3 | wireVarint
	tagMessage  = 2<<3 | wireBytes
	tagTarget   = 4<<3 | wireVarint

	targetComposite         = 1
	targetCompositeAndClaim = 2
)

// Severity of a result.
type Severity int32

// The severities of results. A fatal result fails the whole pipeline.
const (
	SeverityFatal   Severity = 1
	SeverityWarning Severity = 2
	SeverityNormal  Severity = 3
)

// Result tells the users of the composite resource something.
type Result struct {
	Severity Severity
	Message  string
}

// Response answers a request. What it does not override of the request's desired
// state and context passes through byte for byte.
type Response struct {
	Request *Request
	TTL     time.Duration

	// Composite replaces the desired composite resource's object, CompositeReady
	// its readiness; ConnectionDetails are set over those that it has.
	Composite         *fieldpath.Draft
	CompositeReady    Ready
	ConnectionDetails map[string][]byte

	// Resources are added to the desired composed resources, or replace them.
	Resources map[string]*Desired

	// Contexts are set at their keys of the context. They need not be objects; one
	// in which there is nothing leaves what was there.
	Contexts map[string]*fieldpath.Draft

	Results    []Result
	Conditions []Condition

	// Requirements by name say what Crossplane is to fetch before it calls again.
	// LegacyRequirements says that it may be one that reads only extra_resources, as
	// 1.15 to 1.20 do: they are written to both fields.
	Requirements       map[string]Requirement
	LegacyRequirements bool

	// MaxSize is how many bytes the response may have; 0 is no bound.
	MaxSize int
}

// Desired is a desired composed resource. What it does not have is as in Earlier,
// if there is one: connection details, readiness, fields unknown here.
type Desired struct {
	Object  *fieldpath.Draft
	Ready   Ready
	Earlier *Resource
}

// Append appends the encoded response to dst. Equal requests, byte by byte, get
// equal bytes. A value that cannot be written is a *ValueError, a response beyond
// MaxSize a *TooLargeError.
func (r *Response) Append(dst []byte) ([]byte, error) {
	if cap(dst)-len(dst) < minRoom {
		dst = slices.Grow(dst, r.sizeHint())
	}
	w := newWriter(dst[len(dst):], r.MaxSize)
	f := w.response(r)
	if f == nil {
		f = w.fits(0)
	}
	switch {
	case f == nil && len(dst) == 0 && w.written() > cap(dst):
		return w.result(), nil
	case f == nil:
		return append(dst, w.result()...), nil
	case f.large:
		return nil, &TooLargeError{Max: r.MaxSize}
	}
	return nil, f.valueError(fieldpath.Path{})
}

const minRoom = 256

// sizeHint returns about as many bytes as the response may have.
func (r *Response) sizeHint() int {
	size := minRoom + 2048*(1+len(r.Resources)) + 128*(len(r.Results)+len(r.Conditions)+len(r.Requirements))
	if r.Request != nil {
		size += int(r.Request.desired.body.to - r.Request.desired.body.from)
		if c := r.Request.context; c != nil {
			size += int(c.body.to - c.body.from)
		}
	}
	return size
}

// Fatal returns an encoded response that holds nothing but fatal results.
func Fatal(tag string, ttl time.Duration, messages ...string) []byte {
	w := newWriter(nil, 0)
	for _, m := range slices.Backward(messages) {
		w.outcome(Result{Severity: SeverityFatal, Message: m})
	}
	w.meta(strings.ToValidUTF8(tag, "\uFFFD"), ttl)
	return w.result()
}

// response writes the fields from the last to the first.
func (w *writer) response(r *Response) *fault {
	req := r.Request
	if req == nil {
		req = emptyRequest()
	}
	if f := w.conditions(r.Conditions); f != nil {
		return f
	}
	if f := w.requirements(r.Requirements, r.LegacyRequirements); f != nil {
		return f
	}
	if f := w.context(req, r.Contexts); f != nil {
		return f.in(inKey("context"))
	}
	for _, result := range slices.Backward(r.Results) {
		w.outcome(result)
		if f := w.fits(0); f != nil {
			return f
		}
	}
	if f := w.desired(req, r); f != nil {
		return f
	}
	w.meta(req.Tag(), r.TTL)
	return nil
}

func emptyRequest() *Request {
	x := newIndex(nil)
	return &Request{index: x, observed: State{index: x}, desired: State{index: x}}
}

func (w *writer) meta(tag string, ttl time.Duration) {
	mark := w.written()
	if nanos := ttl % time.Second; nanos != 0 {
		w.number(tagNanos, uint64(nanos))
	}
	if seconds := ttl / time.Second; seconds != 0 {
		w.number(tagSeconds, uint64(seconds))
	}
	w.head(tagTTL, mark)
	w.textField(tagResponseTag, tag)
	w.head(tagResponseMeta, mark)
}

// outcome writes one result.
func (w *writer) outcome(r Result) {
	mark := w.written()
	w.number(tagTarget, targetComposite)
	w.textField(tagMessage, strings.ToValidUTF8(r.Message, "\uFFFD"))
	if r.Severity != 0 {
		w.number(tagSeverity, uint64(r.Severity))
	}
	w.head(tagResponseResults, mark)
}

package fn

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	gproto "google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// MaxResponseBytes is the size of the largest response that Crossplane's gRPC
// client accepts.
const MaxResponseBytes = 4 << 20

// DefaultTTL is how long Crossplane may use a response for, as the function
// specification suggests.
const DefaultTTL = time.Minute

// Options configure a Function. The zero value is fine.
type Options struct {
	// TTL of responses. Zero is DefaultTTL.
	TTL time.Duration

	// CacheBytes bounds the bytes of the inputs whose programs are kept. Zero is
	// a default.
	CacheBytes int64

	// Notify is told, once for each program, what is legal and has no effect or
	// cannot be used. It may be nil, and is called concurrently.
	Notify func(Notice)
}

// Function is the composition function. It is safe for concurrent use.
type Function struct {
	fnv1.UnimplementedFunctionRunnerServiceServer

	options Options
	cache   *cache
	views   proto.Views
	memory  sync.Pool // of *fieldpath.Memory
}

// New returns a Function.
func New(o Options) *Function {
	if o.TTL == 0 {
		o.TTL = DefaultTTL
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = defaultCacheBytes
	}
	if o.Notify == nil {
		o.Notify = func(Notice) {}
	}
	return &Function{
		options: o,
		cache:   newCache(o.CacheBytes),
		memory:  sync.Pool{New: func() any { return &fieldpath.Memory{} }},
	}
}

// CacheStats tell how the program cache does.
func (f *Function) CacheStats() CacheStats { return f.cache.statistics() }

// Call tells how a call went, for logs and metrics. Nothing in it is secret.
type Call struct {
	Tag string

	// The observed composite resource.
	APIVersion, Kind, Namespace, Name string

	// Fatal, Warnings and Normals count the results; Messages are their texts.
	Fatal, Warnings, Normals int
	Messages                 []string

	CacheHit                    bool
	RequestBytes, ResponseBytes int
}

// PanicError says that a request made the function panic: a defect of it.
type PanicError struct {
	Value any
	Stack []byte
}

func (e *PanicError) Error() string {
	return "the function failed on this request because of a defect in it; its log has the details"
}

// Run answers an encoded RunFunctionRequest with an encoded RunFunctionResponse;
// v1 and v1beta1 have the same encoding. The response is appended to dst. What is
// wrong with the input or the resources is a fatal result. An error says that the
// bytes are no request, or is a *PanicError.
func (f *Function) Run(ctx context.Context, req, dst []byte) (rsp []byte, call Call, err error) {
	defer func() {
		if p := recover(); p != nil {
			rsp, err = nil, &PanicError{Value: p, Stack: debug.Stack()}
		}
	}()
	call.RequestBytes = len(req)
	r, err := f.views.Parse(req)
	if err != nil {
		return nil, call, err
	}
	defer f.views.Free(r)
	call.identify(r)
	rsp, err = f.answer(ctx, r, dst, &call)
	if panicked := (*PanicError)(nil); errors.As(err, &panicked) {
		return nil, call, err
	}
	if err != nil {
		message := cut(err.Error())
		call.result(proto.Result{Severity: proto.SeverityFatal, Message: message})
		rsp = append(dst, proto.Fatal(r.Tag(), f.options.TTL, message)...)
	}
	call.ResponseBytes = len(rsp) - len(dst)
	return rsp, call, nil
}

// answer appends the response to a request to dst. An error becomes a fatal
// result.
func (f *Function) answer(ctx context.Context, r *proto.Request, dst []byte, call *Call) ([]byte, error) {
	e, err := f.entry(r, call)
	if err != nil {
		return nil, err
	}
	if e.compiled.err != nil {
		return nil, e.compiled.err
	}
	f.notify(e, e.compiled.program.Notices)
	m := f.memory.Get().(*fieldpath.Memory) //nolint:forcetypeassert // The pool has nothing else.
	defer func() {
		m.Reset()
		f.memory.Put(m)
	}()
	result, err := e.compiled.program.run(ctx, r, f.options.TTL, m)
	f.notify(e, result.notices)
	if err != nil {
		return nil, err
	}
	rsp, err := result.response.Append(dst)
	if err != nil {
		return nil, explainTooLarge(err)
	}
	for _, res := range result.response.Results {
		call.result(res)
	}
	return rsp, nil
}

// entry returns the compiled program of a request, from the cache if it is there.
func (f *Function) entry(r *proto.Request, call *Call) (*entry, error) {
	in := r.Input()
	if in == nil {
		return nil, errors.New("the request has no input; the pipeline step of the Composition needs one of kind Resources")
	}
	hash, err := in.Hash()
	if err != nil {
		return nil, fmt.Errorf("invalid input: %w", err)
	}
	e, hit := f.cache.get(hash, int64(in.Size()))
	call.CacheHit = hit
	e.once.Do(func() { e.compiled = compile(in) })
	return e, nil
}

// compile compiles an input. A panic is kept as its error, lest the next request
// finds a program that was never finished.
func compile(in *proto.Struct) (out compiled) {
	defer func() {
		if p := recover(); p != nil {
			out = compiled{err: &PanicError{Value: p, Stack: debug.Stack()}}
		}
	}()
	v, err := in.Value()
	if err != nil {
		return compiled{err: fmt.Errorf("invalid input: %w", err)}
	}
	program, errs := Compile(v)
	if len(errs) == 0 {
		return compiled{program: program}
	}
	problems := input.Describe(errs)
	if len(problems) == 1 {
		return compiled{err: errors.New("invalid input: " + problems[0])}
	}
	return compiled{err: fmt.Errorf("invalid input, %d problems:\n%s", len(problems), strings.Join(problems, "\n"))}
}

func (f *Function) notify(e *entry, notices []Notice) {
	for _, n := range notices {
		if _, told := e.notified.LoadOrStore(n.Place, true); !told {
			f.options.Notify(n)
		}
	}
}

func explainTooLarge(err error) error {
	var tl *proto.TooLargeError
	if !errors.As(err, &tl) {
		return err
	}
	return fmt.Errorf("the response would be larger than %d MiB, which Crossplane does not accept; "+
		"compose fewer or smaller resources in this step, or split the composite resource", MaxResponseBytes>>20)
}

// RunFunction answers a request held as a message, as Run does.
func (f *Function) RunFunction(ctx context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	b, err := gproto.Marshal(req)
	if err != nil {
		return nil, err
	}
	b, _, err = f.Run(ctx, b, nil)
	if err != nil {
		return nil, err
	}
	rsp := &fnv1.RunFunctionResponse{}
	return rsp, gproto.Unmarshal(b, rsp)
}

func (c *Call) identify(r *proto.Request) {
	xr := r.Observed().Composite().Object()
	text := func(path fieldpath.Path) string {
		v, _, err := xr.Get(path)
		if err != nil {
			return ""
		}
		s, _ := v.(string)
		return s
	}
	c.Tag = r.Tag()
	c.APIVersion, c.Kind = text(apiVersionPath), text(kindPath)
	c.Namespace, c.Name = text(namespaceOfXR), text(nameOfXR)
}

func (c *Call) result(r proto.Result) {
	c.Messages = append(c.Messages, r.Message)
	switch r.Severity {
	case proto.SeverityFatal:
		c.Fatal++
	case proto.SeverityWarning:
		c.Warnings++
	default:
		c.Normals++
	}
}

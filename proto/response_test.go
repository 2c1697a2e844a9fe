package proto

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// randomResponse returns a response to a request with overrides of every kind.
func randomResponse(t *testing.T, req *Request, rng *rand.Rand) *Response {
	t.Helper()
	r := &Response{Request: req, TTL: time.Duration(rng.Int64N(int64(time.Hour))), Resources: map[string]*Desired{}}
	maybe := func() bool { return rng.IntN(2) == 0 }
	if maybe() {
		r.Composite = randomDraft(t, rng)
	}
	if maybe() {
		r.CompositeReady = Ready(rng.IntN(3))
	}
	if maybe() {
		r.ConnectionDetails = map[string][]byte{"password": []byte("new"), "k": {}, "": {0xff}}
	}
	for _, key := range []string{"environment", "k", "new", ""} {
		if maybe() {
			r.Contexts = setContext(r.Contexts, key, randomContext(t, rng))
		}
	}
	for range rng.IntN(3) {
		r.Conditions = append(r.Conditions, randomCondition(rng))
	}
	for range rng.IntN(3) {
		r.LegacyRequirements = maybe()
		r.Requirements = setRequirement(r.Requirements, []string{"a", "b", "", "\xff"}[rng.IntN(4)], randomRequirement(rng))
	}
	for _, name := range append(req.Desired().Names(), "bucket", "new", "") {
		if maybe() {
			continue
		}
		d := &Desired{Ready: Ready(rng.IntN(3))}
		if maybe() {
			d.Object = randomDraft(t, rng)
		}
		if earlier, ok := req.Desired().Resource(name); ok && maybe() {
			d.Earlier = earlier
		}
		r.Resources[name] = d
	}
	for range rng.IntN(3) {
		r.Results = append(r.Results, Result{Severity: Severity(1 + rng.IntN(3)), Message: fmt.Sprint("message ", rng.IntN(100))})
	}
	return r
}

// randomDraft returns a draft over a base that is encoded, is not, or is none.
func randomDraft(t *testing.T, rng *rand.Rand) *fieldpath.Draft {
	t.Helper()
	base := randomObject(rng, 4)
	var d *fieldpath.Draft
	switch rng.IntN(3) {
	case 0:
		d = fieldpath.NewDraft(nil, nil, nil)
	case 1:
		d = fieldpath.NewDraft(fieldpath.Freeze(base), nil, nil)
	default:
		frozen, err := NewFreezer().Freeze(base)
		if err != nil {
			t.Fatal(err)
		}
		d = fieldpath.NewDraft(frozen, nil, nil)
	}
	for range rng.IntN(4) {
		paths := []string{"spec.a", "metadata.name", "a[2]", "spec", "metadata.labels[x]", "c.d", "spec.list[0].b", "k8s.io/x"}
		p := parse(t, paths[rng.IntN(len(paths))])
		_ = d.Set(p, randomValue(rng, 3)) // Not all can be set; what cannot is left out.
		if rng.IntN(3) == 0 {
			_ = d.Delete(p)
		}
	}
	return d
}

// onMessages does to messages what a Response does to bytes.
func onMessages(r *Response, req *fnv1.RunFunctionRequest) *fnv1.RunFunctionResponse {
	out := &fnv1.RunFunctionResponse{
		Meta:    &fnv1.ResponseMeta{Tag: req.GetMeta().GetTag(), Ttl: durationpb.New(r.TTL)},
		Desired: proto.CloneOf(req.GetDesired()),
		Context: proto.CloneOf(req.GetContext()),
	}
	composite := r.Composite != nil || r.CompositeReady != 0 || len(r.ConnectionDetails) > 0
	if out.Desired == nil && (composite || len(r.Resources) > 0) {
		out.Desired = &fnv1.State{}
	}
	if composite {
		if out.Desired.Composite == nil {
			out.Desired.Composite = &fnv1.Resource{}
		}
		override(out.Desired.Composite, r.Composite, r.CompositeReady)
		for k, v := range r.ConnectionDetails {
			if out.Desired.Composite.ConnectionDetails == nil {
				out.Desired.Composite.ConnectionDetails = map[string][]byte{}
			}
			out.Desired.Composite.ConnectionDetails[k] = v
		}
	}
	for name, d := range r.Resources {
		m := &fnv1.Resource{}
		if d.Earlier != nil {
			m = out.Desired.GetResources()[name]
		}
		override(m, d.Object, d.Ready)
		if out.Desired.Resources == nil {
			out.Desired.Resources = map[string]*fnv1.Resource{}
		}
		out.Desired.Resources[name] = m
	}
	contextsOnMessage(r, out)
	requirementsOnMessage(r, out)
	for _, c := range r.Conditions {
		out.Conditions = append(out.Conditions, conditionMessage(c))
	}
	for _, res := range r.Results {
		out.Results = append(out.Results, &fnv1.Result{
			Severity: fnv1.Severity(res.Severity), Message: res.Message, Target: fnv1.Target_TARGET_COMPOSITE.Enum(),
		})
	}
	return out
}

func override(m *fnv1.Resource, object *fieldpath.Draft, ready Ready) {
	if object != nil && !object.IsEmpty() {
		m.Resource = valueOf(object.Value()).GetStructValue()
	}
	if ready != 0 {
		m.Ready = fnv1.Ready(ready)
	}
}

// checkResponse checks that what is written means what the same response means
// that is made of messages.
func checkResponse(t *testing.T, b []byte, seed uint64) {
	t.Helper()
	req, err := ParseRequest(b)
	if err != nil {
		return
	}
	in := &fnv1.RunFunctionRequest{}
	if err := proto.Unmarshal(b, in); err != nil {
		t.Fatal(err)
	}
	r := randomResponse(t, req, rand.New(rand.NewPCG(seed, 7)))
	written, err := r.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	got, want := &fnv1.RunFunctionResponse{}, onMessages(r, in)
	if err := proto.Unmarshal(written, got); err != nil {
		t.Fatalf("the standard decoder refuses it: %v", err)
	}
	if !proto.Equal(got, want) {
		t.Fatalf("-want, +got:\n%s", cmp.Diff(want, got, protocmp.Transform()))
	}
	checkBounds(t, r, written)
}

// checkBounds checks that a response is the same each time, wherever it is
// appended, and that its size is bounded.
func checkBounds(t *testing.T, r *Response, written []byte) {
	t.Helper()
	for _, dst := range [][]byte{[]byte("before"), make([]byte, 3, len(written)+minRoom+3), make([]byte, 0, 4*len(written)+minRoom)} {
		again, err := r.Append(dst)
		if err != nil || !bytes.Equal(again, append(dst, written...)) {
			t.Fatalf("appended to %d of %d bytes it differs: %v", len(dst), cap(dst), err)
		}
	}
	r.MaxSize = len(written)
	if _, err := r.Append(nil); err != nil {
		t.Errorf("%v, but it has %d", err, len(written))
	}
	r.MaxSize = len(written) - 1
	if large := (*TooLargeError)(nil); !errors.As(second(r.Append(nil)), &large) {
		t.Errorf("written with %d bytes, beyond %d", len(written), r.MaxSize)
	}
}

func second(_ []byte, err error) error { return err }

func TestResponsesAreWrittenAsMessagesAre(t *testing.T) {
	for name, b := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(3) {
				checkResponse(t, b, seed)
			}
		})
	}
}

func FuzzResponse(f *testing.F) {
	for _, b := range oddRequests() {
		if len(b) < 4000 {
			f.Add(b, uint64(1))
		}
	}
	f.Add(marshal(f, usualRequest(2)), uint64(2))
	f.Fuzz(checkResponse)
}

func TestWhatIsNotOverriddenPassesThroughAsItLies(t *testing.T) {
	for name, b := range oddRequests() {
		req, err := ParseRequest(b)
		if err != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			r := &Response{Request: req}
			written, err := r.Append(nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range req.Desired().Names() {
				earlier, _ := req.Desired().Resource(name)
				if !bytes.Contains(written, req.index.bytes(earlier.body)) {
					t.Errorf("%q does not pass through byte for byte", name)
				}
			}
			if req.context != nil && !bytes.Contains(written, req.index.bytes(req.context.body)) {
				t.Error("the context does not pass through byte for byte")
			}
		})
	}
}

func TestValuesThatCannotBeWritten(t *testing.T) {
	deep := any("bottom")
	for range 5000 {
		deep = []any{deep}
	}
	cases := map[string]struct {
		value any
		want  string
	}{
		"Integer":     {int64(1<<53 + 1), "resources.bucket.spec.x: the integer 9007199254740993 cannot be held exactly"},
		"LargestInt":  {int64(math.MaxInt64), "cannot be held exactly"},
		"NotANumber":  {[]any{1.5, math.NaN()}, "resources.bucket.spec.x[1]: the number is infinite or none"},
		"NotUTF8":     {map[string]any{"a.b": "\xff"}, "resources.bucket.spec.x[a.b]: the text is not UTF-8"},
		"KeyNotUTF8":  {map[string]any{"\xff": "x"}, "the key is not UTF-8"},
		"AnotherType": {int32(1), "resources.bucket.spec.x: a int32 is no JSON value"},
		"TooDeep":     {deep, "nested more than"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := fieldpath.NewDraft(nil, nil, nil)
			if err := d.Set(parse(t, "spec.x"), tc.value); err != nil {
				t.Fatal(err)
			}
			_, err := (&Response{Resources: map[string]*Desired{"bucket": {Object: d}}}).Append(nil)
			if value := (*ValueError)(nil); !errors.As(err, &value) || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want %s", err, tc.want)
			}
			if _, err := NewFreezer().Freeze(tc.value); err == nil {
				t.Error("it is frozen")
			}
		})
	}
}

// A value that is there a million times costs no more than the bound allows.
func TestAliasedValuesAreBounded(t *testing.T) {
	v := any(strings.Repeat("x", 1000))
	for range 20 {
		v = []any{v, v, v, v}
	}
	d := fieldpath.NewDraft(fieldpath.Freeze(map[string]any{"v": v}), nil, nil)
	_, err := (&Response{Composite: d, MaxSize: 1 << 20}).Append(nil)
	if large := (*TooLargeError)(nil); !errors.As(err, &large) || large.Max != 1<<20 {
		t.Errorf("error %v", err)
	}
}

func TestFreezeEncodesEveryLevel(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 9))
	for range 200 {
		f, err := NewFreezer().Freeze(randomObject(rng, 5))
		if err != nil {
			t.Fatal(err)
		}
		checkFrozen(t, f)
	}
}

func checkFrozen(t *testing.T, f *fieldpath.Frozen) {
	t.Helper()
	want, err := proto.MarshalOptions{Deterministic: true}.Marshal(valueOf(f.Value))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(f.Encoded, want) {
		t.Fatalf("%v is encoded as %x, want %x", f.Value, f.Encoded, want)
	}
	for i := range f.Below {
		checkFrozen(t, &f.Below[i])
	}
}

func TestFatalHoldsOnlyResults(t *testing.T) {
	got := &fnv1.RunFunctionResponse{}
	if err := proto.Unmarshal(Fatal("tag", -1500*time.Millisecond, "one", "two \xff"), got); err != nil {
		t.Fatal(err)
	}
	want := &fnv1.RunFunctionResponse{
		Meta: &fnv1.ResponseMeta{Tag: "tag", Ttl: durationpb.New(-1500 * time.Millisecond)},
		Results: []*fnv1.Result{
			{Severity: fnv1.Severity_SEVERITY_FATAL, Message: "one", Target: fnv1.Target_TARGET_COMPOSITE.Enum()},
			{Severity: fnv1.Severity_SEVERITY_FATAL, Message: "two \uFFFD", Target: fnv1.Target_TARGET_COMPOSITE.Enum()},
		},
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("-want, +got:\n%s", diff)
	}
}

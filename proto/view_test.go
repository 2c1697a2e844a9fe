package proto

import (
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// checkView checks that a view has field by field what the whole object has,
// whichever of both was asked first.
func checkView(t *testing.T, place string, v View, whole map[string]any) {
	t.Helper()
	if value, err := v.Value(); err != nil || !reflect.DeepEqual(value, whole) {
		t.Errorf("%s: value %v, error %v, want %v", place, value, err, whole)
	}
	checkFields(t, place, v, whole)
}

func checkFields(t *testing.T, place string, v View, whole map[string]any) {
	t.Helper()
	keys, err := v.Keys()
	if err != nil || !slices.Equal(keys, slices.Sorted(mapsKeys(whole))) {
		t.Fatalf("%s: keys %q, error %v", place, keys, err)
	}
	for _, k := range keys {
		got, found, err := v.Field(k)
		if !found || err != nil {
			t.Fatalf("%s.%s: found %v, error %v", place, k, found, err)
		}
		below, isView := got.(View)
		object, isObject := whole[k].(map[string]any)
		switch {
		case isView != isObject:
			t.Fatalf("%s.%s: a %T of a %T", place, k, got, whole[k])
		case isView:
			if again, _, _ := v.Field(k); again != got {
				t.Errorf("%s.%s: there are two views on it", place, k)
			}
			checkFields(t, place, below, object)
		case !reflect.DeepEqual(got, whole[k]):
			t.Errorf("%s.%s: got %v, want %v", place, k, got, whole[k])
		}
	}
	if _, found, err := v.Field("there is none of this name"); found || err != nil {
		t.Errorf("%s: found what is not there, error %v", place, err)
	}
}

// checkViews checks the views on all objects of a request that have no values
// that JSON does not have.
func checkViews(t *testing.T, r *Request) {
	t.Helper()
	objects := map[string]*Struct{"input": r.Input(), "composite": r.Observed().Composite().Object()}
	for _, name := range r.Desired().Names() {
		resource, _ := r.Desired().Resource(name)
		objects["desired "+name] = resource.Object()
	}
	for place, o := range objects {
		if whole, err := o.Value(); err == nil {
			checkView(t, place, o.View(), whole)
		}
	}
	context := r.ContextView()
	if whole, err := context.Value(); err == nil {
		checkView(t, "context", context, whole)
	}
	if keys, _ := context.Keys(); !slices.Equal(r.ContextKeys(), keys) {
		t.Errorf("context keys %q, want %q", r.ContextKeys(), keys)
	}
}

func TestViewsHaveWhatTheObjectsHave(t *testing.T) {
	views := &Views{} // The same memory for all.
	for name, b := range corpus(t) {
		t.Run(name, func(t *testing.T) {
			r, err := views.Parse(b)
			if err != nil {
				return
			}
			checkViews(t, r)
			views.Free(r)
		})
	}
}

func FuzzView(f *testing.F) {
	for _, b := range oddRequests() {
		if len(b) < 4000 {
			f.Add(b)
		}
	}
	f.Add(marshal(f, usualRequest(1)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if r, err := ParseRequest(b); err == nil {
			checkViews(t, r)
		}
	})
}

func TestViewsOfNothingAreEmpty(t *testing.T) {
	r, err := ParseRequest(rec(5, kv("text", text("x"))))
	if err != nil {
		t.Fatal(err)
	}
	scalar, _ := r.Context("text")
	for name, v := range map[string]View{
		"zero": {}, "no input": r.Input().View(), "no composite": r.Observed().Composite().Object().View(), "a text": scalar.View(),
	} {
		checkView(t, name, v, map[string]any{})
	}
	if v, found, err := r.ContextView().Field("text"); v != "x" || !found || err != nil {
		t.Errorf("got %v, %v, %v", v, found, err)
	}
}

func TestViewsSayWhereAValueIsBad(t *testing.T) {
	infinite := list(item(text("x")), item(double(2, math.Inf(1))))
	r, err := ParseRequest(input(kv("spec", object(kv("a.b"), kv("list", infinite), kv("good", text("x"))))))
	if err != nil {
		t.Fatal(err)
	}
	field, _, _ := r.Input().View().Field("spec")
	spec, ok := field.(View)
	if !ok {
		t.Fatalf("spec is a %T", field)
	}
	for key, want := range map[string]string{"a.b": "[a.b]: the value has no kind", "list": "list[1]: the number is infinite"} {
		_, found, err := spec.Field(key)
		if bad := (*ValueError)(nil); found || !errors.As(err, &bad) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: found %v, error %v, want %s", key, found, err, want)
		}
	}
	if v, _, err := spec.Field("good"); v != "x" || err != nil {
		t.Errorf("beside a bad value: %v, %v", v, err)
	}
	if _, err := r.Input().View().Value(); err == nil {
		t.Error("the whole has no error")
	}
}

// Views on many objects are made in blocks, and stay what they are.
func TestManyViews(t *testing.T) {
	fields := make([][]byte, 5*mostViews)
	for i := range fields {
		fields[i] = kv(string(rune('a'+i)), object(kv("i", double(2, float64(i)))))
	}
	views := &Views{}
	for range 3 {
		r, err := views.Parse(input(fields...))
		if err != nil {
			t.Fatal(err)
		}
		all := make([]any, len(fields))
		for i := range fields {
			all[i], _, _ = r.Input().View().Field(string(rune('a' + i)))
		}
		for i, v := range all {
			if got, _, err := v.(View).Field("i"); got != int64(i) || err != nil {
				t.Fatalf("view %d has %v, error %v", i, got, err)
			}
		}
		views.Free(r)
	}
}

func TestViewsAllocateNothing(t *testing.T) {
	r := viewedRequest(t)
	if n := testing.AllocsPerRun(100, func() { chain(t, r.Observed().Composite().Object().View(), "spec", "settings") }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkView(b *testing.B) {
	r := viewedRequest(b)
	o := r.Observed().Composite().Object()
	text := []fieldpath.Path{parse(b, "spec.settings.key33")}
	b.Run("object", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			chain(b, o.View(), "spec", "settings")
		}
	})
	b.Run("text", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			chain(b, o.View(), "spec", "settings", "key33")
		}
	})
	b.Run("text by path", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			get(b, o, text)
		}
	})
	request := marshal(b, usualRequest(1))
	views := &Views{}
	b.Run("of a new request", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			r, err := views.Parse(request)
			if err != nil {
				b.Fatal(err)
			}
			chain(b, r.Observed().Composite().Object().View(), "spec", "settings")
			views.Free(r)
		}
	})
}

func viewedRequest(t testing.TB) *Request {
	t.Helper()
	r, err := ParseRequest(marshal(t, usualRequest(1)))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// chain looks up one key after the other.
func chain(t testing.TB, v View, keys ...string) {
	for _, k := range keys {
		value, found, err := v.Field(k)
		if !found || err != nil {
			t.Fatalf("%s: found %v, error %v", k, found, err)
		}
		v, _ = value.(View)
	}
}

// The keys of the context are those of all kinds of values, in order.
func TestContextKeys(t *testing.T) {
	r, err := ParseRequest(oddRequests()["context of every kind"])
	if err != nil {
		t.Fatal(err)
	}
	want := &fnv1.RunFunctionRequest{}
	if err := proto.Unmarshal(oddRequests()["context of every kind"], want); err != nil {
		t.Fatal(err)
	}
	if got := r.ContextKeys(); !slices.Equal(got, slices.Sorted(mapsKeys(want.GetContext().GetFields()))) {
		t.Errorf("context keys %q", got)
	}
}

package proto

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// checkRequest checks that a view reads of any bytes what the standard decoder
// reads, and refuses what it refuses.
func checkRequest(t *testing.T, b []byte) {
	t.Helper()
	want := &fnv1.RunFunctionRequest{}
	wantErr := proto.Unmarshal(b, want)
	got, err := ParseRequest(b)
	if (err != nil) != (wantErr != nil) {
		t.Fatalf("ParseRequest: error %v, the standard decoder: %v", err, wantErr)
	}
	if err != nil {
		return
	}
	if got.Tag() != want.GetMeta().GetTag() {
		t.Errorf("tag %q, want %q", got.Tag(), want.GetMeta().GetTag())
	}
	for c := int32(-2); c < 12; c++ {
		if has := slices.Contains(want.GetMeta().GetCapabilities(), fnv1.Capability(c)); got.HasCapability(c) != has {
			t.Errorf("capability %d: %v, want %v", c, !has, has)
		}
	}
	if (got.Input() == nil) != (want.GetInput() == nil) {
		t.Fatalf("input is nil: %v", got.Input() == nil)
	}
	checkStruct(t, "input", got.Input(), want.GetInput())
	checkState(t, "observed", got.Observed(), want.GetObserved())
	checkState(t, "desired", got.Desired(), want.GetDesired())
	checkRequired(t, got, want)
	for k, v := range want.GetContext().GetFields() {
		s, ok := got.Context(k)
		_, null := v.GetKind().(*structpb.Value_NullValue)
		if ok == null {
			t.Errorf("context %q: found %v", k, ok)
		}
		if o := v.GetStructValue(); o != nil {
			checkStruct(t, "context "+k, s, o)
		} else if _, err := s.Value(); ok && err == nil {
			t.Errorf("context %q: no object but no error", k)
		}
	}
}

// checkRequired compares what the function asked for.
func checkRequired(t *testing.T, got *Request, want *fnv1.RunFunctionRequest) {
	t.Helper()
	all := map[string]*fnv1.Resources{}
	maps.Copy(all, want.GetExtraResources()) //nolint:staticcheck // What older ones send.
	maps.Copy(all, want.GetRequiredResources())
	for name, resources := range all {
		items, ok := got.RequiredResources(name)
		if !ok || len(items) != len(resources.GetItems()) {
			t.Fatalf("required resources %q: found %v, %d of %d", name, ok, len(items), len(resources.GetItems()))
		}
		for i, r := range items {
			checkResource(t, "required "+name, r, resources.GetItems()[i])
		}
	}
	for name, credentials := range want.GetCredentials() {
		data, ok := got.Credentials(name)
		if !ok || len(data) != len(credentials.GetCredentialData().GetData()) {
			t.Fatalf("credentials %q: found %v, %d of %d", name, ok, len(data), len(credentials.GetCredentialData().GetData()))
		}
		for k, v := range credentials.GetCredentialData().GetData() {
			if !bytes.Equal(data[k], v) {
				t.Errorf("credentials %q: %q is %q, want %q", name, k, data[k], v)
			}
		}
	}
	const none = "there is none of this name"
	if _, ok := got.RequiredResources(none); ok {
		t.Error("required resources that are not there")
	}
	if _, ok := got.Credentials(none); ok {
		t.Error("credentials that are not there")
	}
}

func checkState(t *testing.T, place string, got *State, want *fnv1.State) {
	t.Helper()
	names := slices.Sorted(mapsKeys(want.GetResources()))
	if !slices.Equal(got.Names(), names) {
		t.Fatalf("%s: names %q, want %q", place, got.Names(), names)
	}
	checkResource(t, place+" composite", got.Composite(), want.GetComposite())
	for _, name := range names {
		r, ok := got.Resource(name)
		if !ok {
			t.Fatalf("%s: no resource %q", place, name)
		}
		checkResource(t, place+" "+name, r, want.GetResources()[name])
	}
	if _, ok := got.Resource("there is none of this name"); ok {
		t.Errorf("%s: a resource that is not there", place)
	}
}

func mapsKeys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func checkResource(t *testing.T, place string, got *Resource, want *fnv1.Resource) {
	t.Helper()
	if int32(got.Ready()) != int32(want.GetReady()) {
		t.Errorf("%s: ready %d, want %d", place, got.Ready(), want.GetReady())
	}
	details := got.ConnectionDetails()
	if len(details) != len(want.GetConnectionDetails()) {
		t.Errorf("%s: %d connection details, want %d", place, len(details), len(want.GetConnectionDetails()))
	}
	for k, v := range want.GetConnectionDetails() {
		if one, ok := got.ConnectionDetail(k); !ok || !bytes.Equal(one, v) || !bytes.Equal(details[k], v) {
			t.Errorf("%s: connection detail %q is %q, want %q", place, k, one, v)
		}
	}
	checkStruct(t, place, got.Object(), want.GetResource())
}

// checkStruct compares the whole of a Struct and what is at each of its paths.
func checkStruct(t *testing.T, place string, got *Struct, want *structpb.Struct) {
	t.Helper()
	plain, good := plainStruct(want)
	v, err := got.Value()
	if (err == nil) != good {
		t.Fatalf("%s: error %v, want an error: %v", place, err, !good)
	}
	if good && !reflect.DeepEqual(v, plain) {
		t.Fatalf("%s:\n got %v\nwant %v", place, v, plain)
	}
	for _, p := range pathsOf(plain) {
		v, found, err := got.Get(p)
		wantV, wantFound, wantErr := fieldpath.Value{Any: plain}.Get(p)
		switch {
		case isBad(wantV) || wantErr != nil:
			if err == nil {
				t.Fatalf("%s: %s: no error, want %v", place, p, wantErr)
			}
			if good && err.Error() != wantErr.Error() {
				t.Fatalf("%s: %s: error %v, want %v", place, p, err, wantErr)
			}
		case err != nil:
			t.Fatalf("%s: %s: %v", place, p, err)
		case found != wantFound || !reflect.DeepEqual(v, wantV):
			t.Fatalf("%s: %s: got %v %v, want %v %v", place, p, v, found, wantV, wantFound)
		}
	}
}

// bad stands for a value that JSON does not have.
type bad struct{}

func isBad(v any) bool {
	switch t := v.(type) {
	case bad:
		return true
	case []any:
		return slices.ContainsFunc(t, isBad)
	case map[string]any:
		for _, e := range t {
			if isBad(e) {
				return true
			}
		}
	}
	return false
}

func plainStruct(s *structpb.Struct) (map[string]any, bool) {
	m := make(map[string]any, len(s.GetFields()))
	for k, v := range s.GetFields() {
		m[k] = plainValue(v)
	}
	return m, !isBad(m)
}

func plainValue(v *structpb.Value) any {
	switch t := v.GetKind().(type) {
	case *structpb.Value_NullValue:
		return nil
	case *structpb.Value_BoolValue:
		return t.BoolValue
	case *structpb.Value_StringValue:
		return t.StringValue
	case *structpb.Value_NumberValue:
		n := t.NumberValue
		switch {
		case math.IsNaN(n) || math.IsInf(n, 0):
			return bad{}
		case n == math.Trunc(n) && math.Abs(n) < 1<<63:
			return int64(n)
		}
		return n
	case *structpb.Value_ListValue:
		a := make([]any, 0, len(t.ListValue.GetValues()))
		for _, e := range t.ListValue.GetValues() {
			a = append(a, plainValue(e))
		}
		return a
	case *structpb.Value_StructValue:
		m, _ := plainStruct(t.StructValue)
		return m
	}
	return bad{}
}

// maxPaths bounds the paths that are tried of an object.
const maxPaths = 200

// pathsOf returns paths to what is in an object, next to it and through it, with
// wildcards too.
func pathsOf(o map[string]any) []fieldpath.Path {
	paths := []fieldpath.Path{{}}
	addPaths(&paths, fieldpath.Path{}, o)
	for _, p := range slices.Clone(paths) {
		paths = append(paths, p.Child("absent"), p.Element(7))
		paths = append(paths, itemsAt(p, o)...)
	}
	for _, text := range []string{"*", "[*][*]", "a[*].x", "[*].a", "spec[*].name", "spec.subnets[*].id", "[*][a=x]",
		"a[x=80]", "a[x='80'].y", "a[x=true].y", "a[x=1.5].y", "a[x=x]"} {
		if p, err := fieldpath.Parse(text); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

// itemsAt returns paths to the elements of an array by what is in them, written
// with quotes and without, and to one that is not there.
func itemsAt(at fieldpath.Path, o map[string]any) []fieldpath.Path {
	v, _, _ := fieldpath.Value{Any: o}.Get(at)
	texts := []string{"[absent=x]"}
	elements, _ := v.([]any)
	for _, e := range elements[:min(len(elements), 5)] {
		object, _ := e.(map[string]any)
		for k, v := range object {
			texts = append(texts, fmt.Sprintf("[%s=%v]", k, v), fmt.Sprintf("[%s='%v'].%s", k, v, k))
		}
	}
	var paths []fieldpath.Path
	for _, text := range texts {
		if p, err := fieldpath.Parse(at.String() + text); err == nil {
			paths = append(paths, p)
		}
	}
	return paths
}

func addPaths(paths *[]fieldpath.Path, at fieldpath.Path, v any) {
	if len(at.Segments()) > 40 {
		return
	}
	add := func(p fieldpath.Path, v any) {
		if len(*paths) < maxPaths {
			*paths = append(*paths, p)
			addPaths(paths, p, v)
		}
	}
	switch t := v.(type) {
	case []any:
		for i, e := range t {
			add(at.Element(i), e)
		}
	case map[string]any:
		for k, e := range t {
			add(at.Child(k), e)
		}
	}
}

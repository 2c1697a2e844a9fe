package proto

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

func TestRequestsAreReadAsTheStandardDecoderReadsThem(t *testing.T) {
	for name, b := range corpus(t) {
		t.Run(name, func(t *testing.T) { checkRequest(t, b) })
	}
}

func FuzzRequest(f *testing.F) {
	for _, b := range oddRequests() {
		if len(b) < 4000 {
			f.Add(b)
		}
	}
	f.Add(marshal(f, usualRequest(1)))
	f.Fuzz(checkRequest)
}

func TestSyntaxErrorsSayWhere(t *testing.T) {
	cases := map[string]struct {
		request []byte
		want    string
	}{
		"Tag":        {rec(1, txt(1, "\xff")), `no RunFunctionRequest: meta.tag (byte 4): text is not UTF-8`},
		"InAnObject": {rec(2, rec(1, rec(1, kv("spec", object(kv("x", text("\xff"))))))), `observed.composite.resource["spec"]["x"] (byte`},
		"InAList":    {input(kv("list", list(item(text("a")), item(text("\xff"))))), `input["list"]["1"]`},
		"InAResource": {
			rec(3, rec(2, txt(1, "bucket"), rec(2, []byte{1<<3 | 2, 9}))),
			`desired.resources["bucket"].resource (byte 15): longer than what it is in`,
		},
		"Tags":    {[]byte{0x80}, `no RunFunctionRequest: byte 0: malformed tag`},
		"Unknown": {[]byte{100<<1 | 7}, `malformed`},
		"Nesting": {oddRequests()["lists 4999 deep"], `nested more than 10000 deep`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := ParseRequest(tc.request)
			if syntax := (*SyntaxError)(nil); !errors.As(err, &syntax) {
				t.Fatalf("error %v is no *SyntaxError", err)
			}
			if !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %q does not have %q", err, tc.want)
			}
			if len(err.Error()) > 2000 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestValueErrorsSayWhere(t *testing.T) {
	cases := map[string]struct{ path, want string }{
		"TheNumberItself": {"spec.list[1]", "spec.list[1]: the number is infinite"},
		"WhatIsAroundIt":  {"spec", "spec[a.b]: the value has no kind"},
		"WithoutKind":     {"spec[a.b]", "spec[a.b]: the value has no kind"},
		"ThroughIt":       {"spec[a.b].c", "spec[a.b]: the value has no kind"},
		"ByAWildcard":     {"spec.list[*]", "spec.list[*]: the number is infinite"},
	}
	list := list(item(text("x")), item(double(2, math.Inf(1))))
	r, err := ParseRequest(input(kv("spec", object(kv("list", list), kv("a.b")))))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, _, err := r.Input().Get(parse(t, tc.path))
			if value := (*ValueError)(nil); !errors.As(err, &value) || !strings.HasPrefix(err.Error(), tc.want) {
				t.Errorf("error %v, want %s", err, tc.want)
			}
		})
	}
	if v, _, err := r.Input().Get(parse(t, "spec.list[0]")); err != nil || v != "x" {
		t.Errorf("beside a bad value: %v, %v", v, err)
	}
}

func TestNothingIsReadOfAnEmptyRequest(t *testing.T) {
	r, err := ParseRequest(nil)
	if err != nil {
		t.Fatal(err)
	}
	path := parse(t, "spec.x")
	for _, s := range []*Struct{r.Input(), r.Observed().Composite().Object(), r.Desired().Composite().Object()} {
		if _, found, err := s.Get(path); found || err != nil {
			t.Errorf("found %v, error %v", found, err)
		}
		if v, err := s.Value(); err != nil || len(v) != 0 {
			t.Errorf("value %v, error %v", v, err)
		}
		if _, err := s.Hash(); err != nil {
			t.Error(err)
		}
	}
	if _, ok := r.Context("x"); ok {
		t.Error("found a context")
	}
	if _, ok := r.Observed().Resource("x"); ok {
		t.Error("found a resource")
	}
	if _, ok := r.Observed().Composite().ConnectionDetail("x"); ok {
		t.Error("found a connection detail")
	}
}

func TestAContextThatIsNoObject(t *testing.T) {
	r, err := ParseRequest(oddRequests()["context of every kind"])
	if err != nil {
		t.Fatal(err)
	}
	s, ok := r.Context("text")
	if !ok {
		t.Fatal("not found")
	}
	_, _, err = s.Get(parse(t, "a"))
	if wrong := (*fieldpath.TypeError)(nil); !errors.As(err, &wrong) || wrong.Got != "string" {
		t.Errorf("error %v", err)
	}
}

// An attacker's object of many keys must not make lookups slow: each is about as
// fast in a large object as in a small one.
func TestManyLookupsInAWideObject(t *testing.T) {
	const n = 50_000
	r, err := ParseRequest(input(slices.Concat(manyFields(n)...)))
	if err != nil {
		t.Fatal(err)
	}
	p := fieldpath.Fields("key77")
	for range n {
		if v, found, err := r.Input().Get(p); err != nil || !found || v != int64(77) {
			t.Fatalf("got %v %v %v", v, found, err)
		}
	}
}

func parse(t testing.TB, text string) fieldpath.Path {
	t.Helper()
	p, err := fieldpath.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

package fieldpath

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	field := func(s string) Segment { return Segment{Kind: Field, Field: s} }
	index := func(i int) Segment { return Segment{Kind: Index, Index: i} }
	all := Segment{Kind: Wildcard}
	cases := map[string][]Segment{
		"metadata":                     {field("metadata")},
		"metadata.name":                {field("metadata"), field("name")},
		"spec.items[0][8].x":           {field("spec"), field("items"), index(0), index(8), field("x")},
		"[42]":                         {index(42)},
		"data[.config.yml]":            {field("data"), field(".config.yml")},
		"a[example.org/x]":             {field("a"), field("example.org/x")},
		"a['example.org/x'].b":         {field("a"), field("example.org/x"), field("b")},
		`a["b"]`:                       {field("a"), field("b")},
		"a['0']":                       {field("a"), field("0")},
		"a['*']":                       {field("a"), field("*")},
		"a['b]c']":                     {field("a"), field("b]c")},
		"a[*].b":                       {field("a"), all, field("b")},
		"a.*.b":                        {field("a"), all, field("b")},
		"a.0":                          {field("a"), field("0")},
		"a[0]b":                        {field("a"), index(0), field("b")},
		"größe.☃":                      {field("größe"), field("☃")},
		"spec.containers[0].args[007]": {field("spec"), field("containers"), index(0), field("args"), index(7)},
	}
	for text, want := range cases {
		p, err := Parse(text)
		if err != nil {
			t.Errorf("Parse(%q): %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, p.Segments()); diff != "" {
			t.Errorf("Parse(%q): -want +got\n%s", text, diff)
		}
		if p.String() != text {
			t.Errorf("Parse(%q).String() = %q", text, p.String())
		}
	}
}

func TestParseErrors(t *testing.T) {
	cases := map[string]struct {
		position int
		problem  string
	}{
		".spec":          {0, "unexpected '.'"},
		"spec.":          {4, "unexpected '.'"},
		"spec..size":     {5, "unexpected '.'"},
		"spec.[0]":       {5, "unexpected '['"},
		"spec[]":         {5, "unexpected ']'"},
		"spec[x":         {4, "unterminated '['"},
		"spec]":          {4, "unexpected ']'"},
		"spec[a[0]]":     {6, "unexpected '['"},
		"a['']":          {1, "empty field name"},
		"a[99999999999]": {2, "the index is too large"},
	}
	for text, want := range cases {
		_, err := Parse(text)
		var se *SyntaxError
		if !errors.As(err, &se) {
			t.Errorf("Parse(%q): error %v is no SyntaxError", text, err)
			continue
		}
		if se.Position != want.position || se.Problem != want.problem {
			t.Errorf("Parse(%q): %q at %d, want %q at %d", text, se.Problem, se.Position, want.problem, want.position)
		}
	}
	if _, err := Parse(""); err == nil || err.Error() != "a field path must not be empty" {
		t.Errorf("Parse of nothing: %v", err)
	}
}

func TestPrefixIsWrittenSoThatItParsesAgain(t *testing.T) {
	for _, text := range []string{"a.b[0][*].c[d.e]['0']['*']['x]y'].z.tail", `a[b=c][b='c]'][b="c']"]['a.b=c'].d=e.tail`} {
		p, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		for n := 1; n < len(p.Segments()); n++ {
			prefix := p.Prefix(n)
			again, err := Parse(prefix.String())
			if err != nil {
				t.Fatalf("prefix %q: %v", prefix, err)
			}
			if diff := cmp.Diff(prefix.Segments(), again.Segments()); diff != "" {
				t.Errorf("prefix %q: -want +got\n%s", prefix, diff)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"a.b", "a[0]", "a[*].b", "a['x.y']", "[1", "a..b", `a["]`, "a[0]b.c", "a[b=1].c", "a[n='x'].n",
		`a[b="']"]`, "a[n=z][$key]", "b[n=$index].c", "a['b.c=d']", "[a=b", "a[*][$index]"} {
		f.Add(s)
	}
	doc := map[string]any{"a": []any{map[string]any{"b": int64(1), "n": "x"}, "x", map[string]any{"n": "y"}}, "b": nil}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err != nil {
			return
		}
		if strings.Contains(s, "']") && strings.Contains(s, `"]`) {
			return // A field with both in its name has no form to be written in.
		}
		for _, p := range []Path{{segments: p.segments}, p.Bind(s, 3)} {
			again, err := Parse(p.String())
			if err != nil || !cmp.Equal(p.segments, again.segments) {
				t.Fatalf("%q does not parse to itself: %q, %v", s, again, err)
			}
		}
		_, found, err := Value{doc}.Get(p)
		if found && err != nil {
			t.Fatalf("%q is found and fails: %v", s, err)
		}
		d := NewDraft(Freeze(doc), NewBudget(1e6), nil)
		if err := d.Delete(p); err == nil && !found && !cmp.Equal(d.Value(), any(doc)) {
			t.Fatalf("%q is not there, and deleting it gives %v", s, d.Value())
		}
		d = NewDraft(Freeze(doc), NewBudget(1e6), nil)
		if d.Set(p, "new") != nil {
			return
		}
		if v, found, err := d.Get(p); err != nil || (found && !p.HasWildcard() && v != "new") {
			t.Fatalf("%q was set and is %v, %v, %v", s, v, found, err)
		}
	})
}

package input

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestListItem(t *testing.T) {
	cases := map[string]struct {
		parent *field.Path
		name   string
		want   string
	}{
		"Named":      {name: "bucket", want: `sets[2] ("bucket")`},
		"Unnamed":    {want: `sets[2]`},
		"Nested":     {parent: field.NewPath("a"), name: "b", want: `a.sets[2] ("b")`},
		"Unreadable": {name: "a\n\"b", want: `sets[2] ("a\n\"b")`},
		"Long":       {name: strings.Repeat("x", 100), want: `sets[2] ("` + strings.Repeat("x", 59) + `…)`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := ListItem(c.parent, "sets", 2, c.name).String(); got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
}

func TestDidYouMean(t *testing.T) {
	valid := []string{"fromFieldPath", "toFieldPath", "policy", "fmt", "MatchTrue", "MatchFalse"}
	cases := map[string]string{
		"toFieldPat":                       "toFieldPath",
		"toFieldpath":                      "toFieldPath",
		"TOFIELDPATH":                      "toFieldPath",
		"fieldPath":                        "toFieldPath",
		"formFieldPath":                    "fromFieldPath",
		"plociy":                           "policy",
		"ftm":                              "fmt",
		"matchtru":                         "MatchTrue",
		"MatchFals":                        "MatchFalse",
		"":                                 "",
		"x":                                "",
		"patches":                          "",
		strings.Repeat("toFieldPath", 100): "",
	}
	for got, want := range cases {
		if want != "" {
			want = `did you mean "` + want + `"?`
		}
		if hint := DidYouMean(got, valid); hint != want {
			t.Errorf("%q: got %q, want %q", got, hint, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	at := func(t field.ErrorType, place, text string) *field.Error {
		return &field.Error{Type: t, Field: place, Detail: text}
	}
	errs := field.ErrorList{
		at(field.ErrorTypeTypeInvalid, "a.b[0]", "must be a string"),
		at(field.ErrorTypeForbidden, "c", "two\nlines"),
		at(field.ErrorTypeRequired, "a.b[0]", "follows"),
		at(field.ErrorTypeRequired, "a.b[0].c", "follows"),
		at(field.ErrorTypeRequired, "a.b[0][1]", "follows"),
		at(field.ErrorTypeRequired, "a.b[01]", "is another place"),
		at(field.ErrorTypeRequired, "a.b", "is further out"),
		at(field.ErrorTypeInvalid, "c", "is also wrong"),
		at(field.ErrorTypeInvalid, "d", strings.Repeat("x", 5000)),
	}
	want := []string{
		"a.b[0]: must be a string",
		"c: two lines",
		"a.b[01]: is another place",
		"a.b: is further out",
		"c: is also wrong",
		"d: " + strings.Repeat("x", maxLine-3) + "…",
	}
	if d := cmp.Diff(want, Describe(errs)); d != "" {
		t.Errorf("lines (-want +got):\n%s", d)
	}
}

func TestDescribeMany(t *testing.T) {
	errs := field.ErrorList{}
	for range 150 {
		errs = append(errs, &field.Error{Type: field.ErrorTypeInvalid, Field: "a", Detail: "b"})
	}
	lines := Describe(append(errs, andMore(7)))
	if got, want := lines[len(lines)-1], "and 57 more"; got != want || len(lines) != maxProblems+1 {
		t.Errorf("%d lines, the last is %q, want %q", len(lines), got, want)
	}
}

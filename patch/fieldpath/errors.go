package fieldpath

import (
	"fmt"
	"strconv"
)

// maxShownPath is how much of a path that does not parse is shown.
const maxShownPath = 120

// SyntaxError says what is wrong with the text of a path, and at which byte.
type SyntaxError struct {
	Text     string
	Position int
	Problem  string
}

func (e *SyntaxError) Error() string {
	if e.Text == "" {
		return "a field path must not be empty"
	}
	text := strconv.Quote(e.Text)
	if len(text) > maxShownPath {
		text = string(cutRunes([]byte(text), maxShownPath)) + "…"
	}
	return fmt.Sprintf("%s is no field path: %s at position %d; write it like spec.items[0].name or metadata.annotations[example.org/name]",
		text, e.Problem, e.Position)
}

// TypeError says that a path leads through a value of the wrong kind.
type TypeError struct {
	Path      Path
	Want, Got string
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("%snot %s but %s", place(e.Path), article(e.Want), article(e.Got))
}

// mismatch returns the *TypeError of a segment that leads through another kind of
// value.
func (p Path) mismatch(depth int, got string) error {
	want := "array or object"
	switch p.segments[depth].Kind {
	case Field:
		want = "object"
	case Index:
		want = "array"
	}
	return &TypeError{Path: p.Prefix(depth), Want: want, Got: got}
}

// MissingError says that there is nothing at a path that something must be at.
type MissingError struct {
	Path Path
	Want string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("%sno such field; a wildcard needs %s there", place(e.Path), article(e.Want))
}

// IndexError says that an array index is too large to be written to.
type IndexError struct{ Index int }

func (e *IndexError) Error() string {
	return fmt.Sprintf("index %d is greater than the largest allowed, %d", e.Index, MaxIndex)
}

// BudgetError says that a request wanted more work done than one request may.
type BudgetError struct{}

func (*BudgetError) Error() string {
	return "this takes more time or memory than a single request may use; patch less, or smaller values"
}

// ValueError says that a value cannot be used. The value is not shown if it is
// to be hidden, as the value of a Secret is.
type ValueError struct {
	Value   any
	Problem string
	Hint    string // may tell of the value, so it is hidden too
	Hide    bool
}

func (e *ValueError) Error() string {
	if e.Hide {
		return e.Problem + ", got a hidden value"
	}
	text := e.Problem + ", got " + Preview(e.Value)
	if e.Hint != "" {
		text += ", " + e.Hint
	}
	return text
}

// PlacedError puts a place before an error. Its text is made when it is asked
// for, so that the value in a *ValueError can still be hidden.
type PlacedError struct {
	Place string // with the punctuation that follows it
	Err   error
	Note  string // with the punctuation that is before it, may be empty
}

func (e *PlacedError) Error() string { return e.Place + e.Err.Error() + e.Note }

// Unwrap returns the error without the place.
func (e *PlacedError) Unwrap() error { return e.Err }

// place puts a path before a problem; the path of the whole has no name.
func place(p Path) string {
	if p.IsZero() {
		return ""
	}
	return p.String() + ": "
}

func article(kind string) string {
	switch kind {
	case "null", "nothing":
		return kind
	case "array", "object", "array or object":
		return "an " + kind
	}
	return "a " + kind
}

package proto

import (
	"fmt"
	"slices"
	"strings"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// maxTrail bounds the number of steps that an error's place has.
const maxTrail = 24

// SyntaxError says that bytes are no RunFunctionRequest: at which byte, in which
// field, and why.
type SyntaxError struct {
	Offset int
	Field  string
	Reason string
}

func (e *SyntaxError) Error() string {
	if e.Field == "" {
		return fmt.Sprintf("no RunFunctionRequest: byte %d: %s", e.Offset, e.Reason)
	}
	return fmt.Sprintf("no RunFunctionRequest: %s (byte %d): %s", e.Field, e.Offset, e.Reason)
}

// ValueError says that a value, at a path of its object, is none that JSON has
// or that protobuf can hold.
type ValueError struct {
	Path   fieldpath.Path
	Reason string
}

func (e *ValueError) Error() string {
	if e.Path.IsZero() {
		return e.Reason
	}
	return e.Path.String() + ": " + e.Reason
}

// TooLargeError says that a response would be larger than it may be.
type TooLargeError struct{ Max int }

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("the response is larger than the %d bytes it may have", e.Max)
}

// fault is an error on its way up from the place where it was found. Each level
// adds its step, so that a place costs nothing as long as there is no error.
type fault struct {
	offset int
	reason string
	large  bool // the response is too large, wherever this is
	trail  []step
}

// step leads to a named field, to a key of an object, or to an item of an array.
type step struct {
	name string
	key  string
	item int
}

func (f *fault) in(s step) *fault {
	if s != (step{}) {
		f.trail = append(f.trail, s)
	}
	return f
}

// outermost returns the first steps, from the outside in.
func (f *fault) outermost() []step {
	s := f.trail[max(0, len(f.trail)-maxTrail):]
	s = slices.Clone(s)
	slices.Reverse(s)
	return s
}

func (f *fault) syntaxError() *SyntaxError {
	b := strings.Builder{}
	for _, s := range f.outermost() {
		switch {
		case s.name == "":
			fmt.Fprintf(&b, "[%.60q]", s.key)
		case b.Len() > 0:
			b.WriteString("." + s.name)
		default:
			b.WriteString(s.name)
		}
	}
	return &SyntaxError{Offset: f.offset, Field: b.String(), Reason: f.reason}
}

// valueError returns the error for a value below a path.
func (f *fault) valueError(below fieldpath.Path) error {
	return &ValueError{Path: f.path(below), Reason: f.reason}
}

func (f *fault) path(p fieldpath.Path) fieldpath.Path {
	for _, s := range f.outermost() {
		if s.name == itemStep {
			p = p.Element(s.item)
			continue
		}
		p = p.Child(s.key)
	}
	return p
}

// itemStep is the name of a step to an item of an array.
const itemStep = "[]"

func inKey(key string) step { return step{key: key} }
func inItem(i int) step     { return step{name: itemStep, item: i} }

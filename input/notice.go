package input

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Notice tells that something in the input is legal and has no effect, or
// cannot be used.
type Notice struct {
	// Place in the input.
	Place string
	Text  string
}

// Option is a field of the input that some types use and others do not.
type Option struct {
	Name string
	Set  bool
}

// Unused returns a notice for each of the options that is set at a place. What
// says of what it is that does not use them.
func Unused(at *field.Path, what string, options ...Option) []Notice {
	var out []Notice
	for _, o := range options {
		if o.Set {
			out = append(out, Notice{Place: at.Child(o.Name).String(), Text: fmt.Sprintf("has no effect: %s does not use it", what)})
		}
	}
	return out
}

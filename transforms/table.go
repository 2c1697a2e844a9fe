package transforms

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
)

// Variant is a value that a field of a transform accepts, and what it means.
type Variant struct{ Name, Doc string }

// row is a variant with what implements it.
type row[T any] struct {
	Variant
	use T
}

type table[T any] []row[T]

func (t table[T]) names() []string {
	names := make([]string, len(t))
	for i := range t {
		names[i] = t[i].Name
	}
	return names
}

func (t table[T]) variants() []Variant {
	variants := make([]Variant, len(t))
	for i := range t {
		variants[i] = t[i].Variant
	}
	return variants
}

// find returns the row of a name. What says for a message what the table holds.
func (t table[T]) find(at *field.Path, what, name string) (T, *field.Error) {
	for i := range t {
		if t[i].Name == name {
			return t[i].use, nil
		}
	}
	var none T
	names := t.names()
	if name == "" {
		return none, required(at, fmt.Sprintf("a %s is needed: %s", what, oneOf(names)))
	}
	return none, input.Unsupported(at, what, name, names)
}

// or returns the name, or the default if there is none.
func or[T ~string](name T, def string) string {
	if name == "" {
		return def
	}
	return string(name)
}

func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

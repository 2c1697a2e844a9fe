// Package transforms changes values on their way from one field to another.
//
// A transform is compiled once and then runs any number of times, also at the
// same time. Its values are plain JSON values: nil, bool, int64, float64,
// string, []any and map[string]any. It never changes a value that it is given,
// and what it gives may be shared, so it must not be changed either.
package transforms

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// MaxText is the length in bytes that a text made by a transform has at most.
const MaxText = 1 << 20

// Func is a compiled transform. It is safe for concurrent use. An error about
// the value is a *fieldpath.ValueError and does not say where.
type Func func(v any, b *fieldpath.Budget) (any, error)

// Type is a kind of transform: its name in the input, what it does, and how a
// transform of it is compiled. Compile reports every problem, with its place.
type Type struct {
	Name, Doc string
	Compile   func(at *field.Path, t *v1beta1.Transform, x *Expressions) (Func, field.ErrorList)
}

// Types returns the table of transforms.
func Types() []Type {
	return []Type{mapType(), matchType(), mathType(), stringType(), convertType()}
}

// Chain is a list of compiled transforms, each of which is given what the one
// before it made. It is safe for concurrent use.
type Chain []Step

// Step is a compiled transform and its type.
type Step struct {
	Type  string
	Apply Func
}

// Compile compiles a list of transforms, which is at the given place, with the
// regular expressions of its input, and reports every problem in it.
func Compile(at *field.Path, ts []v1beta1.Transform, x *Expressions) (Chain, field.ErrorList) {
	if len(ts) == 0 {
		return nil, nil
	}
	types := typeTable()
	chain := make(Chain, 0, len(ts))
	var errs field.ErrorList
	for i := range ts {
		step, problems := compileStep(at.Index(i), types, &ts[i], x)
		chain = append(chain, step)
		errs = append(errs, problems...)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return chain, nil
}

func typeTable() table[Type] {
	var types table[Type]
	for _, t := range Types() {
		types = append(types, row[Type]{Variant{t.Name, t.Doc}, t})
	}
	return types
}

func compileStep(at *field.Path, types table[Type], t *v1beta1.Transform, x *Expressions) (Step, field.ErrorList) {
	typ, problem := types.find(at.Child("type"), "transform type", string(t.Type))
	if problem != nil {
		return Step{}, one(problem)
	}
	apply, errs := typ.Compile(at, t, x)
	return Step{Type: typ.Name, Apply: apply}, errs
}

// StepError says which transform failed. Its text is made when it is asked for,
// so that the value in a *fieldpath.ValueError can still be hidden.
type StepError struct {
	Index int
	Type  string
	Err   error
}

func (e *StepError) Error() string {
	return fmt.Sprintf("transforms[%d] (%s): %v", e.Index, e.Type, e.Err)
}

// Unwrap returns what is wrong, without the place.
func (e *StepError) Unwrap() error { return e.Err }

// Apply runs the transforms in order. An error is a *StepError.
func (c Chain) Apply(v any, b *fieldpath.Budget) (any, error) {
	for i := range c {
		out, err := c[i].Apply(v, b)
		if err != nil {
			return nil, &StepError{Index: i, Type: c[i].Type, Err: err}
		}
		v = out
	}
	return v, nil
}

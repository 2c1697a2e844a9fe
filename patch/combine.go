package patch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// combine makes one value of several.
type combine struct {
	variables []variable
	make      func(values []any, b *fieldpath.Budget) (any, error)
}

// variable is one of the values.
type variable struct {
	*Source

	key        string
	transforms transforms.Chain
}

// Strategy is a way to combine values: a row of a table.
type Strategy struct {
	Name v1beta1.CombineStrategy
	Doc  string

	// compile adds how to make the value.
	compile func(c *compiler, at *field.Path, in *v1beta1.Combine, out *combine)
}

// Strategies returns the table of ways to combine values.
func Strategies() []Strategy { return strategies }

var strategies = []Strategy{
	{
		Name:    v1beta1.CombineStrategyString,
		Doc:     "Formats the values as one string, with a format string that has a verb for each variable.",
		compile: compileString,
	},
	{
		Name: v1beta1.CombineStrategyArray,
		Doc:  "Makes an array of the values.",
		compile: func(_ *compiler, _ *field.Path, _ *v1beta1.Combine, out *combine) {
			out.make = func(values []any, _ *fieldpath.Budget) (any, error) { return values, nil }
		},
	},
	{
		Name:    v1beta1.CombineStrategyObject,
		Doc:     "Makes an object of the values: each variable has a `key`.",
		compile: compileObject,
	},
}

// read returns the value, if all variables are there.
func (c *combine) read(docs Documents, b *fieldpath.Budget) (any, bool, error) {
	values := make([]any, len(c.variables))
	for i := range c.variables {
		v, found, err := c.variables[i].read(docs, b)
		if err != nil {
			return nil, false, &fieldpath.PlacedError{Place: fmt.Sprintf("variables[%d].", i), Err: err}
		}
		if !found {
			return nil, false, nil
		}
		values[i] = v
	}
	v, err := c.make(values, b)
	return v, err == nil, err
}

func (v *variable) read(docs Documents, b *fieldpath.Budget) (any, bool, error) {
	value, found, err := v.Read(docs)
	if err != nil || !found || len(v.transforms) == 0 {
		return value, found, err
	}
	value, err = v.transforms.Apply(value, b)
	return value, err == nil, err
}

func sourcesOf(variables []variable) []*Source {
	out := make([]*Source, len(variables))
	for i, v := range variables {
		out[i] = v.Source
	}
	return out
}

func (c *compiler) combine(at *field.Path, in *v1beta1.Combine) *combine {
	if in == nil {
		c.required(at, fmt.Sprintf("a patch of type %s combines several fields; say which with combine.variables", c.patch.Type))
		return nil
	}
	out := &combine{variables: c.variables(at.Child("variables"), in.Variables)}
	if len(in.Variables) == 0 {
		c.required(at.Child("variables"), "at least one variable is needed to combine")
	}
	if in.Strategy == "" {
		c.required(at.Child("strategy"), `is needed; the strategy "string" formats the variables as a string`)
		return out
	}
	s, ok := find(strategies, func(s Strategy) v1beta1.CombineStrategy { return s.Name }, in.Strategy)
	if !ok {
		c.unsupported(at.Child("strategy"), "strategy", string(in.Strategy), names(strategies, func(s Strategy) string { return string(s.Name) }))
		return out
	}
	s.compile(c, at, in, out)
	c.unusedByStrategy(at, in)
	return out
}

func (c *compiler) variables(at *field.Path, in []v1beta1.CombineVariable) []variable {
	var out []variable
	for i, v := range in {
		at := at.Index(i)
		out = append(out, variable{
			Source:     c.variable(at, v),
			key:        text(v.Key),
			transforms: c.chain(at.Child("transforms"), v.Transforms),
		})
	}
	return out
}

func compileString(c *compiler, at *field.Path, in *v1beta1.Combine, out *combine) {
	switch {
	case in.String == nil:
		c.required(at.Child("string"), `is needed by the strategy "string"; give the format string as string.fmt`)
	case len(in.Variables) > 0:
		format, errs := transforms.CompileFormat(at.Child("string", "fmt"), in.String.Format, len(in.Variables))
		c.Errors = append(c.Errors, errs...)
		out.make = func(values []any, b *fieldpath.Budget) (any, error) {
			text, err := format.Apply(values, b)
			if err != nil {
				return nil, &fieldpath.PlacedError{Place: "string.fmt: ", Err: err}
			}
			return text, nil
		}
	}
}

func compileObject(c *compiler, at *field.Path, in *v1beta1.Combine, out *combine) {
	seen := map[string]int{}
	for i, v := range in.Variables {
		at, key := at.Child("variables").Index(i).Child("key"), text(v.Key)
		if key == "" {
			c.required(at, `the strategy "object" needs a key for each variable: its field in the object`)
			continue
		}
		if before, ok := seen[key]; ok {
			c.Errors = append(c.Errors, duplicate(at, key, fmt.Sprintf("variables[%d] has the key %q too; keys must be unique", before, key)))
		}
		seen[key] = i
	}
	variables := out.variables
	out.make = func(values []any, _ *fieldpath.Budget) (any, error) {
		object := make(map[string]any, len(values))
		for i, v := range values {
			object[variables[i].key] = v
		}
		return object, nil
	}
}

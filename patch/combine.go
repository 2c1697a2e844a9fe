package patch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// combine reads several fields and formats them as one string.
type combine struct {
	variables []*fieldpath.Path
	format    *transforms.Format
}

// Strategy is a way to combine values: a row of a table.
type Strategy struct {
	Name v1beta1.CombineStrategy
	Doc  string
}

// Strategies returns the table of ways to combine values.
func Strategies() []Strategy { return strategies }

var strategies = []Strategy{{
	Name: v1beta1.CombineStrategyString,
	Doc:  "Formats the values as one string, with a format string that has a verb for each variable.",
}}

// read returns the string, if all variables are there.
func (c *combine) read(source fieldpath.Reader, b *fieldpath.Budget) (any, bool, error) {
	values := make([]any, len(c.variables))
	for i, path := range c.variables {
		v, found, err := source.Get(*path)
		if err != nil {
			return nil, false, &fieldpath.PlacedError{Place: fmt.Sprintf("variables[%d].fromFieldPath: ", i), Err: err}
		}
		if !found {
			return nil, false, nil
		}
		values[i] = v
	}
	text, err := c.format.Apply(values, b)
	if err != nil {
		return nil, false, &fieldpath.PlacedError{Place: "string.fmt: ", Err: err}
	}
	return text, true, nil
}

func (c *compiler) combine(at *field.Path, in *v1beta1.Combine) *combine {
	if in == nil {
		c.required(at, fmt.Sprintf("a patch of type %s combines several fields; say which with combine.variables", c.patch.Type))
		return nil
	}
	out := &combine{}
	if len(in.Variables) == 0 {
		c.required(at.Child("variables"), "at least one variable is needed to combine")
	}
	for i, v := range in.Variables {
		out.variables = append(out.variables, c.path(at.Child("variables").Index(i).Child("fromFieldPath"), v.FromFieldPath))
	}
	switch {
	case in.Strategy == "":
		c.required(at.Child("strategy"), `is needed; the strategy "string" formats the variables as a string`)
	case in.Strategy != v1beta1.CombineStrategyString:
		c.unsupported(at.Child("strategy"), "strategy", string(in.Strategy), names(strategies, func(s Strategy) string { return string(s.Name) }))
	case in.String == nil:
		c.required(at.Child("string"), `is needed by the strategy "string"; give the format string as string.fmt`)
	case len(in.Variables) > 0:
		format, errs := transforms.CompileFormat(at.Child("string", "fmt"), in.String.Format, len(in.Variables))
		c.Errors = append(c.Errors, errs...)
		out.format = format
	}
	return out
}

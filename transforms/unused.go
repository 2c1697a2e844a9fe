package transforms

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

// Unused returns notices of what is set in a transform, and its type does not
// use.
func Unused(at *field.Path, t *v1beta1.Transform) []input.Notice {
	unless := func(typ v1beta1.TransformType, set bool) input.Option {
		return input.Option{Name: string(typ), Set: set && t.Type != typ}
	}
	notices := input.Unused(at, fmt.Sprintf("a transform of type %s", t.Type),
		unless(v1beta1.TransformTypeMap, t.Map != nil),
		unless(v1beta1.TransformTypeMatch, t.Match != nil),
		unless(v1beta1.TransformTypeMath, t.Math != nil),
		unless(v1beta1.TransformTypeString, t.String != nil),
		unless(v1beta1.TransformTypeConvert, t.Convert != nil),
	)
	switch {
	case t.Type == v1beta1.TransformTypeMath && t.Math != nil:
		return append(notices, unusedMath(at.Child("math"), t.Math)...)
	case t.Type == v1beta1.TransformTypeString && t.String != nil:
		return append(notices, unusedString(at.Child("string"), t.String)...)
	}
	return notices
}

func unusedMath(at *field.Path, m *v1beta1.MathTransform) []input.Notice {
	typ := v1beta1.MathType(or(m.Type, string(v1beta1.MathTypeMultiply)))
	unless := func(used v1beta1.MathType, name string, operand *float64) input.Option {
		return input.Option{Name: name, Set: operand != nil && typ != used}
	}
	return input.Unused(at, fmt.Sprintf("math of type %s", typ),
		unless(v1beta1.MathTypeMultiply, "multiply", m.Multiply),
		unless(v1beta1.MathTypeClampMin, "clampMin", m.ClampMin),
		unless(v1beta1.MathTypeClampMax, "clampMax", m.ClampMax),
		unless(v1beta1.MathTypeAdd, "add", m.Add),
		unless(v1beta1.MathTypeSubtract, "subtract", m.Subtract),
		unless(v1beta1.MathTypeDivide, "divide", m.Divide),
	)
}

func unusedString(at *field.Path, s *v1beta1.StringTransform) []input.Notice {
	typ := v1beta1.StringTransformType(or(s.Type, string(v1beta1.StringTransformTypeFormat)))
	unless := func(name string, set bool, used ...v1beta1.StringTransformType) input.Option {
		for _, u := range used {
			set = set && typ != u
		}
		return input.Option{Name: name, Set: set}
	}
	return input.Unused(at, fmt.Sprintf("a string transform of type %s", typ),
		unless("fmt", s.Format != nil, v1beta1.StringTransformTypeFormat),
		unless("convert", s.Convert != "", v1beta1.StringTransformTypeConvert),
		unless("trim", s.Trim != nil, v1beta1.StringTransformTypeTrimPrefix, v1beta1.StringTransformTypeTrimSuffix),
		unless("regexp", s.Regexp != nil, v1beta1.StringTransformTypeRegexp),
		unless("join", s.Join != nil, v1beta1.StringTransformTypeJoin),
		unless("replace", s.Replace != nil, v1beta1.StringTransformTypeReplace),
		unless("regexpReplace", s.RegexpReplace != nil, v1beta1.StringTransformTypeRegexpReplace),
		unless("truncate", s.Truncate != nil, v1beta1.StringTransformTypeTruncate),
	)
}

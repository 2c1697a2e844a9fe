package transforms

import (
	"fmt"
	"math"
	"math/bits"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

func mathType() Type {
	return Type{
		Name: string(v1beta1.TransformTypeMath),
		Doc: "Calculates with a number: the field that is named like the type, such as multiply, holds the operand, which may have a fraction. " +
			"Integers are calculated exactly, and a result without a fraction is an integer. " +
			"A result that does not fit an int64, or that a resource could not hold exactly, is an error and never wrapped or rounded. " +
			"The value must be a number; use convert before it if it is a text.",
		Compile: compileMath,
	}
}

// MathTypes returns the types of math transforms. The first is the default.
func MathTypes() []Variant { return mathTypes().variants() }

// calculation is a type of math transform: which field has its operand, and how
// it calculates. The problem is empty if there is a result.
type calculation struct {
	field     string
	operand   func(*v1beta1.MathTransform) *float64
	calculate func(x, operand number) (result number, problem string)
	nonzero   bool
}

func mathTypes() table[calculation] {
	return table[calculation]{
		{Variant{string(v1beta1.MathTypeMultiply), "The value times multiply."},
			calculation{field: "multiply", operand: func(m *v1beta1.MathTransform) *float64 { return m.Multiply }, calculate: multiply}},
		{Variant{string(v1beta1.MathTypeClampMin), "The value, or clampMin if the value is less."},
			calculation{field: "clampMin", operand: func(m *v1beta1.MathTransform) *float64 { return m.ClampMin }, calculate: clampMin}},
		{Variant{string(v1beta1.MathTypeClampMax), "The value, or clampMax if the value is greater."},
			calculation{field: "clampMax", operand: func(m *v1beta1.MathTransform) *float64 { return m.ClampMax }, calculate: clampMax}},
		{Variant{string(v1beta1.MathTypeAdd), "The value plus add."},
			calculation{field: "add", operand: func(m *v1beta1.MathTransform) *float64 { return m.Add }, calculate: add}},
		{Variant{string(v1beta1.MathTypeSubtract), "The value minus subtract."},
			calculation{field: "subtract", operand: func(m *v1beta1.MathTransform) *float64 { return m.Subtract }, calculate: subtract}},
		{Variant{string(v1beta1.MathTypeDivide), "The value divided by divide, with a fraction if it does not divide evenly. Divide cannot be zero."},
			calculation{field: "divide", operand: func(m *v1beta1.MathTransform) *float64 { return m.Divide }, calculate: divide, nonzero: true}},
	}
}

func compileMath(at *field.Path, t *v1beta1.Transform, _ *Expressions) (Func, field.ErrorList) {
	at = at.Child("math")
	if t.Math == nil {
		return nil, one(required(at, "a transform of type math needs its configuration, such as {type: Multiply, multiply: 2}"))
	}
	name := or(t.Math.Type, string(v1beta1.MathTypeMultiply))
	c, problem := mathTypes().find(at.Child("type"), "math type", name)
	if problem != nil {
		return nil, one(problem)
	}
	operand := c.operand(t.Math)
	at = at.Child(c.field)
	switch {
	case operand == nil:
		return nil, one(required(at, fmt.Sprintf("math of type %s needs a number here, such as %s: 2", name, c.field)))
	case math.IsNaN(*operand) || math.IsInf(*operand, 0):
		return nil, one(invalid(at, *operand, "neither infinity nor NaN can be calculated with; use a finite number"))
	case c.nonzero && *operand == 0:
		return nil, one(invalid(at, *operand, "nothing can be divided by zero; use any other number"))
	}
	return mathFunc(c, floatNumber(*operand)), nil
}

func mathFunc(c calculation, operand number) Func {
	return func(v any, _ *fieldpath.Budget) (any, error) {
		x, ok := toNumber(v)
		if !ok {
			return nil, unusable(v, "math needs a number")
		}
		result, problem := c.calculate(x, operand)
		if problem == "" && result.whole && !exact(result.n) {
			problem = "the result is too large: " + inexact
		}
		if problem != "" {
			return nil, unusable(v, problem)
		}
		return result.value(), nil
	}
}

const tooLarge = "the result does not fit an int64"

// integer returns the result of a calculation with integers, unless it wrapped.
func integer(n int64, fits bool) (number, string) {
	if !fits {
		return number{}, tooLarge
	}
	return wholeNumber(n), ""
}

// fraction returns the result of a calculation with floats.
func fraction(f float64) (number, string) {
	x := floatNumber(f)
	if !x.whole && (math.IsNaN(f) || f == math.Trunc(f)) { // infinity is equal to itself cut off
		return number{}, tooLarge
	}
	return x, ""
}

func multiply(x, y number) (number, string) {
	if !x.whole || !y.whole {
		return fraction(x.f * y.f)
	}
	hi, lo := bits.Mul64(magnitude(x.n), magnitude(y.n))
	if (x.n < 0) != (y.n < 0) {
		return integer(int64(-lo), hi == 0 && lo <= 1<<63)
	}
	return integer(int64(lo), hi == 0 && lo < 1<<63)
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func add(x, y number) (number, string) {
	if !x.whole || !y.whole {
		return fraction(x.f + y.f)
	}
	sum := x.n + y.n
	return integer(sum, (sum > x.n) == (y.n > 0))
}

func subtract(x, y number) (number, string) {
	if !x.whole || !y.whole {
		return fraction(x.f - y.f)
	}
	difference := x.n - y.n
	return integer(difference, (difference < x.n) == (y.n > 0))
}

func divide(x, y number) (number, string) {
	if x.whole && y.whole && x.n%y.n == 0 {
		return integer(x.n/y.n, x.n != math.MinInt64 || y.n != -1)
	}
	return fraction(x.f / y.f)
}

func clampMin(x, least number) (number, string) {
	if less(x, least) {
		return least, ""
	}
	return x, ""
}

func clampMax(x, most number) (number, string) {
	if less(most, x) {
		return most, ""
	}
	return x, ""
}

func less(x, y number) bool {
	if x.whole && y.whole {
		return x.n < y.n
	}
	return x.f < y.f
}

package transforms

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

func convertType() Type {
	return Type{
		Name: string(v1beta1.TransformTypeConvert),
		Doc: "Converts the value to another type. " +
			"A value that is of the type already stays as it is. " +
			"A text that is not the text of such a value, a number that does not fit, and a pair of types without a conversion are errors. " +
			"With format quantity a text is read as a Kubernetes quantity, such as 500m or 2Gi; with format json it is read as JSON.",
		Compile: compileConvert,
	}
}

// ConvertTypes returns the types to convert to.
func ConvertTypes() []Variant { return convertTypes().variants() }

// ConvertFormats returns the formats of a text to convert. The first is the default.
func ConvertFormats() []Variant { return convertFormats().variants() }

// target is a type to convert to: the kind of its values, whether a value is of
// it already, and how others become it.
type target struct {
	kind        string
	identity    func(v any) bool
	conversions []conversion
}

// conversion converts values of a kind. The problem is empty if there is a result.
type conversion struct {
	from    string
	format  v1beta1.ConvertFormat
	convert func(v any) (result any, problem string)
}

func convertTypes() table[target] {
	const none, quantity, asJSON = v1beta1.ConvertFormatNone, v1beta1.ConvertFormatQuantity, v1beta1.ConvertFormatJSON
	integer := target{kind: "integer", identity: isInteger, conversions: []conversion{
		{"string", none, intFromText}, {"bool", none, numberFromBool}, {"number", none, intFromNumber}, {"string", quantity, intFromQuantity}}}
	return table[target]{
		{Variant{string(v1beta1.ConvertTypeString), "A text. A number becomes its decimal text without an exponent, a bool true or false."},
			target{kind: "string", identity: isKind("string"), conversions: []conversion{
				{"number", none, textFromScalar}, {"bool", none, textFromScalar}}}},
		{Variant{string(v1beta1.ConvertTypeBool), "A bool. The texts 1, t, T, true, True and TRUE are true, 0, f, F, false, False and FALSE are false; the number 1 is true, any other is false."},
			target{kind: "bool", identity: isKind("bool"), conversions: []conversion{
				{"string", none, boolFromText}, {"number", none, boolFromNumber}}}},
		{Variant{string(v1beta1.ConvertTypeInt), "Another name of int64."}, integer},
		{Variant{string(v1beta1.ConvertTypeInt64), "An integer. The fraction of a number is cut off, true becomes 1 and false 0; a text must be one of an integer, and a quantity a whole number."}, integer},
		{Variant{string(v1beta1.ConvertTypeFloat64), "A number. True becomes 1 and false 0."},
			target{kind: "number", identity: isKind("number"), conversions: []conversion{
				{"string", none, floatFromText}, {"bool", none, numberFromBool}, {"string", quantity, floatFromQuantity}}}},
		{Variant{string(v1beta1.ConvertTypeObject), "An object, which a text becomes with format json."},
			target{kind: "object", identity: isKind("object"), conversions: []conversion{{"string", asJSON, objectFromJSON}}}},
		{Variant{string(v1beta1.ConvertTypeArray), "An array, which a text becomes with format json."},
			target{kind: "array", identity: isKind("array"), conversions: []conversion{{"string", asJSON, arrayFromJSON}}}},
	}
}

func convertFormats() table[v1beta1.ConvertFormat] {
	return table[v1beta1.ConvertFormat]{
		{Variant{string(v1beta1.ConvertFormatNone), "The text of a number or bool."}, v1beta1.ConvertFormatNone},
		{Variant{string(v1beta1.ConvertFormatQuantity), "A Kubernetes quantity, such as 500m or 2Gi, to convert to a number."}, v1beta1.ConvertFormatQuantity},
		{Variant{string(v1beta1.ConvertFormatJSON), "JSON, to convert to an object or an array."}, v1beta1.ConvertFormatJSON},
	}
}

func compileConvert(at *field.Path, t *v1beta1.Transform, _ *Expressions) (Func, field.ErrorList) {
	at = at.Child("convert")
	if t.Convert == nil {
		return nil, one(required(at.Child("toType"), "a transform of type convert needs a type to convert to: "+oneOf(convertTypes().names())))
	}
	var errs field.ErrorList
	to, problem := convertTypes().find(at.Child("toType"), "type to convert to", string(t.Convert.ToType))
	if problem != nil {
		errs = append(errs, problem)
	}
	format, problem := convertFormats().find(at.Child("format"), "format", or(t.Convert.Format, string(v1beta1.ConvertFormatNone)))
	if problem != nil {
		errs = append(errs, problem)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return newConverter(to, string(t.Convert.ToType), format).apply, nil
}

// converter has the conversions to one type in one format.
type converter struct {
	to      target
	format  v1beta1.ConvertFormat
	problem string
}

func newConverter(to target, name string, format v1beta1.ConvertFormat) *converter {
	accepted := []string{to.kind}
	for _, conversion := range to.conversions {
		if conversion.format == format {
			accepted = append(accepted, conversion.from)
		}
	}
	slices.Sort(accepted)
	return &converter{to: to, format: format,
		problem: fmt.Sprintf("convert to %s with format %s needs a value of type %s", name, format, oneOf(accepted))}
}

func (c *converter) apply(v any, b *fieldpath.Budget) (any, error) {
	if c.to.identity(v) {
		return v, nil
	}
	kind, hint := fieldpath.KindOf(v), ""
	for i := range c.to.conversions {
		conversion := &c.to.conversions[i]
		switch {
		case conversion.from != kind:
		case conversion.format == c.format:
			return conversion.apply(v, b)
		case hint == "":
			hint = fmt.Sprintf(" (or %s with format %s)", kind, conversion.format)
		}
	}
	return nil, unusable(v, c.problem+hint)
}

func (c *conversion) apply(v any, b *fieldpath.Budget) (any, error) {
	if s, ok := v.(string); ok {
		if err := takeText(s, b); err != nil {
			return nil, err
		}
	}
	result, problem := c.convert(v)
	if problem != "" {
		return nil, unusable(v, problem)
	}
	return result, nil
}

func isKind(kind string) func(any) bool {
	return func(v any) bool { return fieldpath.KindOf(v) == kind }
}

func isInteger(v any) bool {
	_, ok := v.(int64)
	return ok
}

func textFromScalar(v any) (any, string) {
	text, _ := scalarText(v)
	return text, ""
}

func boolFromText(v any) (any, string) {
	s, _ := v.(string)
	b, err := strconv.ParseBool(s)
	if err != nil {
		return nil, "not the text of a bool, such as true or false"
	}
	return b, ""
}

func boolFromNumber(v any) (any, string) {
	x, _ := toNumber(v)
	return x.f == 1, ""
}

func numberFromBool(v any) (any, string) {
	if b, _ := v.(bool); b {
		return int64(1), ""
	}
	return int64(0), ""
}

func intFromNumber(v any) (any, string) {
	x, _ := toNumber(v)
	if x = floatNumber(math.Trunc(x.f)); !x.whole {
		return nil, "the number does not fit an int64"
	}
	return x.n, ""
}

func intFromText(v any) (any, string) {
	s, _ := v.(string)
	n, problem := parseInt(s)
	return n, problem
}

func floatFromText(v any) (any, string) {
	s, _ := v.(string)
	f, problem := parseFloat(s)
	return floatNumber(f).value(), problem
}

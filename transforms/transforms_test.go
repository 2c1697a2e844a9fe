package transforms_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// behaviour is a transform with what it makes of a value: of what in, either out
// or an error that has err in it.
type behaviour struct {
	transform string
	in        any
	out       any
	err       string
}

func checkBehaviour(t *testing.T, cases map[string]behaviour) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			chain, errs := transforms.Compile(field.NewPath("t"), parseTransforms(t, "["+c.transform+"]"), transforms.NewExpressions())
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			got, err := chain.Apply(c.in, fieldpath.NewBudget(256<<20))
			switch {
			case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
				t.Errorf("got %s and error %v, want error %s", fieldpath.Preview(got), err, c.err)
			case c.err != "":
			case err != nil:
				t.Error(err)
			default:
				if diff := cmp.Diff(c.out, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

func TestMap(t *testing.T) {
	const sizes = `{"type": "map", "map": {"small": 1, "medium": null, "3": {"a": [1]}, "1.5": "x", "true": false, "100000000000000000000": 7}}`
	checkBehaviour(t, map[string]behaviour{
		"string":   {sizes, "small", int64(1), ""},
		"null":     {sizes, "medium", nil, ""},
		"integer":  {sizes, int64(3), map[string]any{"a": []any{int64(1)}}, ""},
		"fraction": {sizes, 1.5, "x", ""},
		"large":    {sizes, 1e20, int64(7), ""},
		"bool":     {sizes, true, false, ""},
		"mistyped": {sizes, "smal", nil, `transforms[0] (map): map has no such key (its keys are "1.5", "100000000000000000000", "3", "medium", "small", "true"), got "smal", did you mean "small"?`},
		"unknown":  {sizes, int64(4), nil, `map has no such key (its keys are "1.5",`},
		"no null":  {sizes, nil, nil, `map needs a string, number or bool, got null`},
		"no array": {sizes, []any{"small"}, nil, `map needs a string, number or bool, got ["small"]`},
		"long":     {sizes, strings.Repeat("small", 1000), nil, `map has no such key (its keys`},
	})
}

func TestMapListsFewKeys(t *testing.T) {
	table := map[string]any{}
	for _, a := range "abcdefghij" {
		for _, b := range "abcdefghij" {
			table[string(a)+string(b)] = "x"
		}
	}
	chain := compile(t, v1beta1.Transform{Type: v1beta1.TransformTypeMap, Map: table})
	_, err := chain.Apply("none of these", nil)
	if err == nil || !strings.Contains(err.Error(), `"ba", "bb" and 88 more)`) {
		t.Error(err)
	}
}

func TestMatch(t *testing.T) {
	const patterns = `{"type": "match", "match": {"patterns": [{"literal": "", "result": "empty"}, {"literal": "1.5", "result": null}, {"type": "regexp", "regexp": "^us-", "result": {"region": "us"}}, {"type": "regexp", "regexp": "s", "result": 2}]}}`
	const input = `{"type": "match", "match": {"patterns": [{"literal": "a", "result": "b"}], "fallbackTo": "Input", "fallbackValue": "c"}}`
	checkBehaviour(t, map[string]behaviour{
		"empty":       {patterns, "", "empty", ""},
		"fraction":    {patterns, 1.5, nil, ""},
		"first":       {patterns, "us-east", map[string]any{"region": "us"}, ""},
		"anywhere":    {patterns, "paris", int64(2), ""},
		"no fallback": {patterns, "eu", nil, ""},
		"input":       {input, int64(7), int64(7), ""},
		"not input":   {input, "a", "b", ""},
		"null":        {input, nil, nil, "match needs a string, number or bool, got null"},
		"object":      {patterns, map[string]any{}, nil, "match needs a string, number or bool, got {}"},
	})
}

func TestMath(t *testing.T) {
	const most = math.MaxInt64
	multiply, divide, add, subtract := `{"type": "math", "math": {"multiply": 2}}`, `{"type": "math", "math": {"type": "Divide", "divide": 2}}`, `{"type": "math", "math": {"type": "Add", "add": 1}}`, `{"type": "math", "math": {"type": "Subtract", "subtract": 1}}`
	checkBehaviour(t, map[string]behaviour{
		"integer":             {multiply, int64(21), int64(42), ""},
		"whole again":         {multiply, 1.5, int64(3), ""},
		"negative":            {multiply, int64(-21), int64(-42), ""},
		"least":               {multiply, int64(-1 << 62), int64(math.MinInt64), ""},
		"beyond most":         {multiply, int64(1 << 62), nil, "the result does not fit an int64, got 4611686018427387904"},
		"beyond least":        {multiply, int64(-1<<62 - 1<<20), nil, "does not fit an int64"},
		"infinite":            {multiply, math.MaxFloat64, nil, "does not fit an int64"},
		"negative factor":     {`{"type": "math", "math": {"multiply": -0.5}}`, int64(3), -1.5, ""},
		"fraction too large":  {`{"type": "math", "math": {"multiply": 2.5}}`, int64(1 << 62), nil, "does not fit an int64"},
		"divides":             {divide, int64(8), int64(4), ""},
		"does not divide":     {divide, int64(7), 3.5, ""},
		"divides fraction":    {divide, 2.5, 1.25, ""},
		"divides least":       {`{"type": "math", "math": {"type": "Divide", "divide": -1}}`, int64(math.MinInt64), nil, "does not fit an int64"},
		"divides by fraction": {`{"type": "math", "math": {"type": "Divide", "divide": 0.5}}`, int64(3), int64(6), ""},
		"adds":                {add, int64(1), int64(2), ""},
		"adds to fraction":    {add, 0.5, 1.5, ""},
		"adds beyond":         {add, int64(most), nil, "does not fit an int64"},
		"adds inexact":        {add, int64(1 << 53), nil, "the result is too large: an integer this large cannot be held exactly"},
		"subtracts":           {subtract, int64(1), int64(0), ""},
		"subtracts beyond":    {subtract, int64(math.MinInt64), nil, "does not fit an int64"},
		"subtracts fraction":  {`{"type": "math", "math": {"type": "Subtract", "subtract": 0.5}}`, 1.5, int64(1), ""},
		"adds nothing":        {`{"type": "math", "math": {"type": "Add", "add": 0}}`, int64(5), int64(5), ""},
		"adds negative":       {`{"type": "math", "math": {"type": "Add", "add": -7}}`, int64(5), int64(-2), ""},
		"clamps to fraction":  {`{"type": "math", "math": {"type": "ClampMax", "clampMax": 2.5}}`, int64(3), 2.5, ""},
		"clamps not":          {`{"type": "math", "math": {"type": "ClampMax", "clampMax": 2}}`, 1.5, 1.5, ""},
		"clamps up":           {`{"type": "math", "math": {"type": "ClampMin", "clampMin": -1.5}}`, int64(-2), -1.5, ""},
		"clamps large":        {`{"type": "math", "math": {"type": "ClampMax", "clampMax": 5}}`, 1e300, int64(5), ""},
		"string":              {multiply, "4", nil, `transforms[0] (math): math needs a number, got "4"`},
		"bool":                {multiply, true, nil, "math needs a number, got true"},
	})
}

func TestConvert(t *testing.T) {
	to := func(typ, format string) string {
		return `{"type": "convert", "convert": {"toType": "` + typ + `", "format": "` + format + `"}}`
	}
	checkBehaviour(t, map[string]behaviour{
		"large to string":         {to("string", "none"), 1e21, "1000000000000000000000", ""},
		"bool to string":          {to("string", "none"), false, "false", ""},
		"array to string":         {to("string", "none"), []any{}, nil, "convert to string with format none needs a value of type bool, number or string, got []"},
		"null to string":          {to("string", "json"), nil, nil, "needs a value of type string, got null"},
		"bool to float64":         {to("float64", "none"), true, int64(1), ""},
		"text to fraction":        {to("float64", "none"), "-2.50", -2.5, ""},
		"text to whole":           {to("float64", "none"), "1e3", int64(1000), ""},
		"NaN":                     {to("float64", "none"), "NaN", nil, `neither infinity nor NaN is a number that a resource can have, got "NaN"`},
		"infinity":                {to("float64", "none"), "-inf", nil, "neither infinity nor NaN"},
		"beyond float64":          {to("float64", "none"), "1e999", nil, "does not fit a float64"},
		"beyond int64":            {to("int64", "none"), "9223372036854775808", nil, "does not fit an int64"},
		"inexact text":            {to("int", "none"), "9007199254740993", nil, "cannot be held exactly"},
		"exact text":              {to("int", "none"), "9007199254740994", int64(9007199254740994), ""},
		"least text":              {to("int", "none"), "-9223372036854775808", int64(math.MinInt64), ""},
		"large to int64":          {to("int64", "none"), 1e19, nil, "does not fit an int64, got 1e+19"},
		"negative fraction":       {to("int64", "none"), -1.9, int64(-1), ""},
		"number to bool":          {to("bool", "none"), int64(1), true, ""},
		"text to bool":            {to("bool", "none"), "yes", nil, "not the text of a bool, such as true or false"},
		"quantity":                {to("float64", "quantity"), "0.3", 0.3, ""},
		"quantity of exa":         {to("float64", "quantity"), "2E", int64(2e18), ""},
		"quantity of exbi":        {to("int64", "quantity"), "2Ei", int64(1 << 61), ""},
		"quantity with exponent":  {to("int64", "quantity"), "12e3", int64(12000), ""},
		"fraction of binary":      {to("int64", "quantity"), "1.5Gi", int64(3 << 29), ""},
		"negative quantity":       {to("int64", "quantity"), "-1Ki", int64(-1024), ""},
		"fraction quantity":       {to("int64", "quantity"), "500m", nil, "the quantity is no whole number"},
		"capped quantity":         {to("float64", "quantity"), "100Ei", nil, "the quantity is too large"},
		"beyond int64 quantity":   {to("int64", "quantity"), "100E", nil, "the quantity does not fit an int64"},
		"inexact quantity":        {to("int64", "quantity"), "9007199254740993", nil, "cannot be held exactly"},
		"beyond float64 quantity": {to("float64", "quantity"), "1e399", nil, "the quantity is too large"},
		"hostile exponent":        {to("float64", "quantity"), "1e-2000000000", nil, "with an exponent of at most 400"},
		"longest exponent":        {to("float64", "quantity"), "1e99999999999999999999", nil, "with an exponent of at most 400"},
		"long quantity":           {to("float64", "quantity"), "1" + strings.Repeat("0", 1000), nil, "not the text of a quantity"},
		"suffix alone":            {to("float64", "quantity"), "Gi", nil, "not the text of a quantity, such as 500m or 2Gi"},
		"exponent alone":          {to("int64", "quantity"), "e5", nil, "not the text of a quantity"},
		"bool quantity":           {to("int64", "quantity"), true, nil, "convert to int64 with format quantity needs a value of type integer or string (or bool with format none), got true"},
		"json object":             {to("object", "json"), `{"a": 1.0, "b": [1.5, 100000000000000000000, null, -0, 1e2]}`, map[string]any{"a": int64(1), "b": []any{1.5, 1e20, nil, int64(0), int64(100)}}, ""},
		"json array":              {to("array", "json"), ` ["x"] `, []any{"x"}, ""},
		"json null":               {to("object", "json"), `null`, nil, `the JSON is no object, got "null"`},
		"json of another type":    {to("array", "json"), `{}`, nil, "the JSON is no array"},
		"json syntax":             {to("array", "json"), `[1,]`, nil, "not JSON: wrong at byte 4"},
		"json cut off":            {to("array", "json"), `[1`, nil, "not JSON: it ends too early"},
		"json and more":           {to("array", "json"), `[1] x`, nil, "not JSON: there is more after its end"},
		"json inexact":            {to("array", "json"), `[9007199254740993]`, nil, "in the JSON an integer this large cannot be held exactly"},
		"json too large":          {to("array", "json"), `[{"a": 1e999}]`, nil, "in the JSON the number does not fit a float64"},
		"json too deep":           {to("array", "json"), strings.Repeat("[", 2000) + strings.Repeat("]", 2000), nil, "nested deeper than 500 levels"},
		"json much too deep":      {to("array", "json"), strings.Repeat("[", 20000) + strings.Repeat("]", 20000), nil, "not JSON"},
		"json of object":          {to("object", "json"), map[string]any{}, map[string]any{}, ""},
		"object without json":     {to("object", "none"), `{}`, nil, `convert to object with format none needs a value of type object (or string with format json), got "{}"`},
	})
}

// The text of a value that may be secret is only where it can be hidden.
func TestValuesCanBeHidden(t *testing.T) {
	const secret = "s3cr3t-value"
	for _, transform := range []string{
		`{"type": "map", "map": {"a": "b"}}`,
		`{"type": "math", "math": {"multiply": 2}}`,
		`{"type": "string", "string": {"fmt": "%d"}}`,
		`{"type": "string", "string": {"type": "Regexp", "regexp": {"match": "^$"}}}`,
		`{"type": "string", "string": {"type": "Convert", "convert": "FromBase64"}}`,
		`{"type": "string", "string": {"type": "Join", "join": {"separator": ""}}}`,
		`{"type": "convert", "convert": {"toType": "bool"}}`,
		`{"type": "convert", "convert": {"toType": "int"}}`,
		`{"type": "convert", "convert": {"toType": "float64"}}`,
		`{"type": "convert", "convert": {"toType": "array"}}`,
		`{"type": "convert", "convert": {"toType": "array", "format": "json"}}`,
		`{"type": "convert", "convert": {"toType": "float64", "format": "quantity"}}`,
	} {
		chain := compile(t, parseTransforms(t, "["+transform+"]")...)
		_, err := chain.Apply(secret, nil)
		var value *fieldpath.ValueError
		if !errors.As(err, &value) {
			t.Errorf("%s: %v is no ValueError", transform, err)
			continue
		}
		value.Hide = true
		if shown := err.Error(); strings.Contains(shown, secret) {
			t.Errorf("%s: %s shows the value", transform, shown)
		}
	}
}

// A transform gives what it is given, or something new: it changes nothing.
func TestInputIsNotChanged(t *testing.T) {
	in := map[string]any{"b": []any{int64(1), "x"}, "a": 1.5}
	before, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, conversion := range transforms.StringConversions() {
		chain := compile(t, parseTransforms(t, `[{"type": "string", "string": {"type": "Convert", "convert": "`+conversion.Name+`"}}]`)...)
		_, _ = chain.Apply(in, nil) // whether it can be converted does not matter here
	}
	after, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(before), string(after)); diff != "" {
		t.Errorf("-before +after:\n%s", diff)
	}
}

func compile(t testing.TB, list ...v1beta1.Transform) transforms.Chain {
	t.Helper()
	chain, errs := transforms.Compile(field.NewPath("t"), list, transforms.NewExpressions())
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	return chain
}

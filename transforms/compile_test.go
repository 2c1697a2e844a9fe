package transforms_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/transforms"
)

func TestCompileErrors(t *testing.T) {
	cases := map[string]struct {
		transforms string
		want       []string // the place, and a part of the text
	}{
		"no type":         {`[{}]`, []string{`t[0].type: a transform type is needed: map, match, math, string or convert`}},
		"unknown type":    {`[{"type": "frobnicate"}]`, []string{`t[0].type: unknown transform type "frobnicate"; supported: map, match, math, string, convert`}},
		"mistyped type":   {`[{"type": "sting"}]`, []string{`t[0].type: unknown transform type "sting", did you mean "string"? Supported: map,`}},
		"all at once":     {`[{"type": "math"}, {"type": "map"}, {"type": "maths"}]`, []string{`t[0].math: `, `t[1].map: `, `t[2].type: `}},
		"map":             {`[{"type": "map"}]`, []string{`t[0].map: a transform of type map needs a table`}},
		"map empty":       {`[{"type": "map", "map": {}}]`, []string{`t[0].map: a transform of type map needs a table`}},
		"map of another":  {`[{"type": "map", "math": {"multiply": 1}}]`, []string{`t[0].map: `}},
		"match":           {`[{"type": "match"}]`, []string{`t[0].match.patterns: a transform of type match needs at least one pattern`}},
		"match empty":     {`[{"type": "match", "match": {"patterns": []}}]`, []string{`t[0].match.patterns: `}},
		"literal":         {`[{"type": "match", "match": {"patterns": [{"result": 1}]}}]`, []string{`t[0].match.patterns[0].literal: a pattern of type literal needs`}},
		"regexp":          {`[{"type": "match", "match": {"patterns": [{"type": "regexp", "literal": "x"}]}}]`, []string{`t[0].match.patterns[0].regexp: a pattern of type regexp needs`}},
		"bad regexp":      {`[{"type": "match", "match": {"patterns": [{"type": "regexp", "regexp": "a)"}]}}]`, []string{`t[0].match.patterns[0].regexp: "a)" is no regular expression: unexpected ): "a)"`}},
		"pattern type":    {`[{"type": "match", "match": {"patterns": [{"type": "regex", "regexp": "a"}]}}]`, []string{`t[0].match.patterns[0].type: unknown pattern type "regex", did you mean "regexp"?`}},
		"match all":       {`[{"type": "match", "match": {"patterns": [{}, {"type": "regexp"}], "fallbackTo": "input"}}]`, []string{`patterns[0].literal: `, `patterns[1].regexp: `, `fallbackTo: unknown fallback "input", did you mean "Input"?`}},
		"math":            {`[{"type": "math"}]`, []string{`t[0].math: a transform of type math needs its configuration`}},
		"math type":       {`[{"type": "math", "math": {"type": "multiply", "multiply": 2}}]`, []string{`t[0].math.type: unknown math type "multiply", did you mean "Multiply"?`}},
		"math default":    {`[{"type": "math", "math": {}}]`, []string{`t[0].math.multiply: math of type Multiply needs a number here`}},
		"math operand":    {`[{"type": "math", "math": {"type": "ClampMin", "clampMax": 1}}]`, []string{`t[0].math.clampMin: `}},
		"divide by zero":  {`[{"type": "math", "math": {"type": "Divide", "divide": 0}}]`, []string{`t[0].math.divide: nothing can be divided by zero`}},
		"string":          {`[{"type": "string"}]`, []string{`t[0].string: a transform of type string needs its configuration`}},
		"string type":     {`[{"type": "string", "string": {"type": "format"}}]`, []string{`t[0].string.type: unknown string type "format", did you mean "Format"?`}},
		"fmt":             {`[{"type": "string", "string": {}}]`, []string{`t[0].string.fmt: string of type Format needs a format string`}},
		"convert":         {`[{"type": "string", "string": {"type": "Convert"}}]`, []string{`t[0].string.convert: a string conversion is needed: ToUpper, `}},
		"convert unknown": {`[{"type": "string", "string": {"type": "Convert", "convert": "ToSHA1"}}]`, []string{`t[0].string.convert: unknown string conversion "ToSHA1", did you mean "ToSha1"?`}},
		"trim prefix":     {`[{"type": "string", "string": {"type": "TrimPrefix"}}]`, []string{`t[0].string.trim: string of type TrimPrefix needs`}},
		"trim suffix":     {`[{"type": "string", "string": {"type": "TrimSuffix"}}]`, []string{`t[0].string.trim: string of type TrimSuffix needs`}},
		"regexp missing":  {`[{"type": "string", "string": {"type": "Regexp"}}]`, []string{`t[0].string.regexp.match: string of type Regexp needs`}},
		"regexp both":     {`[{"type": "string", "string": {"type": "Regexp", "regexp": {"match": "(", "group": -1}}}]`, []string{`t[0].string.regexp.match: "(" is no regular expression: missing closing ): "("`, `t[0].string.regexp.group: a group cannot be negative`}},
		"regexp group":    {`[{"type": "string", "string": {"type": "Regexp", "regexp": {"match": "(a)", "group": 2}}}]`, []string{`t[0].string.regexp.group: there is no group 2 in the regular expression, which has 1`}},
		"regexp huge":     {`[{"type": "string", "string": {"type": "Regexp", "regexp": {"match": "(?:abcdefghij){1000}"}}}]`, []string{`t[0].string.regexp.match: "(?:abcdefghij){1000}" is too large: it compiles to 10002 instructions, and may to 10000`}},
		"regexp large":    {`[{"type": "string", "string": {"type": "Regexp", "regexp": {"match": "(?:abcdefghij){990}"}}}]`, nil},
		"join":            {`[{"type": "string", "string": {"type": "Join"}}]`, []string{`t[0].string.join: string of type Join needs`}},
		"replace":         {`[{"type": "string", "string": {"type": "Replace"}}]`, []string{`t[0].string.replace: string of type Replace needs`}},
		"regexp replace":  {`[{"type": "string", "string": {"type": "RegexpReplace"}}]`, []string{`t[0].string.regexpReplace.match: string of type RegexpReplace needs`}},
		"bad expression":  {`[{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "[", "replace": ""}}}]`, []string{`t[0].string.regexpReplace.match: "[" is no regular expression`}},
		"group number":    {`[{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "(a)", "replace": "$2"}}}]`, []string{`t[0].string.regexpReplace.replace: there is no group "2" in the regular expression; write $$ for a dollar sign`}},
		"group and text":  {`[{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "(a)", "replace": "$1x ${nope}"}}}]`, []string{`there is no group "1x" in the regular expression; write ${1} for group 1`, `there is no group "nope"`}},
		"many groups":     {`[{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "(a)", "replace": "$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1$1"}}}]`, []string{`names groups 17 times, and may 16 times`}},
		"truncate":        {`[{"type": "string", "string": {"type": "Truncate"}}]`, []string{`t[0].string.truncate: string of type Truncate needs the length`}},
		"truncate zero":   {`[{"type": "string", "string": {"type": "Truncate", "truncate": {"length": 0}}}]`, []string{`t[0].string.truncate.length: must be at least 1`}},
		"truncate short":  {`[{"type": "string", "string": {"type": "Truncate", "truncate": {"length": 6}}}]`, []string{`t[0].string.truncate.hashLength: a length of 6 leaves no room for any text before a dash and a hash of 5 characters; use a length of at least 7`}},
		"truncate both":   {`[{"type": "string", "string": {"type": "Truncate", "truncate": {"length": -1, "hashLength": 65}}}]`, []string{`t[0].string.truncate.length: `, `t[0].string.truncate.hashLength: must be between 0 and 64`}},
		"to type":         {`[{"type": "convert"}]`, []string{`t[0].convert.toType: a transform of type convert needs a type to convert to: string, bool, int, int64, float64, object or array`}},
		"to nothing":      {`[{"type": "convert", "convert": {}}]`, []string{`t[0].convert.toType: a type to convert to is needed`}},
		"to unknown":      {`[{"type": "convert", "convert": {"toType": "float", "format": "yaml"}}]`, []string{`t[0].convert.toType: unknown type to convert to "float", did you mean "float64"?`, `t[0].convert.format: unknown format "yaml"; supported: none, quantity, json`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, errs := transforms.Compile(field.NewPath("t"), parseTransforms(t, c.transforms), transforms.NewExpressions())
			checkProblems(t, errs, c.want)
		})
	}
}

// checkProblems compares problems, as they are shown, with parts of them.
func checkProblems(t *testing.T, errs field.ErrorList, want []string) {
	t.Helper()
	var got []string
	for _, e := range errs {
		got = append(got, e.Field+": "+e.Detail)
	}
	matches := len(got) == len(want)
	for i := 0; matches && i < len(want); i++ {
		matches = strings.Contains(got[i], want[i])
	}
	if !matches {
		t.Errorf("-want +got:\n%s", cmp.Diff(want, got))
	}
}

func TestFormatErrors(t *testing.T) {
	cases := map[string]struct {
		format string
		values int
		want   []string
	}{
		"unknown verb":     {"port-%z", 1, []string{`f: "port-%z" is no format: %z at position 5 has no such verb; verbs are %s %v %q %d`}},
		"type verb":        {"%T", 1, []string{`%T at position 0 has no such verb`}},
		"pointer verb":     {"%p", 1, []string{`%p at position 0 has no such verb`}},
		"padded percent":   {"%5%", 1, []string{`%5% at position 0 has no such verb`}},
		"foreign letter":   {"%ü", 1, []string{`%ü at position 0 has no such verb`}},
		"no verb":          {"%s-%", 1, []string{`% at position 3 has no verb`}},
		"flags only":       {"%-0 +#", 1, []string{`has no verb`}},
		"width only":       {"%12.3", 1, []string{`%12.3 at position 0 has no verb`}},
		"no value used":    {"constant", 1, []string{`it does not use the value; write a verb such as %s`}},
		"percent only":     {"%%", 1, []string{`it does not use the value`}},
		"empty":            {"", 1, []string{`it does not use the value`}},
		"too many verbs":   {"%s-%s", 1, []string{`%s at position 3 has no value left; there is one value, 1 (%[1]s uses the first again)`}},
		"one unused":       {"%s", 2, []string{`it does not use value 2 of 2`}},
		"index zero":       {"%[0]s", 1, []string{`%[0] at position 0 names a value that is not there; there is one value, 1`}},
		"index beyond":     {"%[3]s", 2, []string{`%[3] at position 0 names a value that is not there; there are values 1 to 2`}},
		"index huge":       {"%[99999999999999999999]s", 2, []string{`names a value that is not there`}},
		"index empty":      {"%[]s", 1, []string{`names a value that is not there`}},
		"index open":       {"%[1s", 1, []string{`the [ at position 3 has to be followed by the number of a value`}},
		"index ends":       {"%[", 1, []string{`has to be followed by the number`}},
		"index no number":  {"%[x]s", 1, []string{`has to be followed by the number`}},
		"index then width": {"%[1]5s", 1, []string{`%[1]5 at position 0 has no such verb`}},
		"star width":       {"%*d", 1, []string{`a width that is taken from a value, *, at position 1 is not supported`}},
		"star precision":   {"%.*f", 1, []string{`a precision that is taken from a value, *, at position 2 is not supported`}},
		"wide":             {"%1025s", 1, []string{`the width at position 0 is greater than the most, 1024`}},
		"precise":          {"%.99999999999999999999f", 1, []string{`the precision at position 0 is greater than the most, 1024`}},
		"Go syntax":        {"%#v", 1, []string{`%#v at position 0 would write Go syntax; use %q`}},
		"all at once":      {"%z %s %y %*s", 2, []string{`%z at position 0`, `%y at position 6`, `a width`}},
		"no values":        {"%s", 0, []string{`%s at position 0 has no value left`}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f, errs := transforms.CompileFormat(field.NewPath("f"), c.format, c.values)
			if f != nil {
				t.Error("got a format, want none")
			}
			checkProblems(t, errs, c.want)
		})
	}
}

// The tables are what the types of the input say, in the same spelling.
func TestTables(t *testing.T) {
	tables := map[string]struct {
		got  []transforms.Variant
		want []string
	}{
		"patterns":    {transforms.MatchPatternTypes(), names(v1beta1.MatchPatternTypeLiteral, v1beta1.MatchPatternTypeRegexp)},
		"fallbacks":   {transforms.MatchFallbacks(), names(v1beta1.MatchFallbackValue, v1beta1.MatchFallbackInput)},
		"math":        {transforms.MathTypes(), names(v1beta1.MathTypeMultiply, v1beta1.MathTypeClampMin, v1beta1.MathTypeClampMax, v1beta1.MathTypeAdd, v1beta1.MathTypeSubtract, v1beta1.MathTypeDivide)},
		"formats":     {transforms.ConvertFormats(), names(v1beta1.ConvertFormatNone, v1beta1.ConvertFormatQuantity, v1beta1.ConvertFormatJSON)},
		"types":       {transforms.ConvertTypes(), names(v1beta1.ConvertTypeString, v1beta1.ConvertTypeBool, v1beta1.ConvertTypeInt, v1beta1.ConvertTypeInt64, v1beta1.ConvertTypeFloat64, v1beta1.ConvertTypeObject, v1beta1.ConvertTypeArray)},
		"conversions": {transforms.StringConversions(), []string{"ToUpper", "ToLower", "ToBase64", "FromBase64", "ToJson", "ToSha1", "ToSha256", "ToSha512", "ToAdler32"}},
		"strings":     {transforms.StringTypes(), []string{"Format", "Convert", "TrimPrefix", "TrimSuffix", "Regexp", "Join", "Replace", "RegexpReplace", "Truncate"}},
		"verbs":       {transforms.FormatVerbs(), []string{"%s %v", "%q", "%d %b %o %O %c %U", "%x %X", "%f %F %e %E %g %G", "%t"}},
	}
	for name, table := range tables {
		var got []string
		for _, v := range table.got {
			got = append(got, v.Name)
			if !strings.HasSuffix(v.Doc, ".") {
				t.Errorf("%s: the doc of %s is no sentence: %q", name, v.Name, v.Doc)
			}
		}
		if !slices.Equal(got, table.want) {
			t.Errorf("%s: %v, want %v", name, got, table.want)
		}
	}
	for _, typ := range transforms.Types() {
		if n := strings.Count(typ.Doc+" ", ". "); n < 2 || n > 6 {
			t.Errorf("the doc of %s has %d sentences", typ.Name, n)
		}
	}
}

func names[T ~string](values ...T) []string {
	var names []string
	for _, v := range values {
		names = append(names, string(v))
	}
	return names
}

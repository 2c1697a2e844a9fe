package transforms

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

func stringType() Type {
	return Type{
		Name: string(v1beta1.TransformTypeString),
		Doc: "Makes a text from the value: the type of the string transform says how. " +
			"Numbers and bools are used by their text, an array as [a b] and an object as map[k:v] with sorted keys, as Go prints them; a null has no text and is an error. " +
			"A text that would be longer than 1 MiB is an error. " +
			"Format strings and regular expressions are checked when the composition is compiled, so that garbage such as %!d(string=x) never reaches a resource.",
		Compile: compileString,
	}
}

// StringTypes returns the types of string transforms. The first is the default.
func StringTypes() []Variant { return stringTypes().variants() }

type stringCompiler func(at *field.Path, s *v1beta1.StringTransform, x *Expressions) (Func, field.ErrorList)

func stringTypes() table[stringCompiler] {
	return table[stringCompiler]{
		{Variant{string(v1beta1.StringTransformTypeFormat), "Formats the value with fmt, a format string of Go's package fmt such as db-%s or %03d. The value must be used, %[1]s uses it again. Width and precision are at most 1024 and cannot be taken from a value."}, compileFormatType},
		{Variant{string(v1beta1.StringTransformTypeConvert), "Changes case, encodes, decodes or hashes, as convert says."}, compileStringConvert},
		{Variant{string(v1beta1.StringTransformTypeTrimPrefix), "Removes trim from the beginning of the text, if it is there."}, trimCompiler("TrimPrefix", strings.TrimPrefix)},
		{Variant{string(v1beta1.StringTransformTypeTrimSuffix), "Removes trim from the end of the text, if it is there."}, trimCompiler("TrimSuffix", strings.TrimSuffix)},
		{Variant{string(v1beta1.StringTransformTypeRegexp), "Gives what regexp.match finds first, or the capturing group regexp.group of it. A text in which nothing is found is an error."}, compileRegexpType},
		{Variant{string(v1beta1.StringTransformTypeJoin), "Joins the elements of an array, each by its text, with join.separator between them."}, compileJoin},
		{Variant{string(v1beta1.StringTransformTypeReplace), "Replaces every occurrence of replace.search by replace.replace."}, compileReplace},
		{Variant{string(v1beta1.StringTransformTypeRegexpReplace), "Replaces everything that regexpReplace.match finds by regexpReplace.replace, in which $1 or ${1} is a capturing group, ${name} a named one, $0 the whole match and $$ a dollar sign."}, compileRegexpReplace},
		{Variant{string(v1beta1.StringTransformTypeTruncate), "Cuts a text longer than truncate.length characters and ends it with a dash and truncate.hashLength (5 if not set) characters of the SHA-256 hash of the whole, so that different long names stay different. A hashLength of 0 only cuts."}, compileTruncate},
	}
}

func compileString(at *field.Path, t *v1beta1.Transform, x *Expressions) (Func, field.ErrorList) {
	at = at.Child("string")
	if t.String == nil {
		return nil, one(required(at, "a transform of type string needs its configuration, such as {type: Format, fmt: \"db-%s\"}"))
	}
	compile, problem := stringTypes().find(at.Child("type"), "string type", or(t.String.Type, string(v1beta1.StringTransformTypeFormat)))
	if problem != nil {
		return nil, one(problem)
	}
	return compile(at, t.String, x)
}

func compileFormatType(at *field.Path, s *v1beta1.StringTransform, _ *Expressions) (Func, field.ErrorList) {
	at = at.Child("fmt")
	if s.Format == nil {
		return nil, one(required(at, "string of type Format needs a format string, such as db-%s"))
	}
	f, errs := CompileFormat(at, *s.Format, 1)
	if len(errs) > 0 {
		return nil, errs
	}
	return func(v any, b *fieldpath.Budget) (any, error) {
		text, err := f.Apply([]any{v}, b)
		if err != nil {
			return nil, err
		}
		return text, nil
	}, nil
}

func trimCompiler(name string, trim func(s, affix string) string) stringCompiler {
	return func(at *field.Path, s *v1beta1.StringTransform, _ *Expressions) (Func, field.ErrorList) {
		if s.Trim == nil {
			return nil, one(required(at.Child("trim"), "string of type "+name+" needs the text to remove"))
		}
		affix := *s.Trim
		return onText(func(text string, _ *fieldpath.Budget) (string, error) {
			return trim(text, affix), nil
		}), nil
	}
}

func compileReplace(at *field.Path, s *v1beta1.StringTransform, _ *Expressions) (Func, field.ErrorList) {
	if s.Replace == nil {
		return nil, one(required(at.Child("replace"), "string of type Replace needs {search: ..., replace: ...}"))
	}
	search, replace := s.Replace.Search, s.Replace.Replace
	return onText(func(text string, _ *fieldpath.Budget) (string, error) {
		if grown := len(replace) - len(search); grown > 0 {
			if len(text)+strings.Count(text, search)*grown > MaxText {
				return "", &TooLongError{}
			}
		}
		return strings.ReplaceAll(text, search, replace), nil
	}), nil
}

func compileJoin(at *field.Path, s *v1beta1.StringTransform, _ *Expressions) (Func, field.ErrorList) {
	if s.Join == nil {
		return nil, one(required(at.Child("join"), "string of type Join needs {separator: ...}, which can be empty"))
	}
	separator := s.Join.Separator
	return func(v any, b *fieldpath.Budget) (any, error) {
		array, ok := v.([]any)
		if !ok {
			return nil, unusable(v, "Join needs an array")
		}
		if err := b.Spend(len(array) + 1); err != nil {
			return nil, err
		}
		return join(array, separator, b)
	}, nil
}

func join(array []any, separator string, b *fieldpath.Budget) (any, error) {
	size := joinedSize(array, separator)
	if size > MaxText {
		return nil, &TooLongError{}
	}
	dst := make([]byte, 0, size)
	for i, e := range array {
		if i > 0 {
			dst = append(dst, separator...)
		}
		var err error
		if dst, err = appendValue(dst, e, plainLeaf); err != nil {
			return nil, err
		}
	}
	return textResult(string(dst), b)
}

// joinedSize returns the least length of the joined text: its exact length if
// all elements are strings.
func joinedSize(array []any, separator string) int {
	size := max(len(array)-1, 0) * len(separator)
	for _, e := range array {
		if s, ok := e.(string); ok {
			size += len(s)
		} else {
			size++
		}
	}
	return size
}

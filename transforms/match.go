package transforms

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

func matchType() Type {
	return Type{
		Name: string(v1beta1.TransformTypeMatch),
		Doc: "Tries patterns in order and gives the result of the first that matches, which can be of any type. " +
			"A pattern is a literal, which must be equal, or a regular expression, which may match anywhere in the text. " +
			"Numbers and bools are matched by their text; a null, an array or an object is an error. " +
			"If no pattern matches, the result is fallbackValue (null if there is none), or with fallbackTo: Input the value itself.",
		Compile: compileMatch,
	}
}

// MatchPatternTypes returns the types of patterns of a match transform. The
// first is the default.
func MatchPatternTypes() []Variant { return patternTypes().variants() }

// MatchFallbacks returns what a match transform can give if no pattern matches.
// The first is the default.
func MatchFallbacks() []Variant { return fallbacks().variants() }

func fallbacks() table[bool] {
	return table[bool]{
		{Variant{string(v1beta1.MatchFallbackValue), "The fallbackValue, or null if there is none."}, false},
		{Variant{string(v1beta1.MatchFallbackInput), "The value that went in, unchanged. A fallbackValue is not looked at."}, true},
	}
}

type patternCompiler func(at *field.Path, p *v1beta1.MatchPattern, x *Expressions) (matcher, *field.Error)

func patternTypes() table[patternCompiler] {
	return table[patternCompiler]{
		{Variant{string(v1beta1.MatchPatternTypeLiteral), "Matches a text that is equal to literal."}, compileLiteral},
		{Variant{string(v1beta1.MatchPatternTypeRegexp), "Matches a text in which regexp finds something. Write ^ and $ around it to match the whole text."}, compilePattern},
	}
}

func compileLiteral(at *field.Path, p *v1beta1.MatchPattern, _ *Expressions) (matcher, *field.Error) {
	if p.Literal == nil {
		return matcher{}, required(at.Child("literal"), "a pattern of type literal needs the text that it matches")
	}
	return matcher{literal: *p.Literal}, nil
}

func compilePattern(at *field.Path, p *v1beta1.MatchPattern, x *Expressions) (matcher, *field.Error) {
	if p.Regexp == nil {
		return matcher{}, required(at.Child("regexp"), "a pattern of type regexp needs the regular expression that it matches")
	}
	re, problem := x.compile(at.Child("regexp"), *p.Regexp)
	return matcher{re: re}, problem
}

// matcher is a compiled pattern with its result. Without a regular expression
// it is a literal.
type matcher struct {
	re      *expression
	literal string
	result  any
}

func (m *matcher) matches(s string, b *fieldpath.Budget) (bool, error) {
	if m.re == nil {
		return m.literal == s, nil
	}
	if err := m.re.spend(len(s), b); err != nil {
		return false, err
	}
	return m.re.MatchString(s), nil
}

type match struct {
	patterns []matcher
	fallback any
	toInput  bool
}

func compileMatch(at *field.Path, t *v1beta1.Transform, x *Expressions) (Func, field.ErrorList) {
	at = at.Child("match")
	if t.Match == nil || len(t.Match.Patterns) == 0 {
		return nil, one(required(at.Child("patterns"), "a transform of type match needs at least one pattern, such as {type: literal, literal: small, result: 1}"))
	}
	m := &match{fallback: t.Match.FallbackValue}
	var errs field.ErrorList
	for i := range t.Match.Patterns {
		p, problem := compileMatcher(at.Child("patterns").Index(i), &t.Match.Patterns[i], x)
		if problem != nil {
			errs = append(errs, problem)
		}
		m.patterns = append(m.patterns, p)
	}
	toInput, problem := fallbacks().find(at.Child("fallbackTo"), "fallback", or(t.Match.FallbackTo, string(v1beta1.MatchFallbackValue)))
	if problem != nil {
		errs = append(errs, problem)
	}
	m.toInput = toInput
	return m.apply, errs
}

func compileMatcher(at *field.Path, p *v1beta1.MatchPattern, x *Expressions) (matcher, *field.Error) {
	compile, problem := patternTypes().find(at.Child("type"), "pattern type", or(p.Type, string(v1beta1.MatchPatternTypeLiteral)))
	if problem != nil {
		return matcher{}, problem
	}
	m, problem := compile(at, p, x)
	m.result = p.Result
	return m, problem
}

func (m *match) apply(v any, b *fieldpath.Budget) (any, error) {
	s, ok := scalarText(v)
	if !ok {
		return nil, unusable(v, "match needs a string, number or bool")
	}
	if err := b.Spend(len(m.patterns)); err != nil {
		return nil, err
	}
	for i := range m.patterns {
		if ok, err := m.patterns[i].matches(s, b); ok || err != nil {
			return m.patterns[i].result, err
		}
	}
	if m.toInput {
		return v, nil
	}
	return m.fallback, nil
}

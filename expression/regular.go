package expression

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// Limits of a regular expression: of its text, and of the steps that all of an
// expression are compiled to.
const (
	maxPattern = 1 << 10
	maxSteps   = 4 << 10
)

// pattern is a regular expression, and how many steps it takes at most for a
// character.
type pattern struct {
	regexp *regexp.Regexp
	steps  int
}

// matcher matches with a regular expression that is written in the expression.
func (p *pattern) matcher(r *run, args []ref.Val) ref.Val {
	text, ok := args[0].(types.String)
	if !ok {
		return types.NewErr(noOverload)
	}
	if !r.charge(1 + times(len(text), p.steps)/4) {
		return over()
	}
	return types.Bool(p.regexp.MatchString(string(text)))
}

// matches is the function for a regular expression that is computed.
func matches(r *run, args []ref.Val) ref.Val {
	text, ok := args[1].(types.String)
	if !ok {
		return types.NewErr(noOverload)
	}
	if !r.charge(50 + len(text)*2) {
		return over()
	}
	steps, err := countSteps(string(text), maxSteps)
	if err != nil {
		return types.WrapErr(err)
	}
	if !r.charge(steps * 8) {
		return over()
	}
	compiled, err := regexp.Compile(string(text))
	if err != nil {
		return types.WrapErr(errPattern)
	}
	p := &pattern{regexp: compiled, steps: steps}
	return p.matcher(r, args)
}

var errPattern = errors.New("it is not valid")

// newPattern compiles a regular expression that is written in the expression,
// unless it takes more than so many steps.
func newPattern(text string, limit int) (*pattern, error) {
	steps, err := countSteps(text, limit)
	if err != nil {
		return nil, err
	}
	compiled, err := regexp.Compile(text)
	return &pattern{regexp: compiled, steps: steps}, err
}

// countSteps tells how large a regular expression is, before it is compiled.
func countSteps(text string, limit int) (int, error) {
	if len(text) > maxPattern {
		return 0, fmt.Errorf("it is longer than %d bytes", maxPattern)
	}
	parsed, err := syntax.Parse(text, syntax.Perl)
	var wrong *syntax.Error
	if errors.As(err, &wrong) {
		return 0, errors.New(string(wrong.Code))
	}
	if err != nil {
		return 0, errPattern
	}
	steps := stepsOf(parsed)
	if steps > limit {
		return 0, errors.New("it repeats too much")
	}
	return steps, nil
}

func stepsOf(re *syntax.Regexp) int {
	n := 1 + len(re.Rune)/8
	if re.Op == syntax.OpLiteral {
		n = 1 + len(re.Rune)
	}
	for _, sub := range re.Sub {
		n = min(n+stepsOf(sub), maxSteps+1)
	}
	if re.Op == syntax.OpRepeat {
		n = min(n*(1+max(re.Min, re.Max)), maxSteps+1)
	}
	return n
}

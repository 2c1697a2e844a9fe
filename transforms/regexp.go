package transforms

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// MaxInstructions bounds the size of a compiled regular expression, which the
// time to match a text is proportional to.
const MaxInstructions = 10_000

// MaxAllInstructions bounds the size of all those of an input: what an expression
// takes of memory, and of time to compile, grows with its size.
const MaxAllInstructions = 200_000

// expression is a regular expression whose cost is known.
type expression struct {
	*regexp.Regexp

	instructions int
	lookahead    int // bytes behind a match that finding it looks at; -1 if unbounded
}

// Expressions are the regular expressions of one input: equal ones are compiled
// once, and all together may not be too large. It is not safe for concurrent use.
type Expressions struct {
	compiled     map[string]*expression
	instructions int
}

// NewExpressions returns none.
func NewExpressions() *Expressions { return &Expressions{compiled: make(map[string]*expression)} }

func (x *Expressions) compile(at *field.Path, text string) (*expression, *field.Error) {
	if e, ok := x.compiled[text]; ok {
		return e, nil
	}
	if x.instructions > MaxAllInstructions {
		return nil, invalid(at, text, fmt.Sprintf("the regular expressions of the input are too large together: they may have %d instructions", MaxAllInstructions))
	}
	e, problem := compileRegexp(at, text)
	if problem != nil {
		return nil, problem
	}
	x.instructions += e.instructions
	x.compiled[text] = e
	return e, nil
}

func compileRegexp(at *field.Path, text string) (*expression, *field.Error) {
	tree, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return nil, invalid(at, text, quote(text)+" is no regular expression: "+syntaxProblem(err))
	}
	lookahead := maxLookahead(tree)
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, invalid(at, text, quote(text)+" is no regular expression: "+syntaxProblem(err))
	}
	if n := len(program.Inst); n > MaxInstructions {
		return nil, invalid(at, text, fmt.Sprintf("%s is too large: it compiles to %d instructions, and may to %d; repeat less", quote(text), n, MaxInstructions))
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, invalid(at, text, quote(text)+" is no regular expression: "+syntaxProblem(err))
	}
	return &expression{Regexp: re, instructions: len(program.Inst), lookahead: lookahead}, nil
}

func syntaxProblem(err error) string {
	var problem *syntax.Error
	if !errors.As(err, &problem) {
		return err.Error()
	}
	if problem.Expr == "" {
		return problem.Code.String()
	}
	return problem.Code.String() + ": " + quote(problem.Expr)
}

// spend accounts for looking at so many bytes of text. A byte can take some
// 6 ns for each instruction.
func (e *expression) spend(length int, b *fieldpath.Budget) error {
	return b.Spend(1 + length*e.instructions/2)
}

func compileRegexpType(at *field.Path, s *v1beta1.StringTransform, x *Expressions) (Func, field.ErrorList) {
	at = at.Child("regexp")
	if s.Regexp == nil || s.Regexp.Match == "" {
		return nil, one(required(at.Child("match"), "string of type Regexp needs a regular expression, such as {match: \"[0-9]+\"}"))
	}
	var errs field.ErrorList
	re, problem := x.compile(at.Child("match"), s.Regexp.Match)
	if problem != nil {
		errs = append(errs, problem)
	}
	group := int64(0)
	if s.Regexp.Group != nil {
		group = *s.Regexp.Group
	}
	if problem := checkGroup(at.Child("group"), group, re); problem != nil {
		errs = append(errs, problem)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return onText(extractor(re, int(group))), nil
}

// checkGroup checks as much as can be without an expression that compiles.
func checkGroup(at *field.Path, group int64, re *expression) *field.Error {
	switch {
	case group < 0:
		return invalid(at, group, "a group cannot be negative; 0 is the whole match")
	case re != nil && group > int64(re.NumSubexp()):
		return invalid(at, group, fmt.Sprintf("there is no group %d in the regular expression, which has %d; 0 is the whole match", group, re.NumSubexp()))
	}
	return nil
}

// extractor returns what a group matches, which is empty if it takes no part.
func extractor(re *expression, group int) func(string, *fieldpath.Budget) (string, error) {
	return func(s string, b *fieldpath.Budget) (string, error) {
		if err := re.spend(len(s), b); err != nil {
			return "", err
		}
		found := re.FindStringSubmatchIndex(s)
		if found == nil {
			return "", unusable(s, "the regular expression "+quote(re.String())+" matches nothing")
		}
		if found[2*group] < 0 {
			return "", nil
		}
		return s[found[2*group]:found[2*group+1]], nil
	}
}

package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// Compile parses and checks an expression, and prepares it to be evaluated. The
// error tells all its problems, as one text without a place.
func Compile(text string, s Scope, w Want) (e *Expression, err error) {
	defer func() {
		if recover() != nil {
			e, err = nil, errors.New("this expression cannot be compiled")
		}
	}()
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("an expression must not be empty")
	}
	if len(text) > maxText {
		return nil, fmt.Errorf("the expression is %d bytes long, at most %d are allowed", len(text), maxText)
	}
	if nesting(text) > maxDepth {
		return nil, errDeep
	}
	env, err := environments[s]()
	if err != nil {
		return nil, err
	}
	parsed, issues := env.cel.Parse(text)
	if issues.Err() != nil {
		return nil, syntaxProblems(issues, text)
	}
	calls, parts, loops := partsOf(parsed.NativeRep().Expr())
	if parts > maxParts || loops > maxLoops {
		return nil, errParts
	}
	checked, issues := env.cel.Check(parsed)
	if issues.Err() != nil {
		c := &checker{env: env, scope: s, text: text, calls: calls}
		return nil, c.problems(issues)
	}
	if err := checkResult(checked.OutputType(), checked.NativeRep().Expr(), w); err != nil {
		return nil, err
	}
	return plan(env, checked.NativeRep(), w)
}

var (
	errDeep  = fmt.Errorf("the expression is nested more than %d levels deep", maxDepth)
	errParts = errors.New("the expression has too many parts")
)

// nesting is how deep brackets are in one another. Those in a string count as
// well, which only makes the limit a little lower.
func nesting(text string) int {
	depth, deepest := 0, 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			depth++
			deepest = max(deepest, depth)
		case ')', ']', '}':
			depth = max(0, depth-1)
		}
	}
	return deepest
}

// checkResult checks what an expression comes to.
func checkResult(kind *cel.Type, root ast.Expr, w Want) error {
	switch {
	case kind.Kind() == types.DynKind, kind.Kind() == types.BoolKind, kind.Kind() == types.AnyKind:
		return nil
	case kind.Kind() == types.StringKind && w == Status:
		return checkStatus(root)
	}
	want := "a bool"
	if w == Status {
		want = `a bool, or to "True", "False" or "Unknown"`
	}
	hint := ""
	if kindOfType(kind.String()) == "an optional value" {
		hint = "; of an optional value get the value with .orValue(...)"
	}
	return fmt.Errorf("must come to %s, comes to %s%s", want, kindOfType(kind.String()), hint)
}

// checkStatus checks those strings that the expression has for its result.
func checkStatus(e ast.Expr) error {
	if e.Kind() == ast.CallKind && e.AsCall().FunctionName() == operators.Conditional {
		args := e.AsCall().Args()
		if err := checkStatus(args[1]); err != nil {
			return err
		}
		return checkStatus(args[2])
	}
	if e.Kind() == ast.LiteralKind {
		if s, ok := e.AsLiteral().(types.String); ok && !isStatus(string(s)) {
			return fmt.Errorf("%s, comes to %s", wantsStatus, shorten(literal(s)))
		}
	}
	return nil
}

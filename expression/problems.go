package expression

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/ast"
)

// maxProblems is how many problems of one expression are told.
const maxProblems = 5

// syntaxProblems tells why an expression cannot be parsed: the first problem only,
// as the others tend to follow from it.
func syntaxProblems(issues *cel.Issues, text string) error {
	for _, e := range issues.Errors() {
		return errors.New(syntaxProblem(e.Message) + position(e, text))
	}
	return errors.New("this is no expression")
}

var (
	unexpected = regexp.MustCompile(`^Syntax error: (?:mismatched input|extraneous input) '((?s).*)' expecting`)
	noWay      = regexp.MustCompile(`^Syntax error: no viable alternative at input '((?s).*)'$`)
	missing    = regexp.MustCompile(`^Syntax error: missing '(.*)' at '((?s).*)'$`)
	badToken   = regexp.MustCompile(`^Syntax error: token recognition error at: '((?s).*)'$`)
	badWord    = regexp.MustCompile(`^reserved identifier: (.*)$`)
)

// syntaxProblem says in plain words what the parser says.
func syntaxProblem(message string) string {
	if m := unexpected.FindStringSubmatch(message); m != nil {
		return unexpectedText(m[1])
	}
	if m := noWay.FindStringSubmatch(message); m != nil {
		return "syntax error at " + shorten(strconv.Quote(m[1]))
	}
	if m := missing.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("a %q is missing", shorten(m[1]))
	}
	if m := badToken.FindStringSubmatch(message); m != nil {
		if strings.TrimSpace(m[1]) == "=" {
			return unexpectedText("=")
		}
		if strings.HasPrefix(m[1], `"`) || strings.HasPrefix(m[1], `'`) {
			return "a string has no end"
		}
		return "unexpected " + shorten(strconv.Quote(m[1]))
	}
	if m := badWord.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("the word %s is reserved, and cannot be a name", shorten(m[1]))
	}
	return other(strings.TrimPrefix(message, "Syntax error: "))
}

func unexpectedText(what string) string {
	switch what = strings.TrimSpace(what); what {
	case "<EOF>":
		return "the expression ends too early"
	case "=", "= ":
		return `unexpected "=", write == to compare`
	}
	return "unexpected " + shorten(strconv.Quote(what))
}

// checker tells the problems of an expression that is not as its types demand.
type checker struct {
	env   *environment
	scope Scope
	text  string
	calls map[int64]bool // expressions that are calls

	listed bool // the variables, which is enough once
}

func (c *checker) problems(issues *cel.Issues) error {
	var all []string
	for _, e := range issues.Errors() {
		if p := c.problem(e); !slices.Contains(all, p) {
			all = append(all, p)
		}
	}
	if len(all) > maxProblems {
		all = append(all[:maxProblems], fmt.Sprintf("and %d more problems", len(all)-maxProblems))
	}
	return errors.New(strings.Join(all, "; "))
}

var (
	undeclared  = regexp.MustCompile(`^undeclared reference to '(.*)' \(in container '.*'\)$`)
	noMatch     = regexp.MustCompile(`^found no matching overload for '(.*)' applied to '(.*)'$`)
	noFields    = regexp.MustCompile(`^type '(.*)' does not support field selection$`)
	noElements  = regexp.MustCompile(`^expression of type '(.*)' cannot be range of a comprehension`)
	otherType   = regexp.MustCompile(`^expected type '(.*)' but found '(.*)'$`)
	noSelection = regexp.MustCompile(`^unsupported optional field selection`)
)

func (c *checker) problem(e *cel.Error) string {
	if m := undeclared.FindStringSubmatch(e.Message); m != nil {
		return c.undeclared(m[1], e)
	}
	return c.mistyped(e.Message) + position(e, c.text)
}

func (c *checker) mistyped(message string) string {
	if m := noMatch.FindStringSubmatch(message); m != nil {
		return unfit(m[1], kindsOfTypes(m[2]))
	}
	if m := noFields.FindStringSubmatch(message); m != nil {
		return kindOfType(m[1]) + " has no fields"
	}
	if m := noElements.FindStringSubmatch(message); m != nil {
		return kindOfType(m[1]) + " has no elements to go through"
	}
	if m := otherType.FindStringSubmatch(message); m != nil {
		return fmt.Sprintf("needs %s, is %s", kindOfType(m[1]), kindOfType(m[2]))
	}
	if noSelection.MatchString(message) {
		return "after .? there must be the name of a field"
	}
	return other(message)
}

var limits = regexp.MustCompile(`(recursion|nesting|depth)|(count exceeds limit)|(error recovery)`)

// other is a problem that needs no other words, or that of a limit.
func other(message string) string {
	switch m := limits.FindStringSubmatch(message); {
	case m == nil:
		return oneLine(message)
	case m[1] != "":
		return errDeep.Error()
	case m[2] != "":
		return errParts.Error()
	}
	return "this is no expression"
}

// undeclared says that there is no such variable or function, and what was meant.
func (c *checker) undeclared(name string, e *cel.Error) string {
	for i := range variables {
		switch v := &variables[i]; {
		case v.name != name:
		case v.loop:
			return fmt.Sprintf("%s exists only in a resource with forEach", name)
		case v.self:
			return "self exists only in readiness checks"
		}
	}
	what, known := "variable", c.variables()
	if c.calls[e.ExprID] {
		what, known = "function", c.env.names
	}
	problem := fmt.Sprintf("unknown %s %q", what, shorten(name))
	if meant := closest(name, known); meant != "" {
		return fmt.Sprintf("%s, did you mean %q?", problem, meant)
	}
	if what == "variable" && !c.listed {
		c.listed = true
		problem += "; there are " + strings.Join(known, ", ")
	}
	return problem
}

func (c *checker) variables() []string {
	var names []string
	for i := range variables {
		if variables[i].in(c.scope) {
			names = append(names, variables[i].name)
		}
	}
	return names
}

// kindsOfTypes reads the types of arguments: (string, list(int)), or
// string.(int) for a function that is called on a value.
func kindsOfTypes(signature string) []string {
	target, list := "", signature
	if !strings.HasPrefix(signature, "(") {
		if i := strings.Index(signature, ".("); i >= 0 {
			target, list = signature[:i], signature[i+1:]
		}
	}
	var kinds []string
	if target != "" {
		kinds = append(kinds, kindOfType(target))
	}
	list = strings.TrimSuffix(strings.TrimPrefix(list, "("), ")")
	depth, start := 0, 0
	for i, c := range list + "," {
		switch {
		case c == '(':
			depth++
		case c == ')':
			depth--
		case c == ',' && depth == 0:
			if kind := strings.TrimSpace(list[start:i]); kind != "" {
				kinds = append(kinds, kindOfType(kind))
			}
			start = i + 1
		}
	}
	return kinds
}

// position says where in the text a problem is.
func position(e *cel.Error, text string) string {
	if e.Location == nil || e.Location.Line() < 1 {
		return ""
	}
	if strings.Contains(strings.TrimSpace(text), "\n") {
		return fmt.Sprintf(" (line %d, column %d)", e.Location.Line(), e.Location.Column()+1)
	}
	return fmt.Sprintf(" (column %d)", e.Location.Column()+1)
}

func oneLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return shorten(strings.TrimSpace(line))
}

// shorten cuts a text to what an error shows of it.
func shorten(text string) string {
	if len(text) <= maxShown {
		return text
	}
	cut := maxShown
	for cut > 0 && text[cut]&0xC0 == 0x80 {
		cut--
	}
	return text[:cut] + "…"
}

// partsOf returns which parts of an expression are calls, and how many parts and
// loops there are.
func partsOf(root ast.Expr) (calls map[int64]bool, parts, loops int) {
	calls = map[int64]bool{}
	ast.PostOrderVisit(root, ast.NewExprVisitor(func(e ast.Expr) {
		parts++
		switch e.Kind() {
		case ast.CallKind:
			calls[e.ID()] = true
		case ast.ComprehensionKind:
			loops++
		}
	}))
	return calls, parts, loops
}

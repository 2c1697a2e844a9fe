package expression

import (
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// call makes the node of an operator or function.
func (b *builder) call(e ast.Expr, fallback string) node {
	c := e.AsCall()
	args := c.Args()
	if c.IsMemberFunction() {
		args = append([]ast.Expr{c.Target()}, args...)
	}
	switch c.FunctionName() {
	case operators.LogicalAnd:
		return &logic{terms: b.bools(args), exprs: args, decides: types.False}
	case operators.LogicalOr:
		return &logic{terms: b.bools(args), exprs: args, decides: types.True}
	case operators.Conditional:
		return &choice{condition: b.node(args[0], "false"), yes: b.node(args[1], fallback), no: b.node(args[2], fallback), expr: args[0]}
	case operators.Equals, operators.NotEquals:
		n := b.compared(args)
		return b.folded(&equality{left: n[0], right: n[1], differ: c.FunctionName() == operators.NotEquals}, n)
	case operators.Index, operators.OptIndex, operators.OptSelect:
		return b.path(e, fallback)
	case operators.NotStrictlyFalse:
		return notFalse{b.node(args[0], "false")}
	case "or":
		return &orElse{optional: b.node(args[0], "..."), other: b.node(args[1], "..."), expr: args[0]}
	case "orValue":
		return &orElse{optional: b.node(args[0], "..."), other: b.node(args[1], fallback), expr: args[0], value: true}
	}
	return b.function(e, c.FunctionName(), args, fallback)
}

func (b *builder) bools(args []ast.Expr) []node {
	nodes := make([]node, len(args))
	for i, a := range args {
		nodes[i] = b.node(a, "false")
	}
	return nodes
}

// compared makes the nodes of values that are to be of a kind.
func (b *builder) compared(args []ast.Expr) []node {
	fallbacks := slices.Repeat([]string{"..."}, len(args))
	for i, a := range args {
		if a.Kind() == ast.LiteralKind && len(args) == 2 {
			fallbacks[1-i] = literalOf(a.AsLiteral())
		}
	}
	nodes := make([]node, len(args))
	for i, a := range args {
		nodes[i] = b.node(a, fallbacks[i])
	}
	return nodes
}

// texts are functions that are called on a string.
var texts = []string{"startsWith", "endsWith", "contains", "matches", "lowerAscii", "upperAscii", "replace", "split", "substring", "trim"}

// arguments makes the nodes of the arguments of a function.
func (b *builder) arguments(name string, args []ast.Expr, fallback string) []node {
	first := "..."
	switch {
	case slices.Contains(texts, name):
		first = `""`
	case name == "size":
		first = "[]"
	case name == operators.LogicalNot:
		first = "false"
	case name == operators.In:
		return []node{b.node(args[0], "..."), b.node(args[1], "[]")}
	case len(args) == 2 && isOperator(name):
		return b.compared(args)
	case name == "dyn":
		first = fallback
	}
	nodes := make([]node, len(args))
	for i, a := range args {
		nodes[i] = b.node(a, first)
		first = "..."
	}
	return nodes
}

func isOperator(name string) bool {
	symbol, ok := operators.FindReverse(name)
	return ok && symbol != ""
}

func (b *builder) function(e ast.Expr, name string, args []ast.Expr, fallback string) node {
	n := &call{function: name, cost: costOf(name), exprs: args, bound: b.overload(e.ID(), name), own: own[name]}
	if n.bound == nil && n.own == nil {
		if b.err == nil {
			b.err = errNoFunction
		}
		return n
	}
	n.args = b.arguments(name, args, fallback)
	if name == "matches" {
		b.matches(n)
	}
	return b.folded(n, n.args)
}

// overload returns the one function that is meant, or that which finds it out
// from the kinds of the values.
func (b *builder) overload(id int64, name string) *functions.Overload {
	if reference, ok := b.checked.ReferenceMap()[id]; ok && len(reference.OverloadIDs) == 1 {
		if f := b.env.functions[reference.OverloadIDs[0]]; f != nil {
			return f
		}
	}
	return b.env.functions[name]
}

// matches compiles a regular expression that is written in the expression.
func (b *builder) matches(n *call) {
	c, ok := n.args[1].(*constant)
	if !ok {
		return
	}
	text, ok := c.value.(types.String)
	if !ok {
		return
	}
	p, err := newPattern(string(text), maxSteps-b.steps)
	if err != nil {
		b.problem("the regular expression %s is not valid: %s", shorten(literal(text)), err)
		return
	}
	b.steps += p.steps
	n.own = p.matcher
}

package expression

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/parser"
)

// place is what is known of a part of an expression from what is around it.
type place struct {
	expr     ast.Expr
	whole    ast.Expr // of a step, the path that it is in
	fallback string   // what would do in the place of the whole where that is missing
	want     want
	turn     int // of the condition of a loop: the work of a turn
}

// placer finds the places of all parts of a checked expression.
type placer struct {
	checked *ast.AST
	places  map[int64]*place
	bound   []string // variables that macros such as optMap bind to a value
	loops   bool
	nodes   int
	err     error
}

// visit visits an expression. The fallback is what it might be where something
// is missing, for an error to suggest.
func (p *placer) visit(e ast.Expr, fallback string) {
	p.nodes++
	p.places[e.ID()] = &place{expr: e}
	switch e.Kind() {
	case ast.IdentKind:
		if slices.Contains(p.bound, e.AsIdent()) {
			p.want(e, wantFixed)
		}
	case ast.SelectKind:
		if _, isName := p.checked.ReferenceMap()[e.ID()]; !isName {
			p.path(e, fallback)
		}
	case ast.CallKind:
		p.call(e, fallback)
	case ast.ListKind:
		p.list(e.AsList())
	case ast.MapKind:
		p.mapping(e.AsMap())
	case ast.ComprehensionKind:
		p.loop(e.AsComprehension(), fallback)
	case ast.StructKind:
		p.problem(fmt.Errorf("messages such as %s{...} are not available", shorten(e.AsStruct().TypeName())))
	case ast.LiteralKind:
	default:
		p.problem(errors.New("this expression has a part that is not available"))
	}
}

func (p *placer) problem(err error) {
	if p.err == nil {
		p.err = err
	}
}

// want says what the value of a part must be, unless its type says so already.
func (p *placer) want(e ast.Expr, w want) {
	if !w.known(p.checked.GetType(e.ID())) {
		p.places[e.ID()].want = w
	}
}

// path visits a chain of selections and indexes, of which e is the last.
func (p *placer) path(e ast.Expr, fallback string) {
	whole := e
	for {
		at := &place{expr: e, whole: whole, fallback: fallback}
		switch {
		case e.Kind() == ast.SelectKind && p.checked.ReferenceMap()[e.ID()] == nil:
			p.places[e.ID()] = at
			e = e.AsSelect().Operand()
		case isIndex(e):
			p.places[e.ID()] = at
			p.visit(e.AsCall().Args()[1], "...")
			e = e.AsCall().Args()[0]
		default:
			p.visit(e, "...")
			return
		}
	}
}

func isIndex(e ast.Expr) bool {
	if e.Kind() != ast.CallKind {
		return false
	}
	f := e.AsCall().FunctionName()
	return f == operators.Index || f == operators.OptIndex || f == operators.OptSelect
}

func (p *placer) list(l ast.ListExpr) {
	for i, e := range l.Elements() {
		p.visit(e, "...")
		if l.IsOptional(int32(i)) {
			p.want(e, wantOptional)
		}
	}
}

func (p *placer) mapping(m ast.MapExpr) {
	for _, e := range m.Entries() {
		entry := e.AsMapEntry()
		p.visit(entry.Key(), "...")
		p.want(entry.Key(), wantKey)
		p.visit(entry.Value(), "...")
		if entry.IsOptional() {
			p.want(entry.Value(), wantOptional)
		}
	}
}

// loop visits what a macro became.
func (p *placer) loop(c ast.ComprehensionExpr, fallback string) {
	p.loops = true
	p.visit(c.IterRange(), "[]")
	p.want(c.IterRange(), wantElements)
	p.visit(c.AccuInit(), "...")
	if c.AccuVar() != parser.HiddenAccumulatorName {
		p.bound = append(p.bound, c.AccuVar())
	}
	counted := p.nodes
	p.visit(c.LoopCondition(), "false")
	p.visit(c.LoopStep(), fallback)
	again := p.places[c.LoopCondition().ID()]
	again.want, again.turn = wantTurn, 1+p.nodes-counted
	p.visit(c.Result(), fallback)
}

// call visits the arguments of an operator or function.
func (p *placer) call(e ast.Expr, fallback string) {
	if isIndex(e) {
		p.path(e, fallback)
		return
	}
	name, args := e.AsCall().FunctionName(), operands(e)
	for i, f := range p.fallbacks(name, args, fallback) {
		p.visit(args[i], f)
	}
	switch name {
	case operators.LogicalAnd, operators.LogicalOr:
		p.want(args[0], wantBool)
		p.want(args[1], wantBool)
	case operators.Conditional:
		p.want(args[0], wantBool)
	}
}

// operands are the arguments of a call, with the value that it is called on.
func operands(e ast.Expr) []ast.Expr {
	c := e.AsCall()
	if c.IsMemberFunction() {
		return append([]ast.Expr{c.Target()}, c.Args()...)
	}
	return c.Args()
}

// texts are functions that are called on a string.
var texts = []string{"startsWith", "endsWith", "contains", "matches", "lowerAscii", "upperAscii", "replace", "split", "substring", "trim"}

// fallbacks are what would do for each argument of a function.
func (p *placer) fallbacks(name string, args []ast.Expr, fallback string) []string {
	f := slices.Repeat([]string{"..."}, len(args))
	switch {
	case name == operators.LogicalAnd, name == operators.LogicalOr:
		f[0], f[1] = "false", "false"
	case name == operators.Conditional:
		f[0], f[1], f[2] = "false", fallback, fallback
	case name == "orValue":
		f[1] = fallback
	case name == operators.In:
		f[1] = "[]"
	case name == operators.LogicalNot, name == operators.NotStrictlyFalse:
		f[0] = "false"
	case len(args) == 2 && isOperator(name):
		for i, a := range args {
			if a.Kind() == ast.LiteralKind {
				f[1-i] = literalOf(a.AsLiteral())
			}
		}
	case slices.Contains(texts, name):
		f[0] = `""`
	case name == "size":
		f[0] = "[]"
	case name == "dyn":
		f[0] = fallback
	}
	return f
}

func isOperator(name string) bool {
	symbol, ok := operators.FindReverse(name)
	return ok && symbol != ""
}

// literalOf returns what would do in the place of a value that is compared to a
// literal: one of its kind.
func literalOf(v ref.Val) string {
	switch v.(type) {
	case types.String:
		return `""`
	case types.Bool:
		return "false"
	case types.Int, types.Uint:
		return "0"
	case types.Double:
		return "0.0"
	case types.Null:
		return "null"
	}
	return "..."
}

package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/parser"
)

// maxFolded is how large a value may be that is computed when an expression is
// compiled, and kept.
const maxFolded = 1000

// builder makes the nodes of a checked expression.
type builder struct {
	env     *environment
	checked *ast.AST
	locals  []binding // of the loops around, the innermost last
	slots   int
	loops   bool
	nodes   int
	fold    *run // evaluates what is constant
	steps   int  // of the regular expressions so far
	err     error
}

// binding is a variable of a loop.
type binding struct {
	name string
	slot int
}

func build(env *environment, checked *ast.AST, w Want) (*Expression, error) {
	b := &builder{env: env, checked: checked, fold: &run{left: maxWork}}
	fallback := "false"
	if w == Status {
		fallback = `"Unknown"`
	}
	root := b.node(checked.Expr(), fallback)
	if b.err != nil {
		return nil, b.err
	}
	uses, members := references(checked.Expr())
	return &Expression{root: root, slots: b.slots, loops: b.loops, uses: uses, members: members}, nil
}

func (b *builder) problem(format string, args ...any) node {
	if b.err == nil {
		b.err = fmt.Errorf(format, args...)
	}
	return &constant{types.False}
}

// node makes the node of an expression. The fallback is what it might be where
// something is missing, for an error to suggest.
func (b *builder) node(e ast.Expr, fallback string) node {
	b.nodes++
	switch e.Kind() {
	case ast.LiteralKind:
		return &constant{e.AsLiteral()}
	case ast.IdentKind:
		return b.ident(e)
	case ast.SelectKind:
		if _, isName := b.checked.ReferenceMap()[e.ID()]; isName {
			return b.ident(e)
		}
		return b.path(e, fallback)
	case ast.CallKind:
		return b.call(e, fallback)
	case ast.ListKind:
		return b.list(e.AsList())
	case ast.MapKind:
		return b.mapping(e.AsMap())
	case ast.ComprehensionKind:
		return b.loop(e.AsComprehension(), fallback)
	case ast.StructKind:
		return b.problem("messages such as %s{...} are not available", shorten(e.AsStruct().TypeName()))
	}
	return b.problem("this expression has a part that is not available")
}

// ident makes the node of a variable or of the name of a type.
func (b *builder) ident(e ast.Expr) node {
	reference, ok := b.checked.ReferenceMap()[e.ID()]
	if ok && reference.Value != nil {
		return &constant{reference.Value}
	}
	// With a dot before it, a name is that of no variable of a loop.
	name, outer := reference.Name, false
	if e.Kind() == ast.IdentKind {
		outer = strings.HasPrefix(e.AsIdent(), ".")
	}
	outer = outer || strings.HasPrefix(name, ".")
	name = strings.TrimPrefix(name, ".")
	for i := len(b.locals) - 1; i >= 0 && !outer; i-- {
		if b.locals[i].name == name {
			return &local{b.locals[i].slot}
		}
	}
	for i := range variables {
		if variables[i].name == name {
			return &global{i}
		}
	}
	if kind, found := b.env.cel.CELTypeProvider().FindIdent(name); found {
		return &constant{kind}
	}
	return b.problem("unknown variable %q", shorten(name))
}

// path makes one node of a chain of selections and indexes.
func (b *builder) path(e ast.Expr, fallback string) node {
	p := &path{fallback: fallback}
	p.test = e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly()
	for {
		s, ok := b.step(e)
		if !ok {
			break
		}
		p.steps = append([]step{s}, p.steps...)
		e = s.operand
	}
	p.root = b.node(e, "...")
	return p
}

// step is the last step of a chain.
func (b *builder) step(e ast.Expr) (step, bool) {
	if e.Kind() == ast.SelectKind {
		if _, isName := b.checked.ReferenceMap()[e.ID()]; isName {
			return step{}, false
		}
		s := e.AsSelect()
		return step{name: s.FieldName(), operand: s.Operand(), expr: e}, true
	}
	if e.Kind() != ast.CallKind || !isIndex(e.AsCall().FunctionName()) {
		return step{}, false
	}
	args := e.AsCall().Args()
	s := step{operand: args[0], expr: e, optional: e.AsCall().FunctionName() != operators.Index}
	key := b.node(args[1], "...")
	if c, ok := key.(*constant); ok {
		if name, ok := c.value.(types.String); ok {
			s.name = string(name)
			return s, true
		}
	}
	s.key = key
	return s, true
}

func isIndex(function string) bool {
	return function == operators.Index || function == operators.OptIndex || function == operators.OptSelect
}

func (b *builder) list(l ast.ListExpr) node {
	n := &listing{optional: map[int]bool{}}
	for _, i := range l.OptionalIndices() {
		n.optional[int(i)] = true
	}
	for _, e := range l.Elements() {
		n.elements = append(n.elements, b.node(e, "..."))
	}
	return b.folded(n, n.elements)
}

func (b *builder) mapping(m ast.MapExpr) node {
	n := &mapping{optional: map[int]bool{}}
	for i, e := range m.Entries() {
		entry := e.AsMapEntry()
		n.optional[i] = entry.IsOptional()
		n.keys = append(n.keys, b.node(entry.Key(), "..."))
		n.values = append(n.values, b.node(entry.Value(), "..."))
	}
	return b.folded(n, append(append([]node{}, n.keys...), n.values...))
}

// folded evaluates a node whose parts are all constant, now. What takes too much
// is a problem now as well; what fails may never be evaluated.
func (b *builder) folded(n node, parts []node) node {
	for _, p := range parts {
		if _, ok := p.(*constant); !ok {
			return n
		}
	}
	v := n.eval(b.fold)
	if b.fold.left < 0 && b.err == nil {
		b.err = errLimit
	}
	if types.IsError(v) || b.err != nil || depth(v, maxFolded) > maxFolded {
		return n
	}
	return &constant{v}
}

// loop makes the node of a macro.
func (b *builder) loop(c ast.ComprehensionExpr, fallback string) node {
	b.loops = true
	l := &loop{expr: c.IterRange(), second: -1, over: b.node(c.IterRange(), "[]")}
	before := len(b.locals)
	l.init = b.node(c.AccuInit(), "...")
	l.result = b.bind(c.AccuVar())
	l.collects = c.AccuVar() == parser.HiddenAccumulatorName && isEmpty(c.AccuInit())
	inResult := len(b.locals)
	l.first = b.bind(c.IterVar())
	if c.HasIterVar2() {
		l.second = b.bind(c.IterVar2())
	}
	counted := b.nodes
	l.again = b.node(c.LoopCondition(), "false")
	l.step = b.node(c.LoopStep(), fallback)
	l.turn = 1 + b.nodes - counted
	b.locals = b.locals[:inResult]
	l.value = b.node(c.Result(), fallback)
	b.locals = b.locals[:before]
	return l
}

func (b *builder) bind(name string) int {
	b.locals = append(b.locals, binding{name: name, slot: b.slots})
	b.slots++
	return b.slots - 1
}

func isEmpty(e ast.Expr) bool {
	return e.Kind() == ast.ListKind && e.AsList().Size() == 0 || e.Kind() == ast.MapKind && e.AsMap().Size() == 0
}

var errNoFunction = errors.New("this expression calls a function that is not available")

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

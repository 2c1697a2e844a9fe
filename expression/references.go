package expression

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
)

// finder finds which variables an expression refers to.
type finder struct {
	uses    map[string]bool
	members map[string]map[string]bool
	hidden  map[string]int // by a variable of a loop around
}

func references(root ast.Expr) (map[string]bool, map[string][]string) {
	f := &finder{uses: map[string]bool{}, members: map[string]map[string]bool{}, hidden: map[string]int{}}
	f.visit(root)
	members := map[string][]string{}
	for variable, names := range f.members {
		members[variable] = slices.Sorted(maps.Keys(names))
	}
	return f.uses, members
}

func (f *finder) visit(e ast.Expr) {
	switch e.Kind() {
	case ast.IdentKind:
		if name, ok := f.variable(e); ok {
			f.uses[name] = true
		}
	case ast.SelectKind:
		f.member(e.AsSelect().Operand(), e.AsSelect().FieldName())
		f.visit(e.AsSelect().Operand())
	case ast.CallKind:
		f.visitCall(e.AsCall())
	case ast.ListKind:
		f.visitAll(e.AsList().Elements())
	case ast.MapKind:
		for _, entry := range e.AsMap().Entries() {
			f.visit(entry.AsMapEntry().Key())
			f.visit(entry.AsMapEntry().Value())
		}
	case ast.ComprehensionKind:
		f.visitLoop(e.AsComprehension())
	}
}

func (f *finder) visitAll(all []ast.Expr) {
	for _, e := range all {
		f.visit(e)
	}
}

func (f *finder) visitCall(c ast.CallExpr) {
	if c.IsMemberFunction() {
		f.visit(c.Target())
	}
	f.visitAll(c.Args())
	of, key := 0, 1
	switch c.FunctionName() {
	case operators.In:
		of, key = 1, 0
	case operators.Index, operators.OptIndex, operators.OptSelect:
	default:
		return
	}
	if literal := c.Args()[key]; literal.Kind() == ast.LiteralKind {
		if name, ok := literal.AsLiteral().(types.String); ok {
			f.member(c.Args()[of], string(name))
		}
	}
}

func (f *finder) visitLoop(c ast.ComprehensionExpr) {
	f.visit(c.IterRange())
	f.visit(c.AccuInit())
	f.hidden[c.AccuVar()]++
	iteration := []string{c.IterVar()}
	if c.HasIterVar2() {
		iteration = append(iteration, c.IterVar2())
	}
	for _, name := range iteration {
		f.hidden[name]++
	}
	f.visit(c.LoopCondition())
	f.visit(c.LoopStep())
	for _, name := range iteration {
		f.hidden[name]--
	}
	f.visit(c.Result())
	f.hidden[c.AccuVar()]--
}

func (f *finder) member(of ast.Expr, name string) {
	variable, ok := f.variable(of)
	if !ok {
		return
	}
	if f.members[variable] == nil {
		f.members[variable] = map[string]bool{}
	}
	f.members[variable][name] = true
}

// variable returns the name of a variable of the caller.
func (f *finder) variable(e ast.Expr) (string, bool) {
	if e.Kind() != ast.IdentKind {
		return "", false
	}
	name, outer := strings.CutPrefix(e.AsIdent(), ".")
	if !slices.ContainsFunc(variables[:], func(v variable) bool { return v.name == name }) {
		return "", false // the name of a type
	}
	return name, outer || f.hidden[name] == 0
}

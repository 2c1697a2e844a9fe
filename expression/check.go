package expression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
)

// want is what the value of a part of an expression must be, where it is.
type want int8

const (
	wantAny      want = iota
	wantBool          // of && and ||, and the condition of ?:
	wantKey           // of a map
	wantOptional      // after a ? in a list or map
	wantElements      // to loop over
	wantFixed         // not a list that the interpreter lets grow in place
	wantTurn          // the condition of a loop, which counts the turns
)

// known tells whether all values of a type are what is wanted.
func (w want) known(t *types.Type) bool {
	switch w {
	case wantBool:
		return t.Kind() == types.BoolKind
	case wantKey:
		return t.Kind() == types.StringKind || t.Kind() == types.IntKind
	case wantOptional:
		return t.Kind() == types.OpaqueKind
	case wantElements:
		return t.Kind() == types.ListKind
	}
	return false
}

// isTest tells whether a part of an expression is has(...).
func isTest(e ast.Expr) bool { return e.Kind() == ast.SelectKind && e.AsSelect().IsTestOnly() }

// checked returns a node that evaluates another, and then checks its value.
func (p *place) checked(i interpreter.InterpretableV2) interpreter.InterpretableV2 {
	switch p.want {
	case wantAny:
		return i
	case wantTurn:
		return &node{id: i.ID(), exec: func(frame *interpreter.ExecutionFrame) ref.Val {
			if !runOf(frame).charge(p.turn) {
				return types.False // Which ends the loop.
			}
			return i.Exec(frame)
		}}
	}
	return &node{id: i.ID(), exec: func(frame *interpreter.ExecutionFrame) ref.Val {
		v := i.Exec(frame)
		if types.IsError(v) {
			return v
		}
		return p.check(runOf(frame), v)
	}}
}

func (p *place) check(r *run, v ref.Val) ref.Val {
	switch p.want {
	case wantBool:
		if _, ok := v.(types.Bool); !ok {
			return fail(fmt.Errorf("%s must be a bool, is %s", show(p.expr), kindOf(v)))
		}
	case wantKey:
		if !isKey(v) {
			return fail(fmt.Errorf("%s cannot be the key of a map", kindOf(v)))
		}
	case wantOptional:
		if _, ok := v.(*types.Optional); !ok {
			return fail(fmt.Errorf("%s is no optional value, which must follow a ?", kindOf(v)))
		}
	case wantElements:
		return p.elements(r, v)
	case wantFixed:
		if list, ok := v.(traits.MutableLister); ok {
			return list.ToImmutableList()
		}
	}
	return v
}

// isKey tells whether a value may be a key. Others may be no keys of Go maps.
func isKey(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Bool, types.Int, types.Uint, types.Double:
		return true
	}
	return false
}

// elements returns what a loop goes over, in an order that is always the same.
func (p *place) elements(r *run, v ref.Val) ref.Val {
	switch t := v.(type) {
	case traits.Lister:
		return v
	case *lazy:
		keys, err := t.sorted()
		if err != nil {
			return fail(err)
		}
		if !r.charge(times(len(keys), 4)) {
			return over()
		}
		return v
	case traits.Mapper:
		if !r.charge(times(length(t), 4)) {
			return over()
		}
		return newEntries(t)
	}
	return fail(fmt.Errorf("%s is %s, which has no elements", show(p.expr), kindOf(v)))
}

// entries is a map that goes over its keys in order.
type entries struct {
	traits.Mapper

	keys []ref.Val
}

func newEntries(m traits.Mapper) *entries {
	e := &entries{Mapper: m, keys: make([]ref.Val, 0, length(m))}
	for it := m.Iterator(); it.HasNext() == types.True; {
		e.keys = append(e.keys, it.Next())
	}
	slices.SortStableFunc(e.keys, compareKeys)
	return e
}

// Iterator goes over the keys.
func (e *entries) Iterator() traits.Iterator {
	return types.NewRefValList(types.DefaultTypeAdapter, e.keys).Iterator()
}

// compareKeys puts keys of a kind in order, and kinds by name.
func compareKeys(a, b ref.Val) int {
	if c, ok := a.(traits.Comparer); ok && a.Type() == b.Type() {
		if n, ok := c.Compare(b).(types.Int); ok {
			return int(n)
		}
	}
	return strings.Compare(a.Type().TypeName(), b.Type().TypeName())
}

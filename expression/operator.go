package expression

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// logic is && or ||. A term that fails does not matter if another one decides.
type logic struct {
	terms   []node
	decides types.Bool // false for &&, true for ||
	exprs   []ast.Expr
}

func (l *logic) eval(r *run) ref.Val {
	var failed ref.Val
	for i, term := range l.terms {
		v := term.eval(r)
		b, ok := v.(types.Bool)
		if ok && b == l.decides {
			return b
		}
		if !ok && failed == nil {
			if failed = v; !types.IsError(v) {
				failed = notBool(l.exprs[i], v)
			}
		}
	}
	if failed != nil {
		return failed
	}
	return !l.decides
}

func notBool(e ast.Expr, v ref.Val) ref.Val {
	return fail(fmt.Errorf("%s must be a bool, is %s", show(e), kindOf(v)))
}

// choice is the operator ?:.
type choice struct {
	condition, yes, no node
	expr               ast.Expr // of the condition
}

func (c *choice) eval(r *run) ref.Val {
	switch v := c.condition.eval(r).(type) {
	case types.Bool:
		if v {
			return c.yes.eval(r)
		}
		return c.no.eval(r)
	case *types.Err:
		return v
	default:
		return notBool(c.expr, v)
	}
}

// equality is == or !=.
type equality struct {
	left, right node
	differ      bool
}

func (e *equality) eval(r *run) ref.Val {
	left := e.left.eval(r)
	if types.IsError(left) {
		return left
	}
	right := e.right.eval(r)
	if types.IsError(right) {
		return right
	}
	v := r.equal(left, right)
	if b, ok := v.(types.Bool); ok {
		return types.Bool(bool(b) != e.differ)
	}
	return v
}

// equal compares as cel-go does, but counts its work.
func (r *run) equal(a, b ref.Val) ref.Val {
	switch x := a.(type) {
	case types.String:
		y, ok := b.(types.String)
		if ok && len(x) == len(y) {
			r.charge(len(x) / 64)
		}
		return types.Bool(ok && x == y)
	case *types.Err:
		return x
	case traits.Lister:
		if y, ok := b.(traits.Lister); ok {
			return r.equalLists(x, y)
		}
		return types.False
	case traits.Mapper:
		if y, ok := b.(traits.Mapper); ok {
			return r.equalMaps(x, y)
		}
		return types.False
	case *types.Optional:
		if y, ok := b.(*types.Optional); ok && x.HasValue() && y.HasValue() {
			return r.equal(x.GetValue(), y.GetValue())
		}
	}
	return types.Equal(a, b)
}

func (r *run) equalLists(a, b traits.Lister) ref.Val {
	n := length(a)
	if n != length(b) {
		return types.False
	}
	for i := range n {
		if !r.charge(1) {
			return over()
		}
		if v := r.equal(a.Get(types.Int(i)), b.Get(types.Int(i))); v != types.True {
			return v
		}
	}
	return types.True
}

func (r *run) equalMaps(a, b traits.Mapper) ref.Val {
	left, right := a.Size(), b.Size()
	for _, size := range []ref.Val{left, right} {
		if types.IsError(size) {
			return size
		}
	}
	if left != right {
		return types.False
	}
	for it := a.Iterator(); it.HasNext() == types.True; {
		key := it.Next()
		if !r.charge(3) {
			return over()
		}
		left, _ := a.Find(key)
		right, found := b.Find(key)
		if types.IsError(right) {
			return right
		}
		if !found {
			return types.False
		}
		if v := r.equal(left, right); v != types.True {
			return v
		}
	}
	return types.True
}

// contains is the operator "in" of a list.
func (r *run) contains(list traits.Lister, v ref.Val) ref.Val {
	for i := range length(list) {
		if !r.charge(1) {
			return over()
		}
		if r.equal(list.Get(types.Int(i)), v) == types.True {
			return types.True
		}
	}
	return types.False
}

// listing is the literal of a list.
type listing struct {
	elements []node
	optional map[int]bool
}

func (l *listing) eval(r *run) ref.Val {
	elements := make([]ref.Val, 0, len(l.elements))
	for i, e := range l.elements {
		v := e.eval(r)
		if types.IsError(v) {
			return v
		}
		v, there := given(v, l.optional[i])
		if there {
			elements = append(elements, v)
		}
	}
	return types.NewRefValList(types.DefaultTypeAdapter, elements)
}

// mapping is the literal of a map.
type mapping struct {
	keys, values []node
	optional     map[int]bool
}

func (m *mapping) eval(r *run) ref.Val {
	entries := make(map[ref.Val]ref.Val, len(m.keys))
	for i, k := range m.keys {
		key := k.eval(r)
		if types.IsError(key) {
			return key
		}
		if !isKey(key) {
			return fail(fmt.Errorf("%s cannot be the key of a map", kindOf(key)))
		}
		v := m.values[i].eval(r)
		if types.IsError(v) {
			return v
		}
		v, there := given(v, m.optional[i])
		if there {
			entries[key] = v
		}
	}
	return types.NewRefValMap(types.DefaultTypeAdapter, entries)
}

// isKey tells whether a value may be a key. Others may be no keys of Go maps.
func isKey(v ref.Val) bool {
	switch v.(type) {
	case types.String, types.Bool, types.Int, types.Uint, types.Double:
		return true
	}
	return false
}

// given returns what an optional element or entry has, if it has anything.
func given(v ref.Val, optional bool) (ref.Val, bool) {
	if !optional {
		return v, true
	}
	o, ok := v.(*types.Optional)
	if !ok {
		return fail(fmt.Errorf("%s is no optional value, which must follow a ?", kindOf(v))), true
	}
	if !o.HasValue() {
		return nil, false
	}
	return o.GetValue(), true
}

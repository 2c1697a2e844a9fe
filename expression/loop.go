package expression

import (
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// loop is what macros such as all and map become.
type loop struct {
	over                     node
	init, again, step, value node
	first, second, result    int // slots; the second is -1 if there is one variable
	turn                     int // work of a turn
	collects                 bool
	expr                     ast.Expr // of what it goes over
}

func (l *loop) eval(r *run) ref.Val {
	over := l.over.eval(r)
	if types.IsError(over) {
		return over
	}
	result := l.init.eval(r)
	if types.IsError(result) {
		return result
	}
	r.slots[l.result] = result
	if l.collects {
		r.slots[l.result] = growing(result)
	}
	if failed := l.turns(r, over); failed != nil {
		return failed
	}
	return grown(l.value.eval(r))
}

// growing makes a list or map that grows in place, of an empty one: as nothing
// else refers to it.
func growing(v ref.Val) ref.Val {
	switch v.(type) {
	case traits.Lister:
		return types.NewMutableList(types.DefaultTypeAdapter)
	case traits.Mapper:
		return types.NewMutableMap(types.DefaultTypeAdapter, map[ref.Val]ref.Val{})
	}
	return v
}

func grown(v ref.Val) ref.Val {
	switch t := v.(type) {
	case traits.MutableLister:
		return t.ToImmutableList()
	case traits.MutableMapper:
		return t.ToImmutableMap()
	}
	return v
}

func (l *loop) turns(r *run, over ref.Val) ref.Val {
	switch t := over.(type) {
	case traits.Lister:
		for i := range length(t) {
			first := ref.Val(types.Int(i))
			if l.second < 0 {
				first = t.Get(types.Int(i))
			} else {
				r.slots[l.second] = t.Get(types.Int(i))
			}
			if more, failed := l.take(r, first); !more {
				return failed
			}
		}
		return nil
	case traits.Mapper:
		return l.entries(r, t)
	}
	return fail(fmt.Errorf("%s is %s, which has no elements", show(l.expr), kindOf(over)))
}

func (l *loop) entries(r *run, m traits.Mapper) ref.Val {
	keys, failed := keysOf(r, m)
	if failed != nil {
		return failed
	}
	for _, key := range keys {
		if l.second >= 0 {
			v, _ := m.Find(key)
			if types.IsError(v) {
				return v
			}
			r.slots[l.second] = v
		}
		if more, failed := l.take(r, key); !more {
			return failed
		}
	}
	return nil
}

// take takes a turn, and tells whether there is to be another.
func (l *loop) take(r *run, first ref.Val) (more bool, failed ref.Val) {
	if !r.charge(l.turn) {
		return false, over()
	}
	r.slots[l.first] = first
	if r.left < 0 || l.again.eval(r) == types.False {
		return false, nil
	}
	r.slots[l.result] = l.step.eval(r)
	return true, nil
}

// keysOf returns the keys of a map, in an order that is always the same.
func keysOf(r *run, m traits.Mapper) ([]ref.Val, ref.Val) {
	if l, ok := m.(*lazy); ok {
		if _, err := l.sorted(); err != nil {
			return nil, fail(err)
		}
	}
	n := length(m)
	if !r.charge(times(n, 4)) {
		return nil, over()
	}
	keys := make([]ref.Val, 0, n)
	for it := m.Iterator(); it.HasNext() == types.True; {
		keys = append(keys, it.Next())
	}
	if _, sorted := m.(*lazy); !sorted {
		slices.SortStableFunc(keys, compareKeys)
	}
	return keys, nil
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

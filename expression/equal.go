package expression

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

func equals(r *run, args []ref.Val) ref.Val { return r.equal(args[0], args[1]) }

func differ(r *run, args []ref.Val) ref.Val {
	v := r.equal(args[0], args[1])
	if b, ok := v.(types.Bool); ok {
		return !b
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

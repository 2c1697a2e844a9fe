package expression

import (
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// own are functions that do the same as those of cel-go, but count their work as
// they go: how much it is cannot be told from the size of the arguments.
var own = map[string]func(r *run, args []ref.Val) ref.Val{
	operators.Equals:    equals,
	operators.NotEquals: differ,
	operators.In:        in,
	"distinct":          distinct,
	"sets.contains":     setContains,
	"sets.intersects":   setIntersects,
	"sets.equivalent":   setEquivalent,
	"matches":           matches,
}

func in(r *run, args []ref.Val) ref.Val {
	switch t := args[1].(type) {
	case traits.Mapper:
		r.charge(textCost(args[0], 64))
		return t.Contains(args[0])
	case traits.Lister:
		return r.contains(t, args[0])
	}
	return types.NewErr(noOverload)
}

func distinct(r *run, args []ref.Val) ref.Val {
	list, ok := args[0].(traits.Lister)
	if !ok {
		return types.NewErr(noOverload)
	}
	var unique []ref.Val
	for i := range length(list) {
		v := list.Get(types.Int(i))
		if !r.charge(1 + len(unique)) {
			return over()
		}
		if r.contains(types.NewRefValList(types.DefaultTypeAdapter, unique), v) == types.False {
			unique = append(unique, v)
		}
	}
	return types.NewRefValList(types.DefaultTypeAdapter, unique)
}

func setContains(r *run, args []ref.Val) ref.Val {
	list, part, ok := lists(args)
	if !ok {
		return types.NewErr(noOverload)
	}
	for i := range length(part) {
		if r.contains(list, part.Get(types.Int(i))) != types.True {
			return types.False
		}
	}
	return types.True
}

func setIntersects(r *run, args []ref.Val) ref.Val {
	a, b, ok := lists(args)
	if !ok {
		return types.NewErr(noOverload)
	}
	for i := range length(a) {
		if r.contains(b, a.Get(types.Int(i))) == types.True {
			return types.True
		}
	}
	return types.False
}

func setEquivalent(r *run, args []ref.Val) ref.Val {
	if v := setContains(r, args); v != types.True {
		return v
	}
	return setContains(r, []ref.Val{args[1], args[0]})
}

func lists(args []ref.Val) (a, b traits.Lister, ok bool) {
	a, ok1 := args[0].(traits.Lister)
	b, ok2 := args[1].(traits.Lister)
	return a, b, ok1 && ok2
}

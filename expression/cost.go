package expression

import (
	"math/bits"
	"strings"

	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// costs are how much work a function does with its arguments. One that is not
// here takes as much as all that its arguments are made of.
var costs = map[string]func(args []ref.Val) int{
	operators.LogicalNot:      one,
	operators.Negate:          one,
	operators.Subtract:        one,
	operators.Multiply:        one,
	operators.Divide:          one,
	operators.Modulo:          one,
	operators.Less:            compared,
	operators.LessEquals:      compared,
	operators.Greater:         compared,
	operators.GreaterEquals:   compared,
	operators.Add:             joined,
	operators.Equals:          one, // this and the others here count as they go
	operators.NotEquals:       one,
	operators.In:              one,
	"sets.contains":           one,
	"sets.equivalent":         one,
	"sets.intersects":         one,
	"distinct":                one,
	"matches":                 one,
	"optional.of":             one,
	"optional.none":           one,
	"optional.ofNonZeroValue": one,
	"hasValue":                one,
	"value":                   one,
	"type":                    one,
	"dyn":                     one,
	"size":                    func(args []ref.Val) int { return 1 + textCost(args[0], 32) },
	"contains":                compared,
	"startsWith":              compared,
	"endsWith":                compared,
	"first":                   one,
	"last":                    one,
	"slice":                   elements,
	"reverse":                 elements,
	"sort":                    sorted,
	"@sortByAssociatedKeys":   sorted,
	"lists.range":             ranged,
	"indexOf":                 searched,
	"lastIndexOf":             searched,
	"replace":                 replaced,
	"split":                   split,
	"join":                    joinedList,
	"cel.@mapInsert":          inserted,
	"timestamp":               func(args []ref.Val) int { return 10 + deep(args) },
	"format":                  func(args []ref.Val) int { return 4 + 4*deep(args) },
	"math.abs":                one,
	"math.ceil":               one,
	"math.floor":              one,
	"math.round":              one,
	"getFullYear":             dated,
	"getMonth":                dated,
	"getDate":                 dated,
	"getDayOfMonth":           dated,
	"getDayOfWeek":            dated,
	"getDayOfYear":            dated,
	"getHours":                dated,
	"getMinutes":              dated,
	"getSeconds":              dated,
	"getMilliseconds":         dated,
	"@default":                func(args []ref.Val) int { return 1 + deep(args) },
}

func costOf(function string) func(args []ref.Val) int {
	if c, ok := costs[function]; ok {
		return c
	}
	return costs["@default"]
}

func one([]ref.Val) int { return 1 }

// textCost is a part of the length of a text.
func textCost(v ref.Val, bytes int) int {
	switch t := v.(type) {
	case types.String:
		return len(t) / bytes
	case types.Bytes:
		return len(t) / bytes
	}
	return 0
}

func compared(args []ref.Val) int {
	n := 1
	for _, a := range args {
		n += textCost(a, 16)
	}
	return n
}

// joined is the work of +. A list that grows in place is not copied.
func joined(args []ref.Val) int {
	n := compared(args)
	for i, a := range args {
		if _, grows := a.(traits.MutableLister); grows && i == 0 {
			continue
		}
		if list, ok := a.(traits.Lister); ok {
			n += times(length(list), 2)
		}
	}
	return n
}

func elements(args []ref.Val) int {
	n := 1
	for _, a := range args {
		n += textCost(a, 8)
		if list, ok := a.(traits.Lister); ok {
			n += times(length(list), 2)
		}
	}
	return n
}

func sorted(args []ref.Val) int {
	n := deep(args)
	return 1 + times(n, 1+bits.Len(uint(n)))
}

func ranged(args []ref.Val) int {
	n, _ := args[0].(types.Int)
	return times(int(max(0, min(n, maxWork))), 2)
}

// searched is the work of a search that compares at each position.
func searched(args []ref.Val) int {
	if len(args) < 2 {
		return 1
	}
	text, part := textCost(args[0], 1), textCost(args[1], 1)
	return 1 + (text+part)/8 + times(max(0, text-part), part)/16
}

// replaced is the work of making what comes out.
func replaced(args []ref.Val) int {
	text, ok1 := args[0].(types.String)
	old, ok2 := args[1].(types.String)
	with, ok3 := args[2].(types.String)
	if !ok1 || !ok2 || !ok3 {
		return 1
	}
	n := strings.Count(string(text), string(old))
	return 1 + len(text)/8 + times(n, 2) + times(n, len(with))/8
}

func split(args []ref.Val) int {
	text, ok1 := args[0].(types.String)
	by, ok2 := args[1].(types.String)
	if !ok1 || !ok2 {
		return 1
	}
	return 1 + len(text)/8 + times(strings.Count(string(text), string(by)), 3)
}

func joinedList(args []ref.Val) int {
	n := 1 + deep(args)
	if list, ok := args[0].(traits.Lister); ok && len(args) > 1 {
		n += times(length(list), 1+textCost(args[1], 1))/8 + length(list)
	}
	return n
}

// inserted is the work of entries that are put into a map.
func inserted(args []ref.Val) int {
	n := 8 + textCost(args[len(args)-1], 64)
	if _, grows := args[0].(traits.MutableMapper); !grows {
		if m, ok := args[0].(traits.Mapper); ok {
			n += times(length(m), 8)
		}
	}
	if m, ok := args[1].(traits.Mapper); ok && len(args) == 2 {
		n += times(length(m), 8)
	}
	return n
}

// dated is the work of telling a part of a time: for a time zone its file is read.
func dated(args []ref.Val) int {
	if len(args) > 1 {
		return 2000 + textCost(args[1], 1)
	}
	return 4
}

// deep is the work of going through all that values are made of, up to a little
// more than all the work there may be.
func deep(values []ref.Val) int {
	n := 0
	for _, v := range values {
		if n > maxWork {
			break
		}
		n += depth(v, maxWork-n)
	}
	return n
}

// depth is the work of going through a value, up to a little more than a limit.
func depth(v ref.Val, limit int) int {
	n := 1
	switch t := v.(type) {
	case types.String, types.Bytes:
		n += textCost(v, 8)
	case *types.Optional:
		if t.HasValue() {
			n += depth(t.GetValue(), limit-n)
		}
	case traits.Lister:
		for i := 0; i < length(t) && n <= limit; i++ {
			n += depth(t.Get(types.Int(i)), limit-n)
		}
	case traits.Mapper:
		for it := t.Iterator(); n <= limit && it.HasNext() == types.True; {
			key := it.Next()
			value, _ := t.Find(key)
			n += 3 + depth(key, limit-n) + depth(value, limit-n)
		}
	}
	return n
}

// times multiplies, up to more than all the work there may be.
func times(a, b int) int {
	if a > 0 && b > 2*16*maxWork/a {
		return 2 * 16 * maxWork
	}
	return a * b
}

package expression

import (
	"errors"
	"reflect"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

var (
	errMissing    = errors.New("there is no such element")
	errConversion = errors.New("this cannot be converted")
	errNative     = errors.New("this is no value of Go")
)

// array is a plain array as the list that CEL takes it for. It belongs to one run.
type array struct {
	elements []any
	doubles  bool
	run      *run
	decoded  map[int]ref.Val // of Objects
}

// at returns an element, of which what is decoded is kept.
func (a *array) at(i int) ref.Val {
	o, isObject := a.elements[i].(Object)
	if !isObject {
		return a.run.value(a.elements[i], a.doubles)
	}
	if v := a.decoded[i]; v != nil {
		return v
	}
	v := a.run.value(o, a.doubles)
	if a.run.memo {
		if a.decoded == nil {
			a.decoded = map[int]ref.Val{}
		}
		a.decoded[i] = v
	}
	return v
}

// Get returns the element at an index.
func (a *array) Get(index ref.Val) ref.Val {
	i, err := types.IndexOrError(index)
	if err != nil || i < 0 || i >= len(a.elements) {
		return types.WrapErr(errMissing)
	}
	return a.at(i)
}

// Add returns a list of the elements of both. Its cost was taken before.
func (a *array) Add(other ref.Val) ref.Val {
	tail, ok := other.(traits.Lister)
	if !ok {
		return types.MaybeNoSuchOverloadErr(other)
	}
	all := make([]ref.Val, 0, len(a.elements)+length(tail))
	for i := range a.elements {
		all = append(all, a.at(i))
	}
	for i := range length(tail) {
		all = append(all, tail.Get(types.Int(i)))
	}
	return types.NewRefValList(types.DefaultTypeAdapter, all)
}

// Contains tells whether an element equals a value.
func (a *array) Contains(v ref.Val) ref.Val { return a.run.contains(a, v) }

// Size returns how many elements there are.
func (a *array) Size() ref.Val { return types.Int(len(a.elements)) }

// IsZeroValue tells whether it is empty.
func (a *array) IsZeroValue() bool { return len(a.elements) == 0 }

// Iterator goes over the elements.
func (a *array) Iterator() traits.Iterator { return &cursor{array: a} }

// cursor is where an iteration over an array is.
type cursor struct {
	ref.Val // which an iterator is for cel-go, and never used as

	array *array
	next  int
}

// HasNext tells whether there is another element.
func (c *cursor) HasNext() ref.Val { return types.Bool(c.next < len(c.array.elements)) }

// Next returns the next element.
func (c *cursor) Next() ref.Val {
	c.next++
	return c.array.at(c.next - 1)
}

// Equal compares as the operator does.
func (a *array) Equal(other ref.Val) ref.Val { return a.run.equal(a, other) }

// Type returns the type of lists.
func (a *array) Type() ref.Type { return types.ListType }

// Value returns the plain array.
func (a *array) Value() any { return a.elements }

// ConvertToType converts to a list only, or to the type.
func (a *array) ConvertToType(to ref.Type) ref.Val { return convert(a, to) }

// ConvertToNative is what no function here needs.
func (a *array) ConvertToNative(reflect.Type) (any, error) { return nil, errNative }

// length returns how many elements or keys there are.
func length(v traits.Sizer) int {
	n, _ := v.Size().(types.Int)
	return int(n)
}

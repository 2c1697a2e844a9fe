package expression

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
)

// value makes a CEL value of a plain one, of an Object or of one that is a CEL
// value already.
func (r *run) value(v any, doubles bool) ref.Val {
	switch t := v.(type) {
	case nil:
		return types.NullValue
	case bool:
		return types.Bool(t)
	case string:
		return types.String(t)
	case int64:
		return number(t, doubles)
	case int:
		return number(int64(t), doubles)
	case float64:
		return types.Double(t)
	case []any:
		return &array{elements: t, doubles: doubles, run: r}
	case map[string]any:
		return &lazy{of: fields(t), doubles: doubles, run: r}
	case ref.Val:
		return t
	case Object:
		return &lazy{of: t, doubles: doubles, run: r}
	}
	return fail(fmt.Errorf("internal error: a %T is no plain value", v))
}

func number(n int64, doubles bool) ref.Val {
	if doubles {
		return types.Double(n)
	}
	return types.Int(n)
}

// fields is a plain object as an Object.
type fields map[string]any

func (f fields) Field(key string) (any, bool, error) {
	v, found := f[key]
	return v, found, nil
}

func (f fields) Keys() ([]string, error) { return slices.Sorted(maps.Keys(f)), nil }

// lazy is an Object as the map that CEL takes it for. It belongs to one run.
type lazy struct {
	of      Object
	doubles bool
	run     *run
	keys    []string
	decoded map[string]ref.Val
}

// field returns what is at a key, decoded once for all turns of a loop.
func (l *lazy) field(key string) (ref.Val, bool, error) {
	if v, ok := l.decoded[key]; ok {
		return v, true, nil
	}
	raw, found, err := l.run.read(l.of, key)
	if err != nil || !found {
		return nil, false, err
	}
	v := l.run.value(raw, l.doubles)
	if l.run.memo {
		if l.decoded == nil {
			l.decoded = map[string]ref.Val{}
		}
		l.decoded[key] = v
	}
	return v, true, nil
}

// read takes the work of reading a field.
func (r *run) read(o Object, key string) (any, bool, error) {
	if r.left < 0 {
		return nil, false, errLimit
	}
	v, found, err := o.Field(key)
	if err != nil {
		return nil, false, err
	}
	units := 2 + len(key)/64
	if elements, ok := v.([]any); ok {
		units += len(elements)
	}
	if !r.charge(units) {
		return nil, false, errLimit
	}
	return v, found, nil
}

// sorted returns the keys.
func (l *lazy) sorted() ([]string, error) {
	if l.keys == nil {
		keys, err := l.of.Keys()
		if err != nil {
			return nil, err
		}
		l.keys = keys
		if !l.run.charge(2 * len(keys)) {
			return nil, errLimit
		}
	}
	return l.keys, nil
}

// Find returns the value of a key, and whether there is one.
func (l *lazy) Find(key ref.Val) (ref.Val, bool) {
	name, ok := key.(types.String)
	if !ok {
		return nil, false
	}
	v, found, err := l.field(string(name))
	if err != nil {
		return fail(err), false
	}
	return v, found
}

// Get returns the value of a key.
func (l *lazy) Get(key ref.Val) ref.Val {
	v, found := l.Find(key)
	if v == nil && !found {
		return types.WrapErr(errMissing)
	}
	return v
}

// Contains tells whether there is a key.
func (l *lazy) Contains(key ref.Val) ref.Val {
	v, found := l.Find(key)
	if types.IsError(v) {
		return v
	}
	return types.Bool(found)
}

// Size returns how many keys there are.
func (l *lazy) Size() ref.Val {
	keys, err := l.sorted()
	if err != nil {
		return fail(err)
	}
	return types.Int(len(keys))
}

// IsZeroValue tells whether it is empty.
func (l *lazy) IsZeroValue() bool { return l.Size() == types.IntZero }

// Iterator goes over the keys in their order.
func (l *lazy) Iterator() traits.Iterator {
	keys, err := l.sorted()
	if err != nil {
		keys = nil // The run ends with the error of its limit, or reads it again.
	}
	return types.NewStringList(types.DefaultTypeAdapter, keys).Iterator()
}

// Equal compares as the operator does.
func (l *lazy) Equal(other ref.Val) ref.Val { return l.run.equal(l, other) }

// Type returns the type of maps.
func (l *lazy) Type() ref.Type { return types.MapType }

// Value returns the Object.
func (l *lazy) Value() any { return l.of }

// ConvertToType converts to a map only, or to the type.
func (l *lazy) ConvertToType(to ref.Type) ref.Val { return convert(l, to) }

// ConvertToNative is what no function here needs.
func (l *lazy) ConvertToNative(reflect.Type) (any, error) { return nil, errNative }

func convert(v ref.Val, to ref.Type) ref.Val {
	switch to {
	case v.Type():
		return v
	case types.TypeType:
		kind, _ := v.Type().(*types.Type)
		return kind
	}
	return types.WrapErr(errConversion)
}

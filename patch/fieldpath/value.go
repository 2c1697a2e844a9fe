package fieldpath

import (
	"maps"
	"slices"
)

// Reader is what paths read from. Get returns the value at a path and whether
// there is one: an absent field, an index past the end or a step through null
// is no error. A step through anything else that is no object or array is a
// *TypeError. A wildcard returns an array of the values found, of an object in
// the order of its keys. The value returned is shared and must not be changed.
type Reader interface {
	Get(p Path) (v any, found bool, err error)
}

// Value is a Reader of a plain value.
type Value struct{ Any any }

// Get returns the value at a path, as Reader says.
func (v Value) Get(p Path) (any, bool, error) { return get(v.Any, p, 0) }

func get(v any, p Path, depth int) (any, bool, error) {
	for i := depth; i < len(p.segments); i++ {
		if v == nil {
			return nil, false, nil
		}
		found := false
		switch s := &p.segments[i]; s.Kind {
		case Field:
			object, ok := v.(map[string]any)
			if !ok {
				return nil, false, p.mismatch(i, KindOf(v))
			}
			v, found = object[s.Field]
		case Index:
			array, ok := v.([]any)
			if !ok {
				return nil, false, p.mismatch(i, KindOf(v))
			}
			if found = s.Index < len(array); found {
				v = array[s.Index]
			}
		case Item:
			below, there, ok := item(v, s)
			if !ok {
				return nil, false, p.mismatch(i, KindOf(v))
			}
			v, found = below, there
		case Wildcard:
			return getAll(v, p, i)
		}
		if !found {
			return nil, false, nil
		}
	}
	return v, true, nil
}

func getAll(v any, p Path, depth int) (any, bool, error) {
	var elements []any
	switch t := v.(type) {
	case []any:
		elements = t
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(t)) {
			elements = append(elements, t[k])
		}
	default:
		return nil, false, p.mismatch(depth, KindOf(v))
	}
	c := Collector{Nested: p.WildcardAfter(depth)}
	for _, e := range elements {
		if err := c.Add(get(e, p, depth+1)); err != nil {
			return nil, false, err
		}
	}
	return c.Values(), true, nil
}

// Collector gathers what a wildcard finds below each element.
type Collector struct {
	// Nested says that what is found below an element is itself the array of a
	// wildcard, to be joined to the others.
	Nested bool

	found []any
}

// Add takes the results of a Get below one element.
func (c *Collector) Add(v any, found bool, err error) error {
	if err != nil || !found {
		return err
	}
	if c.Nested {
		if array, ok := v.([]any); ok {
			c.found = append(c.found, array...)
			return nil
		}
	}
	c.found = append(c.found, v)
	return nil
}

// Values returns what was found, never nil.
func (c *Collector) Values() []any {
	if c.found == nil {
		return []any{}
	}
	return c.found
}

// WildcardAfter tells whether there is a wildcard behind the segment at depth.
func (p Path) WildcardAfter(depth int) bool {
	return Path{segments: p.segments[depth+1:]}.HasWildcard()
}

// KindOf returns what a plain value is: null, bool, number, string, array or object.
func KindOf(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "bool"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	}
	return "number"
}

package fieldpath

import (
	"maps"
	"slices"
)

// Frozen is a value that nothing changes any more, so that all runs share it.
type Frozen struct {
	// Value itself, with all that is below it.
	Value any

	// Encoded is what a writer writes for the value, and Entry what it writes for
	// the field of an object with this value; nil if that has to be encoded.
	Encoded, Entry []byte

	// Keys of an object, sorted; nil of anything else, or if they were not sorted
	// beforehand.
	Keys []string

	// Below are the values of an object by its Keys, or the items of an array;
	// nil where there are none.
	Below []Frozen
}

// Freeze returns a Frozen without an encoding. The value must not be changed
// any more.
func Freeze(v any) *Frozen { return &Frozen{Value: v} }

// opened returns the value with what is one level below it. It is f itself if
// that was made beforehand.
func (f *Frozen) opened() *Frozen {
	if f.Below != nil {
		return f
	}
	out := &Frozen{Value: f.Value, Encoded: f.Encoded}
	switch t := f.Value.(type) {
	case map[string]any:
		out.Keys = slices.AppendSeq(make([]string, 0, len(t)), maps.Keys(t))
		slices.Sort(out.Keys)
		out.Below = make([]Frozen, len(t))
		for i, k := range out.Keys {
			out.Below[i].Value = t[k]
		}
	case []any:
		out.Below = make([]Frozen, len(t))
		for i, v := range t {
			out.Below[i].Value = v
		}
	}
	return out
}

// field returns what an opened object has at a key, or nil.
func (f *Frozen) field(key string) *Frozen {
	if f == nil {
		return nil
	}
	if i, ok := slices.BinarySearch(f.Keys, key); ok {
		return &f.Below[i]
	}
	return nil
}

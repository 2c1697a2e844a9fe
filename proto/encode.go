package proto

import (
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// maxValueDepth is how deep values may be nested, each level being up to three
// messages, so that with those around them no decoder finds them too deep.
const maxValueDepth = maxDepth/3 - 10

// value writes the content of a Value. depth is how deep it is nested.
func (w *writer) value(v any, depth int) *fault {
	if f := w.fits(2); f != nil {
		return f
	}
	if depth > maxValueDepth {
		return &fault{reason: fmt.Sprintf("nested more than %d deep", maxValueDepth)}
	}
	switch t := v.(type) {
	case nil:
		w.number(tagNull, 0)
	case bool:
		b := uint64(0)
		if t {
			b = 1
		}
		w.number(tagBool, b)
	case int64:
		return w.integer(t)
	case float64:
		return w.double(t)
	case string:
		return w.string(t)
	case []any:
		return w.array(len(t), func(i int) *fault { return w.value(t[i], depth+1) })
	case map[string]any:
		mark := w.written()
		f := w.object(slices.Sorted(maps.Keys(t)), func(k string) *fault { return w.value(t[k], depth+1) })
		w.head(tagObject, mark)
		return f
	default:
		return &fault{reason: fmt.Sprintf("a %T is no JSON value", v)}
	}
	return nil
}

// integer writes an integer as the double that it is in JSON.
func (w *writer) integer(n int64) *fault {
	d := float64(n)
	if d == 1<<63 || int64(d) != n {
		return &fault{reason: fmt.Sprintf("the integer %d cannot be held exactly by a double; use one of at most 53 bits, or a string", n)}
	}
	return w.double(d)
}

func (w *writer) double(n float64) *fault {
	if math.IsNaN(n) || math.IsInf(n, 0) {
		return &fault{reason: reasonNoNumber}
	}
	b := w.room(9)
	b[0] = tagNumber
	binary.LittleEndian.PutUint64(b[1:], math.Float64bits(n))
	return nil
}

func (w *writer) string(s string) *fault {
	if f := w.fits(len(s)); f != nil {
		return f
	}
	if !utf8.ValidString(s) {
		return &fault{reason: "the text is not UTF-8: " + fieldpath.Preview(s)}
	}
	mark := w.written()
	w.text(s)
	w.head(tagText, mark)
	return nil
}

func (w *writer) array(n int, item func(i int) *fault) *fault {
	mark := w.written()
	for i := n - 1; i >= 0; i-- {
		at := w.written()
		if f := item(i); f != nil {
			return f.in(inItem(i))
		}
		w.head(tagEntry, at)
	}
	w.head(tagArray, mark)
	return nil
}

// object writes the content of a Struct with these keys, which are sorted.
func (w *writer) object(keys []string, value func(key string) *fault) *fault {
	for _, k := range slices.Backward(keys) {
		at := w.written()
		if f := value(k); f != nil {
			return f.in(inKey(k))
		}
		if f := w.pair(k, at); f != nil {
			return f.in(inKey(k))
		}
	}
	return nil
}

// pair makes a map's entry with this key of the value written since the mark.
func (w *writer) pair(k string, mark int) *fault {
	w.head(tagValue, mark)
	if f := w.key(k); f != nil {
		return f
	}
	w.head(tagEntry, mark)
	return nil
}

// key writes the key of a map's entry.
func (w *writer) key(k string) *fault {
	if f := w.fits(len(k)); f != nil {
		return f
	}
	if !utf8.ValidString(k) {
		return &fault{reason: "the key is not UTF-8"}
	}
	mark := w.written()
	w.text(k)
	w.head(tagKey, mark)
	return nil
}

// node writes a draft's node as the content of a Value.
func (w *writer) node(n fieldpath.Node, depth int) *fault {
	if f := n.Frozen(); f != nil {
		return w.frozen(f, depth)
	}
	if size, ok := n.Len(); ok {
		return w.array(size, func(i int) *fault { return w.node(n.Item(i), depth+1) })
	}
	if n.IsObject() {
		mark := w.written()
		f := w.fields(n, depth)
		w.head(tagObject, mark)
		return f
	}
	return w.value(n.Plain(), depth)
}

// fields writes an opened object as the content of a Struct: what was written
// over what it had, from the last key to the first.
func (w *writer) fields(n fieldpath.Node, depth int) *fault {
	base := n.Base()
	had := 0
	if base != nil {
		had = len(base.Keys)
	}
	for i := n.Written() - 1; i >= 0; i-- {
		key, below, there := n.Field(i)
		for ; had > 0 && base.Keys[had-1] > key; had-- {
			if f := w.untouched(base, had-1, depth); f != nil {
				return f
			}
		}
		if had > 0 && base.Keys[had-1] == key {
			had--
		}
		if !there {
			continue
		}
		at := w.written()
		if f := w.node(below, depth+1); f != nil {
			return f.in(inKey(key))
		}
		if f := w.pair(key, at); f != nil {
			return f.in(inKey(key))
		}
	}
	for ; had > 0; had-- {
		if f := w.untouched(base, had-1, depth); f != nil {
			return f
		}
	}
	return nil
}

// untouched writes a field of an object as it was.
func (w *writer) untouched(object *fieldpath.Frozen, i, depth int) *fault {
	below := &object.Below[i]
	if below.Entry != nil {
		if f := w.fits(len(below.Entry)); f != nil {
			return f
		}
		w.bytes(below.Entry)
		return nil
	}
	at := w.written()
	if f := w.value(below.Value, depth+1); f != nil {
		return f.in(inKey(object.Keys[i]))
	}
	if f := w.pair(object.Keys[i], at); f != nil {
		return f.in(inKey(object.Keys[i]))
	}
	return nil
}

func (w *writer) frozen(f *fieldpath.Frozen, depth int) *fault {
	if f.Encoded == nil {
		return w.value(f.Value, depth)
	}
	if f := w.fits(len(f.Encoded)); f != nil {
		return f
	}
	w.bytes(f.Encoded)
	return nil
}

// root writes an object's node as the content of a Struct.
func (w *writer) root(n fieldpath.Node, depth int) *fault {
	if n.IsObject() {
		return w.fields(n, depth)
	}
	if f := n.Frozen(); f != nil && f.Encoded != nil {
		if r := next(f.Encoded, 0); r.tag == tagObject {
			b := f.Encoded[r.from:r.to]
			if f := w.fits(len(b)); f != nil {
				return f
			}
			w.bytes(b)
			return nil
		}
	}
	v := n.Plain()
	m, ok := v.(map[string]any)
	if !ok {
		return &fault{reason: "not an object but: " + fieldpath.Preview(v)}
	}
	return w.object(slices.Sorted(maps.Keys(m)), func(k string) *fault { return w.value(m[k], depth+1) })
}

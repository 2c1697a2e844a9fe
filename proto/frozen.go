package proto

import (
	"maps"
	"slices"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// EncodeFrozen freezes a value with its encoding at every level, so that drafts
// of it are written without encoding what they leave as it is. A value that
// protobuf cannot hold is a *ValueError.
func EncodeFrozen(v any) (*fieldpath.Frozen, error) {
	measure := newWriter(nil, 0)
	if f := measure.value(v, 0); f != nil {
		return nil, f.valueError(fieldpath.Path{})
	}
	// All levels are slices of one buffer, which therefore must not grow.
	w := newWriter(make([]byte, measure.written()), 0)
	out := &fieldpath.Frozen{}
	w.freeze(out, v)
	return out, nil
}

// freeze writes a value that is known to be good and to have room.
func (w *writer) freeze(out *fieldpath.Frozen, v any) {
	out.Value = v
	end := w.pos
	switch t := v.(type) {
	case []any:
		out.Below = make([]fieldpath.Frozen, len(t))
		_ = w.array(len(t), func(i int) *fault {
			w.freeze(&out.Below[i], t[i])
			return nil
		})
	case map[string]any:
		w.freezeObject(out, t)
	default:
		_ = w.value(v, 0)
	}
	out.Encoded = w.buf[w.pos:end:end]
}

func (w *writer) freezeObject(out *fieldpath.Frozen, object map[string]any) {
	out.Keys = slices.Sorted(maps.Keys(object))
	out.Below = make([]fieldpath.Frozen, len(object))
	mark := w.written()
	for i, k := range slices.Backward(out.Keys) {
		at := w.written()
		w.freeze(&out.Below[i], object[k])
		_ = w.pair(k, at)
	}
	w.head(tagObject, mark)
}

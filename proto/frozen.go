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
	return w.freeze(v), nil
}

// freeze writes a value that is known to be good and to have room.
func (w *writer) freeze(v any) *fieldpath.Frozen {
	out := &fieldpath.Frozen{Value: v}
	end := w.pos
	switch t := v.(type) {
	case []any:
		out.Items = make([]*fieldpath.Frozen, len(t))
		_ = w.array(len(t), func(i int) *fault {
			out.Items[i] = w.freeze(t[i])
			return nil
		})
	case map[string]any:
		out.Keys = slices.Sorted(maps.Keys(t))
		out.Fields = make(map[string]*fieldpath.Frozen, len(t))
		mark := w.written()
		_ = w.object(out.Keys, func(k string) *fault {
			out.Fields[k] = w.freeze(t[k])
			return nil
		})
		w.head(tagObject, mark)
	default:
		_ = w.value(v, 0)
	}
	out.Encoded = w.buf[w.pos:end:end]
	return out
}

package proto

import (
	"maps"
	"slices"
	"strings"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Freezer freezes values with their encoding at every level, so that drafts of
// them are written without encoding what they leave as it is. What is equal in
// the values is kept once. It is not safe for concurrent use.
type Freezer struct {
	seen map[string]fieldpath.Frozen // by the encoding
	keys map[string][]string         // by the keys, joined
}

// mostShared is how many bytes a value takes at most that is kept once. What is
// larger has parts that are.
const mostShared = 1 << 10

// NewFreezer returns a freezer that has seen nothing.
func NewFreezer() *Freezer {
	return &Freezer{seen: make(map[string]fieldpath.Frozen), keys: make(map[string][]string)}
}

// Freeze freezes a value, which must not be changed any more. One that protobuf
// cannot hold is a *ValueError.
func (z *Freezer) Freeze(v any) (*fieldpath.Frozen, error) {
	measure := newWriter(nil, 0)
	if f := measure.value(v, 0); f != nil {
		return nil, f.valueError(fieldpath.Path{})
	}
	// All levels are slices of one buffer, which therefore must not grow.
	w := newWriter(make([]byte, measure.written()), 0)
	out := &fieldpath.Frozen{}
	z.freeze(w, out, v)
	return out, nil
}

// freeze writes a value that is known to be good and to have room.
func (z *Freezer) freeze(w *writer, out *fieldpath.Frozen, v any) {
	end := w.pos
	switch t := v.(type) {
	case []any:
		out.Below = make([]fieldpath.Frozen, len(t))
		_ = w.array(len(t), func(i int) *fault {
			z.freeze(w, &out.Below[i], t[i])
			return nil
		})
	case map[string]any:
		z.object(w, out, t)
	default:
		_ = w.value(v, 0)
	}
	out.Value = v
	out.Encoded = w.buf[w.pos:end:end]
	if len(out.Encoded) > mostShared {
		return
	}
	if same, ok := z.seen[string(out.Encoded)]; ok {
		*out = same
		return
	}
	z.seen[string(out.Encoded)] = *out
}

func (z *Freezer) object(w *writer, out *fieldpath.Frozen, object map[string]any) {
	out.Keys = z.sharedKeys(slices.Sorted(maps.Keys(object)))
	out.Below = make([]fieldpath.Frozen, len(object))
	mark := w.written()
	for i, k := range slices.Backward(out.Keys) {
		at, end := w.written(), w.pos
		z.freeze(w, &out.Below[i], object[k])
		_ = w.pair(k, at)
		out.Below[i].Entry = w.buf[w.pos:end:end]
	}
	w.head(tagObject, mark)
}

func (z *Freezer) sharedKeys(keys []string) []string {
	joined := strings.Join(keys, "\x00")
	if same, ok := z.keys[joined]; ok && slices.Equal(same, keys) {
		return same
	}
	z.keys[joined] = keys
	return keys
}

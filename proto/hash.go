package proto

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// Hash stands for the meaning of an object, whichever order its bytes are in. It
// is seeded by process: it means nothing to another one.
type Hash [16]byte

// Hash returns the same for equal objects in any order of map entries, and
// different hashes, but for chance, for objects that differ.
func (s *Struct) Hash() (Hash, error) {
	if s == nil || s.index == nil {
		return Hash{}, nil
	}
	h := hasher{index: s.index}
	sum := h.object(nil, s.body)
	if h.twice {
		// Of equal keys the last one counts, so order matters here. The standard
		// decoder settles it.
		x, err := decoded(s.index.bytes(s.body))
		if err != nil {
			return Hash{}, err
		}
		h = hasher{index: x}
		sum = h.object(nil, spanOf(0, len(x.b)))
	}
	var out Hash
	binary.LittleEndian.PutUint64(out[:8], sum[0])
	binary.LittleEndian.PutUint64(out[8:], sum[1])
	return out, nil
}

// decoded returns a Struct as it is after decoding: without duplicate keys.
func decoded(b []byte) (*index, error) {
	m := &structpb.Struct{}
	if err := proto.Unmarshal(b, m); err != nil {
		return nil, fmt.Errorf("cannot hash an object: %w", err)
	}
	b, err := proto.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("cannot hash an object: %w", err)
	}
	return newIndex(b), nil
}

// digest is two independent hashes of the same bytes.
type digest [2]uint64

func digestOf(b []byte) digest {
	return digest{maphash.Bytes(seeds[0], b), maphash.Bytes(seeds[1], b)}
}

// hasher hashes a tree. A scalar is hashed as it lies, with its key. An object is
// hashed by its key, its size and the sum of the hashes of its entries, which
// does not depend on their order; an array by the hash of the sequence of the
// hashes of its items. Only strongly mixed hashes are ever added, and what is
// hashed for an object or array begins with a zero, which no scalar's tag is.
type hasher struct {
	index *index
	keys  []span // of the objects that are being hashed, to find duplicates
	items []byte // hashes of the items of the arrays that are being hashed
	inner []byte // what is hashed for an object or array
	twice bool
}

// object hashes an object that is at a key.
func (h *hasher) object(key []byte, body span) digest {
	var sum digest
	mark := len(h.keys)
	b := h.index.b[:body.to]
	for pos := int(body.from); pos < len(b); {
		r := next(b, pos)
		pos = r.to
		if r.tag != tagEntry {
			continue
		}
		name := next(b[:r.to], r.from)
		value := next(b[:r.to], name.to)
		h.keys = append(h.keys, spanOf(name.from, name.to))
		d := h.value(b[name.from:name.to], spanOf(value.from, value.to), b[r.from:r.to])
		sum[0] += d[0]
		sum[1] += d[1]
	}
	keys := h.keys[mark:]
	h.keys = h.keys[:mark]
	h.twice = h.twice || h.hasTwice(keys)
	return h.node(kindObject, key, len(keys), sum)
}

// array hashes an array that is at a key.
func (h *hasher) array(key []byte, body span) digest {
	mark := len(h.items)
	b := h.index.b[:body.to]
	for pos := int(body.from); pos < len(b); {
		r := next(b, pos)
		pos = r.to
		if r.tag != tagEntry {
			continue
		}
		d := h.value(nil, spanOf(r.from, r.to), b[r.from:r.to])
		h.items = binary.LittleEndian.AppendUint64(h.items, d[0])
		h.items = binary.LittleEndian.AppendUint64(h.items, d[1])
	}
	items := h.items[mark:]
	h.items = h.items[:mark]
	return h.node(kindArray, key, len(items), digestOf(items))
}

// value hashes a value at a key. As a scalar it is hashed as it lies.
func (h *hasher) value(key []byte, value span, asItLies []byte) digest {
	switch k, body := h.index.open(value); k {
	case kindObject:
		return h.object(key, body)
	case kindArray:
		return h.array(key, body)
	}
	return digestOf(asItLies)
}

func (h *hasher) node(k kind, key []byte, size int, below digest) digest {
	h.inner = append(h.inner[:0], 0, byte(k))
	h.inner = binary.LittleEndian.AppendUint64(h.inner, uint64(size))
	h.inner = binary.LittleEndian.AppendUint64(h.inner, below[0])
	h.inner = binary.LittleEndian.AppendUint64(h.inner, below[1])
	h.inner = append(h.inner, key...)
	return digestOf(h.inner)
}

// hasTwice tells whether two of the keys are equal, or for many keys whether
// their hashes are.
func (h *hasher) hasTwice(keys []span) bool {
	if len(keys) > smallNode {
		return h.hasManyTwice(keys)
	}
	for i, k := range keys {
		for _, other := range keys[:i] {
			if k.to-k.from == other.to-other.from && bytes.Equal(h.index.bytes(k), h.index.bytes(other)) {
				return true
			}
		}
	}
	return false
}

func (h *hasher) hasManyTwice(keys []span) bool {
	hashes := make([]uint64, len(keys))
	for i, k := range keys {
		hashes[i] = maphash.Bytes(seeds[0], h.index.bytes(k))
	}
	slices.Sort(hashes)
	return len(slices.Compact(hashes)) < len(keys)
}

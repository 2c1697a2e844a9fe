package proto

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// Hash stands for the meaning of an object, whichever order its bytes are in. It
// is seeded by process: it means nothing to another one.
type Hash [16]byte

// Hash returns the same for equal objects in any order of map entries, and
// different hashes, but for chance, for objects that differ.
func (s *Struct) Hash() (Hash, error) {
	switch {
	case s == nil || s.index == nil:
		return Hash{}, nil
	case s.hash != nil:
		return *s.hash, nil
	}
	b := s.index.bytes(s.body)
	h := hasher{b: b}
	if sum, ok := h.structure(span{}, 0, len(b), maxDepth); ok {
		return sum.hash(), nil
	}
	return hashDecoded(b)
}

// hashDecoded hashes a Struct that has a shape which no encoder writes: as the
// standard library would encode it.
func hashDecoded(b []byte) (Hash, error) {
	m := &structpb.Struct{}
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(b, m); err != nil {
		return Hash{}, fmt.Errorf("cannot hash an object: %w", err)
	}
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		return Hash{}, fmt.Errorf("cannot hash an object: %w", err)
	}
	h := hasher{b: b}
	if sum, ok := h.structure(span{}, 0, len(b), maxDepth); ok {
		return sum.hash(), nil
	}
	return digestOf(b).hash(), nil
}

// digest is two independent hashes of the same bytes.
type digest [2]uint64

func digestOf(b []byte) digest {
	return digest{maphash.Bytes(seeds[0], b), maphash.Bytes(seeds[1], b)}
}

func (d digest) hash() Hash {
	var out Hash
	binary.LittleEndian.PutUint64(out[:8], d[0])
	binary.LittleEndian.PutUint64(out[8:], d[1])
	return out
}

// hasher hashes a tree, and tells whether it is sound, in one pass. It gives up
// on anything that encoders do not write, a key that comes twice among them.
//
// A scalar is hashed as it lies, with its key. An object is hashed by its key, its
// size and the sum of the hashes of its entries, which does not depend on their
// order; an array by the hash of the sequence of the hashes of its items. Only
// strongly mixed hashes are ever added, and what is hashed for an object or array
// begins with a zero, which no scalar's tag is.
type hasher struct {
	b     []byte
	keys  []span // of the objects that are being hashed, to find duplicates
	items []byte // hashes of the items of the arrays that are being hashed
	inner []byte // what is hashed for an object or array
}

// reset makes a hasher of other bytes, in the same memory.
func (h *hasher) reset(b []byte) {
	h.b, h.keys, h.items = b, h.keys[:0], h.items[:0]
}

// structure hashes an object that is at a key. depth is how many more messages
// may be nested, with this one.
func (h *hasher) structure(key span, pos, to, depth int) (digest, bool) {
	var sum digest
	if depth <= 2 {
		return sum, pos == to
	}
	mark := len(h.keys)
	for pos < to {
		entry, name, value, end := usualEntry(h.b[:to], pos)
		if value < 0 {
			return sum, false
		}
		h.keys = append(h.keys, name)
		d, ok := h.value(name, entry, value, end, depth-2)
		if !ok {
			return sum, false
		}
		sum[0] += d[0]
		sum[1] += d[1]
		pos = end
	}
	keys := h.keys[mark:]
	h.keys = h.keys[:mark]
	return h.node(kindObject, key, len(keys), sum), !h.hasTwice(keys)
}

// list hashes an array that is at a key.
func (h *hasher) list(key span, pos, to, depth int) (digest, bool) {
	if depth <= 1 {
		return digest{}, pos == to
	}
	mark := len(h.items)
	for pos < to {
		if h.b[pos] != tagEntry {
			return digest{}, false
		}
		value, end := sized(h.b[:to], pos+1)
		if value < 0 {
			return digest{}, false
		}
		d, ok := h.value(span{}, value, value, end, depth-1)
		if !ok {
			return digest{}, false
		}
		h.items = binary.LittleEndian.AppendUint64(h.items, d[0])
		h.items = binary.LittleEndian.AppendUint64(h.items, d[1])
		pos = end
	}
	items := h.items[mark:]
	h.items = h.items[:mark]
	return h.node(kindArray, key, len(items), digestOf(items)), true
}

// value hashes a value at a key. As a scalar it is hashed with all of its entry.
func (h *hasher) value(key span, entry, from, to, depth int) (digest, bool) {
	switch k, at := usualValue(h.b[:to], from, depth); k {
	case kindNone:
		return digest{}, false
	case kindObject:
		return h.structure(key, at, to, depth-1)
	case kindArray:
		return h.list(key, at, to, depth-1)
	}
	return digestOf(h.b[entry:to]), true
}

// node hashes an object or array of so many entries or items.
func (h *hasher) node(k kind, key span, size int, below digest) digest {
	if h.inner == nil {
		h.inner = make([]byte, innerHead, 4*innerHead)
	}
	b := h.inner[:innerHead]
	b[0], b[1] = 0, byte(k)
	binary.LittleEndian.PutUint64(b[2:], uint64(size))
	binary.LittleEndian.PutUint64(b[10:], below[0])
	binary.LittleEndian.PutUint64(b[18:], below[1])
	h.inner = append(b, h.b[key.from:key.to]...)
	return digestOf(h.inner)
}

// innerHead is how many bytes of what is hashed for an object or array come
// before its key.
const innerHead = 26

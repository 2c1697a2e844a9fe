package proto

import (
	"bytes"
	"encoding/binary"
	"hash/maphash"
	"slices"
)

const (
	fewKeys  = 8  // are compared with each other
	someKeys = 64 // are compared with those that look alike
)

// hasTwice tells whether two of the keys are equal, or for very many keys
// whether their hashes are.
func (h *hasher) hasTwice(keys []span) bool {
	switch {
	case len(keys) > someKeys:
		return h.hasManyTwice(keys)
	case len(keys) > fewKeys:
		return h.hasSomeTwice(keys)
	}
	for i, k := range keys {
		for _, other := range keys[:i] {
			if h.sameKey(k, other) {
				return true
			}
		}
	}
	return false
}

func (h *hasher) sameKey(k, other span) bool {
	return k.to-k.from == other.to-other.from && bytes.Equal(h.b[k.from:k.to], h.b[other.from:other.to])
}

// hasSomeTwice puts the keys into a table by how they look.
func (h *hasher) hasSomeTwice(keys []span) bool {
	var table [2 * someKeys]uint8 // indexes plus 1
	for i, k := range keys {
		slot := looks(h.b[k.from:k.to]) % uint64(len(table))
		for ; table[slot] != 0; slot = (slot + 1) % uint64(len(table)) {
			if h.sameKey(k, keys[table[slot]-1]) {
				return true
			}
		}
		table[slot] = uint8(i + 1)
	}
	return false
}

// looks returns a number for the beginning, the end and the length of a key.
func looks(k []byte) uint64 {
	n := len(k)
	var x uint64
	switch {
	case n >= 8:
		x = binary.LittleEndian.Uint64(k) ^ binary.LittleEndian.Uint64(k[n-8:])<<1
	case n >= 4:
		x = uint64(binary.LittleEndian.Uint32(k))<<32 | uint64(binary.LittleEndian.Uint32(k[n-4:]))
	case n > 0:
		x = uint64(k[0])<<16 | uint64(k[n/2])<<8 | uint64(k[n-1])
	}
	const golden = 0x9e3779b97f4a7c15
	return (x ^ uint64(n)) * golden >> 40
}

func (h *hasher) hasManyTwice(keys []span) bool {
	hashes := make([]uint64, len(keys))
	for i, k := range keys {
		hashes[i] = maphash.Bytes(seeds[0], h.b[k.from:k.to])
	}
	slices.Sort(hashes)
	return len(slices.Compact(hashes)) < len(keys)
}

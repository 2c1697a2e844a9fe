package proto

import (
	"bytes"
	"hash/maphash"
	"slices"
)

// kind of a Value; none if it has no member set.
type kind int8

const (
	kindNone kind = iota
	kindNull
	kindNumber
	kindText
	kindBool
	kindObject
	kindArray
)

// name of a kind, as fieldpath.KindOf tells it.
func (k kind) name() string {
	return [...]string{"nothing", "null", "number", "string", "bool", "object", "array"}[k]
}

// index is a request's bytes with an index of those maps and lists that
// something was looked up in. All share its slices, so that it has few
// allocations and holds no pointers per field.
type index struct {
	b       []byte
	nodes   []node
	entries []entry

	// views are made in blocks, of which the first viewCount views are used.
	views     []*[mostViews]viewed
	viewCount int
}

// node is a map or a list: its entries are next to each other. view is the number
// of the view on it, counted from 1, 0 if there is none.
type node struct {
	first, count int32
	lookups      int32
	view         int32
	table        []int32
}

// entry of a map, or item of a list, which has no key. below is the index of the
// node of its value, 0 if that has none yet.
type entry struct {
	key, value span
	below      int32
}

const (
	// smallNode is up to how many entries are searched one by one, manyLookups
	// how often larger ones are before they get a hash table.
	smallNode   = 12
	manyLookups = 6
)

// seeds of hashes are chosen once for each process and never changed.
var seeds = [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()}

func newIndex(b []byte) *index {
	return &index{b: b, nodes: make([]node, 1, 16), entries: make([]entry, 0, 128)}
}

// mostEntries is how many entries an index has room for that is kept.
const mostEntries = 1 << 18

// reset makes an index of other bytes, in the same memory.
func (x *index) reset(b []byte) {
	clear(x.nodes)
	x.b, x.nodes, x.entries, x.viewCount = b, x.nodes[:1], x.entries[:0], 0
}

func (x *index) bytes(s span) []byte { return x.b[s.from:s.to:s.to] }

func (x *index) key(e int32) []byte { return x.bytes(x.entries[e].key) }

// addMap indexes the entries of the map field with this tag in a message.
func (x *index) addMap(body span, tag uint64) int32 {
	return x.add(body, tag, func(r record) entry {
		key := next(x.b[:r.to], r.from)
		value := next(x.b[:r.to], key.to)
		return entry{key: spanOf(key.from, key.to), value: spanOf(value.from, value.to)}
	})
}

// addList indexes the values of a ListValue.
func (x *index) addList(body span) int32 {
	return x.add(body, tagEntry, func(r record) entry {
		return entry{value: spanOf(r.from, r.to)}
	})
}

func (x *index) add(body span, tag uint64, read func(record) entry) int32 {
	first := len(x.entries)
	b := x.b[:body.to]
	for pos := int(body.from); pos < len(b); {
		r := next(b, pos)
		if r.tag == tag {
			x.entries = append(x.entries, read(r))
		}
		pos = r.to
	}
	x.nodes = append(x.nodes, node{first: int32(first), count: int32(len(x.entries) - first)})
	return int32(len(x.nodes) - 1)
}

// all returns the entries of a node, as they lie.
func (x *index) all(n int32) []entry {
	at := x.nodes[n]
	return x.entries[at.first : at.first+at.count]
}

// find returns the index of the last entry of a node that has this key, or -1.
func (x *index) find(n int32, key string) int32 {
	at := &x.nodes[n]
	if at.count > smallNode {
		if at.lookups++; at.lookups > manyLookups {
			return x.findHashed(at, key)
		}
	}
	for i := at.first + at.count - 1; i >= at.first; i-- {
		if k := x.entries[i].key; int(k.to-k.from) == len(key) && string(x.b[k.from:k.to]) == key {
			return i
		}
	}
	return -1
}

// findHashed finds an entry by a hash table, which it makes if there is none: of
// indexes plus 1, with free slots between them.
func (x *index) findHashed(at *node, key string) int32 {
	if at.table == nil {
		x.hashKeys(at)
	}
	mask := uint64(len(at.table) - 1)
	for slot := maphash.String(seeds[0], key) & mask; at.table[slot] != 0; slot = (slot + 1) & mask {
		i := at.table[slot] - 1
		if string(x.key(i)) == key {
			return i
		}
	}
	return -1
}

func (x *index) hashKeys(at *node) {
	size := 32
	for size < 2*int(at.count) {
		size *= 2
	}
	at.table = make([]int32, size)
	mask := uint64(size - 1)
	for i := at.first; i < at.first+at.count; i++ {
		key := x.key(i)
		slot := maphash.Bytes(seeds[0], key) & mask
		for at.table[slot] != 0 && !bytes.Equal(x.key(at.table[slot]-1), key) {
			slot = (slot + 1) & mask
		}
		at.table[slot] = i + 1
	}
}

// sorted returns the indexes of a node's entries by their keys, of equal keys
// only the last.
func (x *index) sorted(n int32) []int32 {
	at := x.nodes[n]
	order := make([]int32, 0, at.count)
	for i := at.first; i < at.first+at.count; i++ {
		order = append(order, i)
	}
	slices.SortFunc(order, func(i, j int32) int {
		if c := bytes.Compare(x.key(i), x.key(j)); c != 0 {
			return c
		}
		return int(j - i)
	})
	return slices.CompactFunc(order, func(i, j int32) bool {
		return bytes.Equal(x.key(i), x.key(j))
	})
}

// open returns the kind of a Value and its payload.
func (x *index) open(value span) (kind, span) {
	b := x.b[:value.to]
	for pos := int(value.from); pos < len(b); {
		r := next(b, pos)
		if k := kindOf(r.tag); k != kindNone {
			return k, spanOf(r.from, r.to)
		}
		pos = r.to
	}
	return kindNone, span{}
}

func kindOf(tag uint64) kind {
	switch tag {
	case tagNull:
		return kindNull
	case tagNumber:
		return kindNumber
	case tagText:
		return kindText
	case tagBool:
		return kindBool
	case tagObject:
		return kindObject
	case tagArray:
		return kindArray
	}
	return kindNone
}

package fieldpath

import (
	"cmp"
	"iter"
	"slices"
)

// state tells what a node holds.
type state int8

const (
	whole  state = iota // a value, as it is
	object              // an object, with fields written over those it had
	array               // an array of nodes
	absent              // nothing
)

// node is a value in a draft. It is opened, into an object or an array of nodes,
// when something below it is written.
type node struct {
	state state
	value any // of a whole

	// base is the shared value that a whole is, or that an opened object was.
	base *Frozen

	// open is what an object or array was opened into.
	open *opened
}

// opened is what is below an object or array that was written to.
type opened struct {
	items []node

	// fields are sorted by their keys while there are few. Of many, byKey tells
	// where each one is.
	fields []field
	byKey  map[string]int
}

type field struct {
	key  string
	node node
}

// manyFields is how many fields are kept sorted at all times, and searched one
// by one: most of them differ in length already.
const manyFields = 32

// kind of the value, as KindOf tells it.
func (n *node) kind() string {
	switch n.state {
	case object:
		return "object"
	case array:
		return "array"
	}
	return KindOf(n.value)
}

// missing tells whether there is nothing here that could be opened: a null
// gives way to what is written below it.
func (n *node) missing() bool {
	return n.state == absent || n.state == whole && n.value == nil
}

func (n *node) set(v any) { *n = node{value: v} }

// shared makes a node of a shared value.
func shared(f *Frozen) node {
	if f == nil {
		return node{state: absent}
	}
	return node{value: f.Value, base: f}
}

// openObject makes an object of nodes of n; false if it is something else.
func (n *node) openObject(m *Memory) bool {
	if n.state == object {
		return true
	}
	if n.missing() {
		*n = node{state: object, open: m.opened()}
		return true
	}
	if _, ok := n.value.(map[string]any); !ok || n.state != whole {
		return false
	}
	*n = node{state: object, base: n.frozen().opened(), open: m.opened()}
	return true
}

// openArray makes an array of nodes of n; false if it is something else.
func (n *node) openArray(m *Memory) bool {
	if n.state == array {
		return true
	}
	if n.missing() {
		*n = node{state: array, open: m.opened()}
		return true
	}
	if _, ok := n.value.([]any); !ok || n.state != whole {
		return false
	}
	below := n.frozen().opened().Below
	o := m.opened()
	o.items = m.nodes(len(below))
	for i := range below {
		o.items[i] = shared(&below[i])
	}
	*n = node{state: array, open: o}
	return true
}

// frozen returns the shared value that a whole is.
func (n *node) frozen() *Frozen {
	if n.base != nil {
		return n.base
	}
	return Freeze(n.value)
}

// find returns the field that was written at a key, or nil; and where it is, or
// else is to be.
func (o *opened) find(key string) (*node, int) {
	if o.byKey != nil {
		if i, ok := o.byKey[key]; ok {
			return &o.fields[i].node, i
		}
		return nil, len(o.fields)
	}
	for i := range o.fields {
		if o.fields[i].key == key {
			return &o.fields[i].node, i
		}
	}
	i := len(o.fields)
	for i > 0 && o.fields[i-1].key > key {
		i--
	}
	return nil, i
}

// insert inserts a field where find says that it is to be.
func (o *opened) insert(m *Memory, i int, f field) *node {
	if len(o.fields) == cap(o.fields) {
		o.fields = m.grown(o.fields)
	}
	o.fields = o.fields[:len(o.fields)+1]
	copy(o.fields[i+1:], o.fields[i:])
	o.fields[i] = f
	switch {
	case o.byKey != nil:
		o.byKey[f.key] = i
	case len(o.fields) > manyFields:
		o.byKey = m.places()
		o.index()
	}
	return &o.fields[i].node
}

func (o *opened) index() {
	for i := range o.fields {
		o.byKey[o.fields[i].key] = i
	}
}

// has tells whether the node is an object with a field at a key.
func (n *node) has(key string) bool {
	if n.state == object {
		f := n.peek(key)
		return f.state != absent
	}
	there, _ := n.value.(map[string]any)
	_, ok := there[key]
	return ok
}

// peek returns what an opened object has at a key, without making it writable.
func (n *node) peek(key string) node {
	if f, _ := n.open.find(key); f != nil {
		return *f
	}
	return shared(n.base.field(key))
}

// field returns the node of an opened object at a key, to be written to. It is
// valid until the next one is asked for.
func (n *node) field(m *Memory, key string) *node {
	f, i := n.open.find(key)
	if f != nil {
		return f
	}
	return n.open.insert(m, i, field{key: key, node: shared(n.base.field(key))})
}

// keys of an opened object, sorted.
func (n *node) keys() []string {
	keys := make([]string, 0, n.size())
	for k := range n.backward() {
		keys = append(keys, k)
	}
	slices.Reverse(keys)
	return keys
}

// size returns how many fields an opened object has at most.
func (n *node) size() int {
	if n.base == nil {
		return len(n.open.fields)
	}
	return len(n.base.Keys) + len(n.open.fields)
}

// backward returns what an opened object has, from the last key to the first.
func (n *node) backward() iter.Seq2[string, node] {
	n.open.sort()
	return func(yield func(string, node) bool) {
		written := n.open.fields
		var keys []string
		if n.base != nil {
			keys = n.base.Keys
		}
		for len(keys) > 0 || len(written) > 0 {
			i, j := len(keys)-1, len(written)-1
			if j < 0 || i >= 0 && keys[i] > written[j].key {
				if !yield(keys[i], shared(&n.base.Below[i])) {
					return
				}
				keys = keys[:i]
				continue
			}
			if i >= 0 && keys[i] == written[j].key {
				keys = keys[:i]
			}
			if f := &written[j]; f.node.state != absent && !yield(f.key, f.node) {
				return
			}
			written = written[:j]
		}
	}
}

// sort sorts the fields that were written by their keys.
func (o *opened) sort() {
	if o.byKey == nil {
		return
	}
	byKey := func(a, b field) int { return cmp.Compare(a.key, b.key) }
	if !slices.IsSortedFunc(o.fields, byKey) {
		slices.SortFunc(o.fields, byKey)
		o.index()
	}
}

// plain returns the node as a plain value, copied where it was written. The
// number of values copied is added to the count.
func (n *node) plain(count *int) any {
	switch n.state {
	case object:
		m := make(map[string]any, n.size())
		for k, f := range n.backward() {
			m[k] = f.plain(count)
		}
		*count += len(m)
		return m
	case array:
		a := make([]any, len(n.open.items))
		for i := range n.open.items {
			a[i] = n.open.items[i].plain(count)
		}
		*count += len(a)
		return a
	}
	return n.value
}

package fieldpath

import (
	"maps"
	"slices"
)

// Draft is a value that is being written. It starts as a Frozen, of which only
// what is written is copied. It is a Reader. It is not safe for concurrent use.
type Draft struct {
	root   node
	budget *Budget
}

// NewDraft returns a draft that starts as base, or as nothing if that is nil.
// What is written to it is taken from the budget.
func NewDraft(base *Frozen, b *Budget) *Draft {
	d := &Draft{budget: b, root: node{state: absent}}
	if base != nil {
		d.root = node{value: base.Value, frozen: base}
	}
	return d
}

// state tells what a node holds.
type state int8

const (
	whole  state = iota // value, as it is
	object              // value's entries, with fields written over them
	array               // items
	absent              // nothing
)

// node is a value in a draft. It is opened, into an object or an array of nodes,
// when something below it is written.
type node struct {
	state  state
	value  any     // a whole; of an object, the map[string]any below the fields
	frozen *Frozen // the base that value is from, or nil
	fields map[string]*node
	items  []*node
}

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

// openObject makes an object of nodes of n; false if it is something else.
func (n *node) openObject() bool {
	if n.state == object {
		return true
	}
	if n.missing() {
		*n = node{state: object}
		return true
	}
	_, ok := n.value.(map[string]any)
	if ok && n.state == whole {
		n.state = object
		return true
	}
	return false
}

// openArray makes an array of nodes of n; false if it is something else.
func (n *node) openArray() bool {
	if n.state == array {
		return true
	}
	if n.missing() {
		*n = node{state: array}
		return true
	}
	values, ok := n.value.([]any)
	if !ok || n.state != whole {
		return false
	}
	items, all := make([]*node, len(values)), make([]node, len(values))
	for i, v := range values {
		all[i] = node{value: v, frozen: n.frozen.item(i)}
		items[i] = &all[i]
	}
	*n = node{state: array, items: items}
	return true
}

// peek returns what an opened object has at a key, without making it writable.
func (n *node) peek(key string) node {
	if f, ok := n.fields[key]; ok {
		return *f
	}
	if v, ok := below(n)[key]; ok {
		return node{value: v, frozen: n.frozen.field(key)}
	}
	return node{state: absent}
}

// field returns the node of an opened object at a key, to be written to.
func (n *node) field(key string) *node {
	if f, ok := n.fields[key]; ok {
		return f
	}
	f := n.peek(key)
	if n.fields == nil {
		n.fields = make(map[string]*node)
	}
	n.fields[key] = &f
	return &f
}

// keys of an opened object, sorted.
func (n *node) keys() []string {
	base := below(n)
	keys := make([]string, 0, len(base)+len(n.fields))
	for k := range base {
		if _, written := n.fields[k]; !written {
			keys = append(keys, k)
		}
	}
	for k, f := range n.fields {
		if f.state != absent {
			keys = append(keys, k)
		}
	}
	slices.Sort(keys)
	return keys
}

// below returns the entries that an opened object had.
func below(n *node) map[string]any {
	m, _ := n.value.(map[string]any)
	return m
}

// plain returns the node as a plain value, copied where it was written. The
// number of values copied is added to the count.
func (n *node) plain(count *int) any {
	switch n.state {
	case object:
		m := make(map[string]any, len(below(n))+len(n.fields))
		maps.Copy(m, below(n))
		for k, f := range n.fields {
			if f.state == absent {
				delete(m, k)
				continue
			}
			m[k] = f.plain(count)
		}
		*count += len(m)
		return m
	case array:
		a := make([]any, len(n.items))
		for i, e := range n.items {
			a[i] = e.plain(count)
		}
		*count += len(a)
		return a
	}
	return n.value
}

// Value returns the whole as a plain value, nil if nothing was written.
func (d *Draft) Value() any { return d.root.plain(new(int)) }

// FieldKind tells what kind of value the draft has at a key, as KindOf does; it
// is empty if there is none.
func (d *Draft) FieldKind(key string) string {
	root := d.root
	if !root.openObject() {
		return ""
	}
	f := root.peek(key)
	if f.state == absent {
		return ""
	}
	return f.kind()
}

// IsEmpty tells whether there is nothing in the draft at all.
func (d *Draft) IsEmpty() bool { return d.root.state == absent }

// Get returns the value at a path, as Reader says. A copy that has to be made of
// what was written is taken from the budget.
func (d *Draft) Get(p Path) (any, bool, error) {
	copied := 0
	v, found, err := d.root.get(p, 0, &copied)
	if err == nil {
		err = d.budget.Spend(copied)
	}
	return v, found, err
}

func (n *node) get(p Path, depth int, copied *int) (any, bool, error) {
	if n.state == absent {
		return nil, false, nil
	}
	if depth == len(p.segments) {
		return n.plain(copied), true, nil
	}
	if n.state == whole {
		return get(n.value, p, depth)
	}
	s := p.segments[depth]
	switch {
	case s.Kind == Wildcard:
		return n.getAll(p, depth, copied)
	case s.Kind == Field && n.state == object:
		f := n.peek(s.Field)
		return f.get(p, depth+1, copied)
	case s.Kind == Index && n.state == array:
		if s.Index >= len(n.items) {
			return nil, false, nil
		}
		return n.items[s.Index].get(p, depth+1, copied)
	case s.Kind == Field:
		return nil, false, &TypeError{Path: p.Prefix(depth), Want: "object", Got: n.kind()}
	}
	return nil, false, &TypeError{Path: p.Prefix(depth), Want: "array", Got: n.kind()}
}

func (n *node) getAll(p Path, depth int, copied *int) (any, bool, error) {
	c := Collector{Nested: p.WildcardAfter(depth)}
	if n.state == array {
		for _, e := range n.items {
			if err := c.Add(e.get(p, depth+1, copied)); err != nil {
				return nil, false, err
			}
		}
		return c.Values(), true, nil
	}
	for _, k := range n.keys() {
		f := n.peek(k)
		if err := c.Add(f.get(p, depth+1, copied)); err != nil {
			return nil, false, err
		}
	}
	return c.Values(), true, nil
}

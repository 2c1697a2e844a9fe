package fieldpath

import "slices"

// Draft is a value that is being written. It starts as a Frozen, of which only
// what is written is copied. It is a Reader. It is not safe for concurrent use.
type Draft struct {
	root   node
	budget *Budget
	memory *Memory
}

// NewDraft returns a draft that starts as base, or as nothing if that is nil.
// What is written to it is taken from the budget, and made of the memory.
func NewDraft(base *Frozen, b *Budget, m *Memory) *Draft {
	return &Draft{root: shared(base), budget: b, memory: m}
}

// Value returns the whole as a plain value, nil if nothing was written.
func (d *Draft) Value() any { return d.root.plain(new(int)) }

// IsEmpty tells whether there is nothing in the draft at all.
func (d *Draft) IsEmpty() bool { return d.root.state == absent }

// FieldKind tells what kind of value the draft has at a key, as KindOf does; it
// is empty if there is none.
func (d *Draft) FieldKind(key string) string {
	switch d.root.state {
	case whole:
		there, _ := d.root.value.(map[string]any)
		if v, ok := there[key]; ok {
			return KindOf(v)
		}
	case object:
		if f := d.root.peek(key); f.state != absent {
			return f.kind()
		}
	}
	return ""
}

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
	s := &p.segments[depth]
	switch {
	case s.Kind == Wildcard:
		return n.getAll(p, depth, copied)
	case n.state == object && s.Kind != Index:
		f := n.peek(s.Field)
		return f.get(p, depth+1, copied)
	case n.state == array && s.Kind != Field:
		from, to := n.elementsAt(s)
		if from == to {
			return nil, false, nil
		}
		return n.open.items[from].get(p, depth+1, copied)
	}
	return nil, false, p.mismatch(depth, n.kind())
}

func (n *node) getAll(p Path, depth int, copied *int) (any, bool, error) {
	c := Collector{Nested: p.WildcardAfter(depth)}
	for _, e := range n.elements() {
		if err := c.Add(e.get(p, depth+1, copied)); err != nil {
			return nil, false, err
		}
	}
	return c.Values(), true, nil
}

// elements returns what is below an opened array or object, in order.
func (n *node) elements() []node {
	if n.state == array {
		return n.open.items
	}
	elements := make([]node, 0, n.size())
	for _, f := range n.backward() {
		elements = append(elements, f)
	}
	slices.Reverse(elements)
	return elements
}

// Node is a value in a draft, for who writes the draft out. A Node is one of
// these: untouched, so that Frozen is not nil; an opened object; an opened
// array; or else a plain value.
type Node struct{ n *node }

// Root returns the whole draft. It must not be written to while nodes are used.
func (d *Draft) Root() Node { return Node{&d.root} }

// Frozen returns the part of the base that lies here untouched, or nil.
func (n Node) Frozen() *Frozen {
	if n.n.state != whole {
		return nil
	}
	return n.n.base
}

// IsObject tells whether this is an opened object: what was written to it stands
// over its Base.
func (n Node) IsObject() bool { return n.n.state == object }

// Base returns the object that an opened object was, with its Keys and what is
// Below; nil if there was none.
func (n Node) Base() *Frozen { return n.n.base }

// Written returns how many fields were written to an opened object.
func (n Node) Written() int {
	n.n.open.sort()
	return len(n.n.open.fields)
}

// Field returns a field that was written to an opened object, in the order of
// the keys, and whether it is there at all: it may have been removed.
func (n Node) Field(i int) (key string, f Node, there bool) {
	written := &n.n.open.fields[i]
	return written.key, Node{&written.node}, written.node.state != absent
}

// Len returns the number of items of an opened array.
func (n Node) Len() (int, bool) {
	if n.n.state != array {
		return 0, false
	}
	return len(n.n.open.items), true
}

// Item returns an opened array's item, from 0 to Len.
func (n Node) Item(i int) Node { return Node{&n.n.open.items[i]} }

// Plain returns the plain value. It must not be changed.
func (n Node) Plain() any { return n.n.plain(new(int)) }

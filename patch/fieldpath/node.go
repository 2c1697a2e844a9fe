package fieldpath

// Node is a value in a draft, for who writes the draft out. A Node is one of
// these: untouched, so that Frozen is not nil; an opened object, with Keys; an
// opened array, with Len; or else a plain value.
type Node struct{ n node }

// Root returns the whole draft. It must not be written to while nodes are used.
func (d *Draft) Root() Node { return Node{d.root} }

// Frozen returns the part of the base that lies here untouched, or nil.
func (n Node) Frozen() *Frozen {
	if n.n.state != whole {
		return nil
	}
	return n.n.frozen
}

// Keys returns the keys of an opened object, sorted.
func (n Node) Keys() ([]string, bool) {
	if n.n.state != object {
		return nil, false
	}
	return n.n.keys(), true
}

// Field returns an opened object's value at one of its Keys.
func (n Node) Field(key string) Node { return Node{n.n.peek(key)} }

// Len returns the number of items of an opened array.
func (n Node) Len() (int, bool) { return len(n.n.items), n.n.state == array }

// Item returns an opened array's item, from 0 to Len.
func (n Node) Item(i int) Node { return Node{*n.n.items[i]} }

// Plain returns the plain value. It must not be changed.
func (n Node) Plain() any { return n.n.plain(new(int)) }

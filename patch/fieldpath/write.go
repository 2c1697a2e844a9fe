package fieldpath

import "slices"

// Set writes a value at a path. Objects and arrays on the way are made where
// they are missing or null, and an array is filled up with nulls. A wildcard
// writes to every element there is: none is nothing to do, a missing array is a
// *MissingError. Writing through another kind of value is a *TypeError, beyond
// MaxIndex an *IndexError. The value is shared from now on.
func (d *Draft) Set(p Path, v any) error {
	return d.write(&d.root, p, 0, change{value: v})
}

// Merge writes a value at a path as Set does, but merges it with what is there.
func (d *Draft) Merge(p Path, v any, o MergeOptions) error {
	return d.write(&d.root, p, 0, change{value: v, merge: &o})
}

// Delete removes what is at a path: a field of an object, or an element of an
// array, whose later elements move up. It is nothing to do if it is not there.
func (d *Draft) Delete(p Path) error {
	if _, found, err := d.Get(p); err != nil || !found {
		return err
	}
	return d.write(&d.root, p, 0, change{remove: true})
}

// change is what is done at the end of a path.
type change struct {
	value  any
	merge  *MergeOptions // nil replaces
	remove bool
}

func (d *Draft) write(n *node, p Path, depth int, c change) error {
	if depth == len(p.segments) {
		return d.apply(n, c)
	}
	switch s := p.segments[depth]; s.Kind {
	case Field:
		if !n.openObject(d.memory) {
			return &TypeError{Path: p.Prefix(depth), Want: "object", Got: n.kind()}
		}
		f := n.field(d.memory, s.Field)
		if depth+1 == len(p.segments) {
			return d.apply(f, c)
		}
		return d.write(f, p, depth+1, c)
	case Index:
		return d.writeIndex(n, p, depth, c)
	}
	return d.writeAll(n, p, depth, c)
}

func (d *Draft) apply(n *node, c change) error {
	if err := d.budget.Spend(1); err != nil {
		return err
	}
	switch {
	case c.remove:
		*n = node{state: absent}
		return nil
	case c.merge != nil:
		return d.merge(n, c.value, *c.merge)
	}
	n.set(c.value)
	return nil
}

// elementCost is what an element costs of the budget that an array is filled up
// with: it takes memory that nothing in the request accounts for.
const elementCost = 128

func (d *Draft) writeIndex(n *node, p Path, depth int, c change) error {
	index := p.segments[depth].Index
	if index > MaxIndex {
		return &IndexError{Index: index}
	}
	if !n.openArray(d.memory) {
		return &TypeError{Path: p.Prefix(depth), Want: "array", Got: n.kind()}
	}
	if grow := index + 1 - len(n.open.items); grow > 0 {
		if err := d.budget.Spend(grow * elementCost); err != nil {
			return err
		}
		n.open.items = append(n.open.items, make([]node, grow)...)
	}
	if err := d.write(&n.open.items[index], p, depth+1, c); err != nil {
		return err
	}
	n.dropAbsent(c)
	return nil
}

func (d *Draft) writeAll(n *node, p Path, depth int, c change) error {
	if n.missing() {
		return &MissingError{Path: p.Prefix(depth), Want: "array or object"}
	}
	switch n.kind() {
	case "array":
		n.openArray(d.memory)
		if depth+2 == len(p.segments) && p.segments[depth+1].Kind == Field && !c.remove {
			return d.writeField(n.open.items, p, c)
		}
		for i := range n.open.items {
			if err := d.write(&n.open.items[i], p, depth+1, c); err != nil {
				return err
			}
		}
		n.dropAbsent(c)
		return nil
	case "object":
		n.openObject(d.memory)
		for _, k := range n.keys() {
			if err := d.write(n.field(d.memory, k), p, depth+1, c); err != nil {
				return err
			}
		}
		return nil
	}
	return &TypeError{Path: p.Prefix(depth), Want: "array or object", Got: n.kind()}
}

// writeField writes the last segment of a path, a field, to each of the items.
func (d *Draft) writeField(items []node, p Path, c change) error {
	last := len(p.segments) - 1
	name := p.segments[last].Field
	if c.merge == nil {
		if err := d.budget.Spend(len(items)); err != nil {
			return err
		}
	}
	for i := range items {
		if !items[i].openObject(d.memory) {
			return &TypeError{Path: p.Prefix(last), Want: "object", Got: items[i].kind()}
		}
		f := items[i].field(d.memory, name)
		if c.merge == nil {
			f.set(c.value)
			continue
		}
		if err := d.apply(f, c); err != nil {
			return err
		}
	}
	return nil
}

// dropAbsent takes out the elements of an array that a change removed.
func (n *node) dropAbsent(c change) {
	if !c.remove {
		return
	}
	n.open.items = slices.DeleteFunc(n.open.items, func(e node) bool { return e.state == absent })
}

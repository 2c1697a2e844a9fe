package fieldpath

import "slices"

// Delete removes what is at a path: a field of an object, or an element of an
// array, whose later elements move up. A wildcard removes it below each element,
// or all elements. Where something is missing, on the way or at its end, there is
// nothing to do. Another kind of value on the way is a *TypeError.
func (d *Draft) Delete(p Path) error {
	if p.IsZero() {
		d.root = node{state: absent}
		return nil
	}
	return d.remove(&d.root, p, 0)
}

func (d *Draft) remove(n *node, p Path, depth int) error {
	if n.missing() {
		return nil
	}
	if err := d.budget.Spend(1); err != nil {
		return err
	}
	s := &p.segments[depth]
	switch n.kind() {
	case "object":
		switch s.Kind {
		case Field, Item:
			return d.removeField(n, p, depth, s.Field)
		case Wildcard:
			return d.removeFields(n, p, depth)
		}
	case "array":
		if s.Kind != Field {
			return d.removeElements(n, p, depth)
		}
	}
	return p.mismatch(depth, n.kind())
}

func (d *Draft) removeField(n *node, p Path, depth int, key string) error {
	if !n.has(key) {
		return nil
	}
	n.openObject(d.memory)
	f := n.field(d.memory, key)
	if depth+1 == len(p.segments) {
		*f = node{state: absent}
		return nil
	}
	return d.remove(f, p, depth+1)
}

func (d *Draft) removeFields(n *node, p Path, depth int) error {
	n.openObject(d.memory)
	keys := n.keys()
	if err := d.budget.Spend(len(keys)); err != nil {
		return err
	}
	for _, k := range keys {
		if err := d.removeField(n, p, depth, k); err != nil {
			return err
		}
	}
	return nil
}

// removeElements removes from those elements of an array that a segment, which is
// no field, leads to.
func (d *Draft) removeElements(n *node, p Path, depth int) error {
	n.openArray(d.memory)
	// Elements are looked through, or moved up.
	if err := d.budget.Spend(len(n.open.items)); err != nil {
		return err
	}
	from, to := n.elementsAt(&p.segments[depth])
	if depth+1 == len(p.segments) {
		n.open.items = slices.Delete(n.open.items, from, to)
		return nil
	}
	for i := from; i < to; i++ {
		if err := d.remove(&n.open.items[i], p, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// elementsAt returns the range of the elements of an opened array that a segment
// leads to.
func (n *node) elementsAt(s *Segment) (from, to int) {
	i, size := s.Index, len(n.open.items)
	switch s.Kind {
	case Wildcard:
		return 0, size
	case Item:
		i = n.chosen(s.Match)
	}
	if i < 0 || i >= size {
		return 0, 0
	}
	return i, i + 1
}

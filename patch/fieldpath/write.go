package fieldpath

// Set writes a value at a path. Objects and arrays on the way are made where
// they are missing or null, and an array is filled up with nulls. A wildcard
// writes to every element there is: none is nothing to do, a missing array is a
// *MissingError. Writing through another kind of value is a *TypeError, beyond
// MaxIndex an *IndexError. An item that an array does not have is appended to it,
// and one that is written as a whole keeps the field by which it was chosen, unless
// the value has that field. The value is shared from now on.
func (d *Draft) Set(p Path, v any) error {
	return d.write(&d.root, p, 0, change{value: v})
}

// Merge writes a value at a path as Set does, but merges it with what is there.
func (d *Draft) Merge(p Path, v any, o MergeOptions) error {
	return d.write(&d.root, p, 0, change{value: v, merge: &o})
}

// change is what is done at the end of a path.
type change struct {
	value any
	merge *MergeOptions // nil replaces
}

func (d *Draft) write(n *node, p Path, depth int, c change) error {
	if depth == len(p.segments) {
		return d.apply(n, c)
	}
	switch s := &p.segments[depth]; s.Kind {
	case Field:
		if !n.openObject(d.memory) {
			return p.mismatch(depth, n.kind())
		}
		f := n.field(d.memory, s.Field)
		if depth+1 == len(p.segments) {
			return d.apply(f, c)
		}
		return d.write(f, p, depth+1, c)
	case Index:
		return d.writeIndex(n, p, depth, c)
	case Item:
		return d.writeItem(n, p, depth, c)
	}
	return d.writeAll(n, p, depth, c)
}

func (d *Draft) apply(n *node, c change) error {
	if err := d.budget.Spend(1); err != nil {
		return err
	}
	if c.merge != nil {
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
		return p.mismatch(depth, n.kind())
	}
	if grow := index + 1 - len(n.open.items); grow > 0 {
		if err := d.budget.Spend(grow * elementCost); err != nil {
			return err
		}
		n.open.items = append(n.open.items, make([]node, grow)...)
	}
	return d.write(&n.open.items[index], p, depth+1, c)
}

func (d *Draft) writeAll(n *node, p Path, depth int, c change) error {
	if n.missing() {
		return &MissingError{Path: p.Prefix(depth), Want: "array or object"}
	}
	switch n.kind() {
	case "array":
		n.openArray(d.memory)
		if depth+2 == len(p.segments) && p.segments[depth+1].Kind == Field {
			return d.writeField(n.open.items, p, c)
		}
		for i := range n.open.items {
			if err := d.write(&n.open.items[i], p, depth+1, c); err != nil {
				return err
			}
		}
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
	return p.mismatch(depth, n.kind())
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
			return p.mismatch(last, items[i].kind())
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

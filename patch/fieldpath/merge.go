package fieldpath

import (
	"maps"
	"slices"
)

// MergeOptions say how a value is merged with what is there. Objects are always
// merged field by field.
type MergeOptions struct {
	// Force lets the new value win where both have one. Otherwise what is there
	// stays, unless it is empty.
	Force bool

	// Append appends arrays. Those directly at the path leave out what is there
	// already; those further down are appended whole.
	Append bool
}

func (d *Draft) merge(n *node, v any, o MergeOptions) error {
	if v == nil || n.missing() {
		n.set(v)
		return nil
	}
	if values, ok := v.([]any); ok && o.Append && n.kind() == "array" {
		there, _ := n.plain(new(int)).([]any)
		more, err := d.withoutKnown(there, values)
		if err != nil {
			return err
		}
		return d.appendArray(n, there, more)
	}
	return d.mergeInto(n, v, o)
}

// mergeInto merges v, which is not null, with something that is there.
func (d *Draft) mergeInto(n *node, v any, o MergeOptions) error {
	if err := d.budget.Spend(1); err != nil {
		return err
	}
	switch t := v.(type) {
	case map[string]any:
		if n.kind() == "object" {
			return d.mergeObject(n, t, o)
		}
	case []any:
		if o.Append && n.kind() == "array" {
			there, _ := n.plain(new(int)).([]any)
			return d.appendArray(n, there, t)
		}
	}
	if o.Force || n.isEmpty() {
		n.set(v)
	}
	return nil
}

func (d *Draft) mergeObject(n *node, with map[string]any, o MergeOptions) error {
	n.openObject(d.memory)
	for _, k := range slices.Sorted(maps.Keys(with)) {
		v := with[k]
		f := n.peek(k)
		switch {
		case v == nil && !o.Force:
			// A null adds nothing.
		case v == nil, f.missing():
			if err := d.budget.Spend(1); err != nil {
				return err
			}
			n.field(d.memory, k).set(v)
		default:
			if err := d.mergeInto(n.field(d.memory, k), v, o); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Draft) appendArray(n *node, there, more []any) error {
	if err := d.budget.Spend(len(there) + len(more)); err != nil {
		return err
	}
	n.set(slices.Concat(there, more))
	return nil
}

// isEmpty tells whether the value gives way in a merge: null, false, zero, or
// an empty string, array or object.
func (n *node) isEmpty() bool {
	switch n.state {
	case object:
		return len(n.keys()) == 0
	case array:
		return len(n.open.items) == 0
	}
	switch t := n.value.(type) {
	case map[string]any:
		return len(t) == 0
	case []any:
		return len(t) == 0
	}
	return n.value == nil || n.value == false || n.value == int64(0) || n.value == float64(0) || n.value == ""
}

// withoutKnown returns the values that are not among the known ones.
func (d *Draft) withoutKnown(known, values []any) ([]any, error) {
	seen := make(map[any]struct{}, len(known))
	for _, v := range known {
		id, err := d.identity(v)
		if err != nil {
			return nil, err
		}
		seen[id] = struct{}{}
	}
	out := make([]any, 0, len(values))
	for _, v := range values {
		id, err := d.identity(v)
		if err != nil {
			return nil, err
		}
		if _, ok := seen[id]; !ok {
			out = append(out, v)
		}
	}
	return out, nil
}

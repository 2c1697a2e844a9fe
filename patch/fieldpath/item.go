package fieldpath

import (
	"strconv"
	"strings"
)

// Match says which element of an array an Item is: the first object whose field
// Key has this Text. Elements that are no objects are passed over.
type Match struct {
	Key, Text string

	// Literal is the integer or bool that the text is if it stands without quotes.
	// A field with that value is the wanted one as well. It is nil of other texts.
	Literal any

	// Written is what stands in the brackets.
	Written string
}

// newMatch returns the match that is written as key=text, with the text in this
// quote if it is not empty.
func newMatch(key, text, quote string) *Match {
	m := &Match{Key: key, Text: text, Written: key + "=" + quote + text + quote}
	if quote == "" {
		m.Literal = literal(text)
	}
	return m
}

// literal returns the integer or bool that is written just so, or nil. A number
// with a fraction is none: versions look like that.
func literal(text string) any {
	switch text {
	case "true":
		return true
	case "false":
		return false
	}
	if i, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(i, 10) == text {
		return i
	}
	return nil
}

// segment returns the step to the item. In an object it is a field, which has what
// is in the brackets as its name, without quotes at its ends.
func (m *Match) segment() Segment {
	return Segment{Kind: Item, Field: strings.Trim(m.Written, `'"`), Match: m}
}

// Is tells whether v, which an element has at Key, is the wanted value.
func (m *Match) Is(v any) bool {
	if s, ok := v.(string); ok {
		return s == m.Text
	}
	return m.Literal != nil && v == m.Literal
}

// item returns what an array or object has at an Item; ok is false if v is
// neither.
func item(v any, s *Segment) (below any, found, ok bool) {
	switch t := v.(type) {
	case map[string]any:
		below, found = t[s.Field]
		return below, found, true
	case []any:
		for _, e := range t {
			if o, ok := e.(map[string]any); ok && s.Match.Is(o[s.Match.Key]) {
				return e, true, true
			}
		}
		return nil, false, true
	}
	return nil, false, false
}

// chosen returns the index of the element of an opened array that is the match,
// or -1.
func (n *node) chosen(m *Match) int {
	for i := range n.open.items {
		if m.Is(n.open.items[i].simple(m.Key)) {
			return i
		}
	}
	return -1
}

// simple returns what an object has at a key, nil if that is no simple value or
// the node no object.
func (n *node) simple(key string) any {
	switch n.state {
	case whole:
		there, _ := n.value.(map[string]any)
		return there[key]
	case object:
		if f := n.peek(key); f.state == whole {
			return f.value
		}
	}
	return nil
}

// writeItem writes to the element of an array that is the match. It is appended
// if there is none.
func (d *Draft) writeItem(n *node, p Path, depth int, c change) error {
	s := &p.segments[depth]
	if n.kind() == "object" {
		n.openObject(d.memory)
		return d.write(n.field(d.memory, s.Field), p, depth+1, c)
	}
	if !n.openArray(d.memory) {
		return p.mismatch(depth, n.kind())
	}
	// To look for it is work as well, which no other value accounts for.
	if err := d.budget.Spend(len(n.open.items)); err != nil {
		return err
	}
	i := n.chosen(s.Match)
	if i < 0 {
		if err := d.budget.Spend(elementCost); err != nil {
			return err
		}
		i = n.appendItem(d.memory, s.Match)
	}
	e := &n.open.items[i]
	id := e.simple(s.Match.Key)
	if err := d.write(e, p, depth+1, c); err != nil {
		return err
	}
	if depth+1 == len(p.segments) {
		e.keep(d.memory, s.Match.Key, id)
	}
	return nil
}

// appendItem appends the element that is the match to an opened array, and returns
// its index.
func (n *node) appendItem(m *Memory, match *Match) int {
	e := node{state: absent}
	e.openObject(m)
	e.field(m, match.Key).set(n.identifier(match))
	n.open.items = append(n.open.items, e)
	return len(n.open.items) - 1
}

// identifier returns what a new element has at the key of the match: a literal as
// such, unless the other elements have strings there.
func (n *node) identifier(m *Match) any {
	if m.Literal == nil {
		return m.Text
	}
	for i := range n.open.items {
		if v := n.open.items[i].simple(m.Key); v != nil {
			if _, ok := v.(string); ok {
				return m.Text
			}
			break
		}
	}
	return m.Literal
}

// keep gives an element that was written as a whole the field again by which it
// was chosen, unless it has another there: it is to be found by it again.
func (n *node) keep(m *Memory, key string, v any) {
	if n.kind() != "object" || n.has(key) {
		return
	}
	n.openObject(m)
	n.field(m, key).set(v)
}

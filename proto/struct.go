package proto

import (
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Struct is a read-only view on an object. It is a fieldpath.Reader that decodes
// only what it returns, and remembers where it found the fields of the objects
// that it passed. It is not safe for concurrent use, nor is any other of the same
// request.
type Struct struct {
	index *index
	kind  kind // of what is there; kindObject unless a context key has another
	body  span
	node  int32
	hash  *Hash // if it is known
}

// position is a value that a lookup has reached. entry is -1 for the root.
type position struct {
	kind  kind
	body  span
	entry int32
}

// Get returns the value at a path, as fieldpath.Reader says. A value that JSON
// does not have, there or on the way, is a *ValueError.
func (s *Struct) Get(p fieldpath.Path) (any, bool, error) {
	if s == nil || s.index == nil {
		return fieldpath.Value{Any: map[string]any{}}.Get(p)
	}
	return s.get(s.whole(), p, 0)
}

func (s *Struct) whole() position { return position{kind: s.kind, body: s.body, entry: -1} }

func (s *Struct) get(at position, p fieldpath.Path, depth int) (any, bool, error) {
	segments := p.Segments()
	for ; depth < len(segments); depth++ {
		switch at.kind {
		case kindNull:
			return nil, false, nil
		case kindNone:
			return nil, false, &ValueError{Path: p.Prefix(depth), Reason: reasonNothing}
		}
		segment, found := &segments[depth], false
		switch segment.Kind {
		case fieldpath.Field:
			if at.kind != kindObject {
				return nil, false, typeError(p, depth, "object", at.kind)
			}
			at, found = s.field(at, segment.Field)
		case fieldpath.Index:
			if at.kind != kindArray {
				return nil, false, typeError(p, depth, "array", at.kind)
			}
			at, found = s.item(at, segment.Index)
		case fieldpath.Item:
			if at.kind != kindObject && at.kind != kindArray {
				return nil, false, typeError(p, depth, "array or object", at.kind)
			}
			at, found = s.chosen(at, segment)
		case fieldpath.Wildcard:
			return s.getAll(at, p, depth)
		}
		if !found {
			return nil, false, nil
		}
	}
	v, f := s.index.decode(at.kind, at.body)
	if f != nil {
		return nil, false, f.valueError(p)
	}
	return v, true, nil
}

// getAll returns what is found below each of the entries or items at a wildcard.
func (s *Struct) getAll(at position, p fieldpath.Path, depth int) (any, bool, error) {
	var entries []int32
	switch at.kind {
	case kindObject:
		entries = s.index.sorted(s.nodeOf(at))
	case kindArray:
		n := s.index.nodes[s.nodeOf(at)]
		for i := range n.count {
			entries = append(entries, n.first+i)
		}
	default:
		return nil, false, typeError(p, depth, "array or object", at.kind)
	}
	c := fieldpath.Collector{Nested: p.WildcardAfter(depth)}
	for _, e := range entries {
		if err := c.Add(s.get(s.reach(e), p, depth+1)); err != nil {
			return nil, false, err
		}
	}
	return c.Values(), true, nil
}

func typeError(p fieldpath.Path, depth int, want string, got kind) error {
	return &fieldpath.TypeError{Path: p.Prefix(depth), Want: want, Got: got.name()}
}

func (s *Struct) field(at position, key string) (position, bool) {
	e := s.index.find(s.nodeOf(at), key)
	if e < 0 {
		return position{}, false
	}
	return s.reach(e), true
}

func (s *Struct) item(at position, i int) (position, bool) {
	n := s.index.nodes[s.nodeOf(at)]
	if i >= int(n.count) {
		return position{}, false
	}
	return s.reach(n.first + int32(i)), true
}

// chosen returns what an array or object has at a segment that is an Item.
func (s *Struct) chosen(at position, segment *fieldpath.Segment) (position, bool) {
	if at.kind == kindObject {
		return s.field(at, segment.Field)
	}
	n := s.index.nodes[s.nodeOf(at)]
	for e := n.first; e < n.first+n.count; e++ {
		if item := s.reach(e); s.is(item, segment.Match) {
			return item, true
		}
	}
	return position{}, false
}

// is tells whether an item is the match. Only its field of the match is decoded,
// and no text is.
func (s *Struct) is(item position, m *fieldpath.Match) bool {
	if item.kind != kindObject {
		return false
	}
	v, found := s.field(item, m.Key)
	switch {
	case !found:
		return false
	case v.kind == kindText:
		return string(s.index.bytes(v.body)) == m.Text
	case m.Literal == nil || v.kind != kindNumber && v.kind != kindBool:
		return false
	}
	simple, f := s.index.decode(v.kind, v.body)
	return f == nil && m.Is(simple)
}

// reach returns the value of an entry.
func (s *Struct) reach(e int32) position {
	k, body := s.index.open(s.index.entries[e].value)
	return position{kind: k, body: body, entry: e}
}

// nodeOf returns the node of an object or array, which it makes if there is none.
func (s *Struct) nodeOf(at position) int32 {
	n := s.node
	if at.entry >= 0 {
		n = s.index.entries[at.entry].below
	}
	if n != 0 {
		return n
	}
	if at.kind == kindArray {
		n = s.index.addList(at.body)
	} else {
		n = s.index.addMap(at.body, tagEntry)
	}
	if at.entry >= 0 {
		s.index.entries[at.entry].below = n
	} else {
		s.node = n
	}
	return n
}

// Value decodes the whole object. A value that JSON does not have is a
// *ValueError.
func (s *Struct) Value() (map[string]any, error) {
	if s == nil || s.index == nil {
		return map[string]any{}, nil
	}
	if s.kind != kindObject {
		return nil, &fieldpath.TypeError{Want: "object", Got: s.kind.name()}
	}
	v, f := s.index.object(s.body)
	if f != nil {
		return nil, f.valueError(fieldpath.Path{})
	}
	return v, nil
}

// Size returns how many bytes the encoded object takes.
func (s *Struct) Size() int { return int(s.body.to - s.body.from) }

package fieldpath

import (
	"slices"
	"strconv"
	"strings"
)

// Placeholders stand for where a loop is: [$key] for the field of that key,
// [$index] for the element at that index, and [name=$key] and [name=$index] for
// the item with that name. A path that is not bound takes them as they are.
const (
	keyPlaceholder   = "$key"
	indexPlaceholder = "$index"
)

// HasPlaceholder tells whether any segment is a placeholder or has one.
func (p Path) HasPlaceholder() bool {
	return slices.ContainsFunc(p.segments, func(s Segment) bool { return s.placeholder() != "" })
}

// Bind returns the path for one turn of a loop, which is p itself if it has no
// placeholder. The key of an item is always a text; its index is a number too,
// unless the placeholder is in quotes.
func (p Path) Bind(key string, index int) Path {
	if !p.HasPlaceholder() {
		return p
	}
	bound := slices.Clone(p.segments)
	for i := range bound {
		bound[i] = bound[i].bind(key, index)
	}
	return Path{segments: bound}
}

// placeholder returns which one the segment has, empty if none.
func (s Segment) placeholder() string {
	text := ""
	switch s.Kind {
	case Field:
		text = s.Field
	case Item:
		text = s.Match.Text
	}
	if text == keyPlaceholder || text == indexPlaceholder {
		return text
	}
	return ""
}

func (s Segment) bind(key string, index int) Segment {
	placeholder := s.placeholder()
	switch {
	case placeholder == "":
		return s
	case s.Kind == Item && placeholder == keyPlaceholder:
		return newMatch(s.Match.Key, key, quoteFor(key)).segment()
	case s.Kind == Item:
		quote := ""
		if !strings.HasSuffix(s.Match.Written, placeholder) {
			quote = "'"
		}
		return newMatch(s.Match.Key, strconv.Itoa(index), quote).segment()
	case placeholder == keyPlaceholder:
		return Segment{Kind: Field, Field: key}
	}
	return Segment{Kind: Index, Index: index}
}

// quoteFor returns the quote that a text needs to be read as just this text: none
// if it can do without.
func quoteFor(text string) string {
	switch {
	case strings.Contains(text, "']"):
		return `"`
	case text == "", strings.ContainsAny(text, `[]'"`), literal(text) != nil, text == keyPlaceholder, text == indexPlaceholder:
		return "'"
	}
	return ""
}

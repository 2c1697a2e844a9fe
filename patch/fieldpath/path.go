package fieldpath

import (
	"strconv"
	"strings"
)

// MaxIndex is the largest array index that may be written to, as in Crossplane.
const MaxIndex = 1024

// MaxSegments is the largest number of segments of a path.
const MaxSegments = 256

// Kind of a segment.
type Kind int8

// The kinds of segments.
const (
	Field Kind = iota
	Index
	Wildcard

	// Item is the element of an array that has a certain value at a key. In an
	// object it is a field.
	Item
)

// Segment is one step of a path: Field is set for a field, Index for an index,
// and Match for an item, with the Field that it is in an object.
type Segment struct {
	Kind  Kind
	Field string
	Index int
	Match *Match
}

// Path is a parsed field path. It is immutable and safe for concurrent use. The
// zero Path is the whole value.
type Path struct {
	text     string
	segments []Segment
}

// String returns the path as it was written; of a Prefix, in its usual form.
func (p Path) String() string {
	if p.text != "" || len(p.segments) == 0 {
		return p.text
	}
	b := strings.Builder{}
	for _, s := range p.segments {
		s.write(&b)
	}
	return b.String()
}

// Segments returns the steps of the path, which must not be changed.
func (p Path) Segments() []Segment { return p.segments }

// IsZero tells whether this is the path of the whole value.
func (p Path) IsZero() bool { return len(p.segments) == 0 }

// Prefix returns the path of the first n segments.
func (p Path) Prefix(n int) Path {
	if n == len(p.segments) {
		return p
	}
	return Path{segments: p.segments[:n:n]}
}

// Child returns the path of a field below this one.
func (p Path) Child(field string) Path {
	n := len(p.segments)
	return Path{segments: append(p.segments[:n:n], Segment{Kind: Field, Field: field})}
}

// Element returns the path of an array element below this one.
func (p Path) Element(index int) Path {
	n := len(p.segments)
	return Path{segments: append(p.segments[:n:n], Segment{Kind: Index, Index: index})}
}

// HasWildcard tells whether any segment is a wildcard.
func (p Path) HasWildcard() bool {
	for _, s := range p.segments {
		if s.Kind == Wildcard {
			return true
		}
	}
	return false
}

// CheckWritable returns an *IndexError if the path has an index above MaxIndex.
func (p Path) CheckWritable() error {
	for _, s := range p.segments {
		if s.Kind == Index && s.Index > MaxIndex {
			return &IndexError{Index: s.Index}
		}
	}
	return nil
}

func (s Segment) write(b *strings.Builder) {
	switch {
	case s.Kind == Index:
		b.WriteString("[" + strconv.Itoa(s.Index) + "]")
	case s.Kind == Wildcard:
		b.WriteString("[*]")
	case s.Kind == Item:
		b.WriteString("[" + s.Match.Written + "]")
	case s.needsQuotes():
		quote := "'"
		if strings.Contains(s.Field, "']") {
			quote = `"`
		}
		b.WriteString("[" + quote + s.Field + quote + "]")
	case strings.Contains(s.Field, "."):
		b.WriteString("[" + s.Field + "]")
	default:
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s.Field)
	}
}

// needsQuotes tells whether a field would be read as something else without them.
func (s Segment) needsQuotes() bool {
	return isIndex(s.Field) || s.Field == "" || s.Field == "*" || strings.ContainsAny(s.Field, "[]") ||
		strings.Contains(s.Field, ".") && strings.Contains(s.Field, "=") ||
		strings.Trim(s.Field, `'"`) != s.Field
}

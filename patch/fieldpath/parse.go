package fieldpath

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse returns the path that the text names. An error is a *SyntaxError.
func Parse(text string) (Path, error) {
	p := parser{text: text}
	if text == "" {
		return Path{}, p.fail(0, "is empty")
	}
	for p.pos < len(text) {
		if err := p.next(); err != nil {
			return Path{}, err
		}
		if len(p.segments) > MaxSegments {
			return Path{}, p.fail(p.pos, fmt.Sprintf("more than %d segments", MaxSegments))
		}
	}
	return Path{text: text, segments: p.segments}, nil
}

// Fields returns the path that leads through the named fields.
func Fields(names ...string) Path {
	p := Path{}
	for _, n := range names {
		p = p.Child(n)
	}
	return p
}

type parser struct {
	text     string
	pos      int
	segments []Segment
}

func (p *parser) fail(pos int, problem string) error {
	return &SyntaxError{Text: p.text, Position: pos, Problem: problem}
}

func (p *parser) unexpected(pos int) error {
	return p.fail(pos, fmt.Sprintf("unexpected %q", rune(p.text[pos])))
}

// next parses one segment, with the period before it if there is one.
func (p *parser) next() error {
	switch p.text[p.pos] {
	case '[':
		return p.bracket()
	case ']':
		return p.unexpected(p.pos)
	case '.':
		if p.pos == 0 || p.pos == len(p.text)-1 {
			return p.unexpected(p.pos)
		}
		p.pos++
		if strings.IndexByte(".[]", p.text[p.pos]) >= 0 {
			return p.unexpected(p.pos)
		}
	}
	return p.field()
}

// field parses a name that ends at a period, a bracket or the end.
func (p *parser) field() error {
	end := len(p.text)
	if i := strings.IndexAny(p.text[p.pos:], ".[]"); i >= 0 {
		end = p.pos + i
	}
	name := p.text[p.pos:end]
	if name == "*" {
		p.segments = append(p.segments, Segment{Kind: Wildcard})
		p.pos = end
		return nil
	}
	return p.add(strings.Trim(name, `'"`), end)
}

func (p *parser) add(name string, end int) error {
	if name == "" {
		return p.fail(p.pos, "empty field name")
	}
	p.segments = append(p.segments, Segment{Kind: Field, Field: name})
	p.pos = end
	return nil
}

// bracket parses [0], [*], [key=text], [name.with.dots], ['name'] or ["name"].
// Quotes make a field of anything, a number, a star or a bracket too.
func (p *parser) bracket() error {
	open := p.pos
	rest := p.text[open+1:]
	if rest != "" && (rest[0] == '\'' || rest[0] == '"') {
		if i := strings.Index(rest[1:], string(rest[0])+"]"); i >= 0 {
			return p.add(rest[1:1+i], open+1+1+i+2)
		}
	}
	if match, size := matchIn(rest); match != nil {
		p.segments = append(p.segments, match.segment())
		p.pos = open + 1 + size
		return nil
	}
	end := strings.IndexByte(rest, ']')
	if end < 0 {
		return p.fail(open, "unterminated '['")
	}
	if end == 0 {
		return p.unexpected(open + 1)
	}
	content := rest[:end]
	if i := strings.IndexByte(content, '['); i >= 0 {
		return p.unexpected(open + 1 + i)
	}
	switch {
	case content == "*":
		p.segments = append(p.segments, Segment{Kind: Wildcard})
	case isIndex(content):
		i, err := strconv.ParseUint(content, 10, 32)
		if err != nil {
			return p.fail(open+1, "the index is too large")
		}
		p.segments = append(p.segments, Segment{Kind: Index, Index: int(i)})
	default:
		return p.add(strings.Trim(content, `'"`), open+1+end+1)
	}
	p.pos = open + 1 + end + 1
	return nil
}

// matchIn parses key=text], key='text'] or key="text"] at the beginning of the
// rest of a path, and returns how long that is. Anything else is no match, but may
// be a field.
func matchIn(rest string) (*Match, int) {
	i := strings.IndexAny(rest, "=[]")
	if i <= 0 || rest[i] != '=' || strings.Trim(rest[:1], `'"`) == "" {
		return nil, 0
	}
	key, text := rest[:i], rest[i+1:]
	if text == "" {
		return nil, 0
	}
	if quote := text[:1]; quote == "'" || quote == `"` {
		end := strings.Index(text[1:], quote+"]")
		if end < 0 {
			return nil, 0
		}
		return newMatch(key, text[1:1+end], quote), i + 1 + 1 + end + 2
	}
	end := strings.IndexAny(text, "[]")
	if end <= 0 || text[end] != ']' {
		return nil, 0
	}
	return newMatch(key, text[:end], ""), i + 1 + end + 1
}

func isIndex(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

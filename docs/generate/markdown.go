package main

import (
	"errors"
	"fmt"
	"strings"
)

// writer writes the reference. It keeps the first thing that went wrong, and
// which cases were used.
type writer struct {
	text     strings.Builder
	contents strings.Builder
	all      []workedCase
	used     map[int]bool
	found    bool // the last call of cases found some
	err      error
}

func (r *writer) fail(err error) { r.err = errors.Join(r.err, err) }

func (r *writer) line(text string) { r.text.WriteString(text + "\n\n") }

// heading writes a heading, and those of the levels 2 to 4 into the contents too.
func (r *writer) heading(level int, text string) {
	r.line(strings.Repeat("#", level) + " " + text)
	if level <= 4 {
		fmt.Fprintf(&r.contents, "%s- [%s](#%s)\n", strings.Repeat("  ", level-2), text, anchor(text))
	}
}

// anchor returns the anchor that GitHub gives a heading.
func anchor(heading string) string {
	b := strings.Builder{}
	for _, c := range strings.ToLower(heading) {
		switch {
		case c == ' ':
			b.WriteByte('-')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_':
			b.WriteRune(c)
		}
	}
	return b.String()
}

func (r *writer) block(language, text string) {
	r.line("```" + language + "\n" + text + "\n```")
}

func (r *writer) table(head []string, rows [][]string) {
	r.row(head)
	r.row(make([]string, len(head)), "---")
	for _, row := range rows {
		r.row(row)
	}
	r.text.WriteByte('\n')
}

func (r *writer) row(cells []string, fill ...string) {
	r.text.WriteByte('|')
	for _, c := range cells {
		if len(fill) > 0 {
			c = fill[0]
		}
		r.text.WriteString(" " + strings.ReplaceAll(c, "|", `\|`) + " |")
	}
	r.text.WriteByte('\n')
}

// code returns a text as code that stands in a line.
func code(text string) string {
	text = strings.ReplaceAll(text, "\n", " ")
	if strings.Contains(text, "`") {
		return "`` " + text + " ``"
	}
	return "`" + text + "`"
}

func escapeHTML(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "*", "&#42;").Replace(text)
}

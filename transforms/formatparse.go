package transforms

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxPadding bounds the width and the precision of a verb.
const maxPadding = 1024

// directive is a verb with all that stands before it, such as %-10.3[2]s.
type directive struct {
	text      string // as the user wrote it
	pos       int
	flags     string
	width     string
	precision int // -1 if there is none
	value     int
	verb      rune
}

// spec returns the format of package fmt that formats one value as the
// directive says, but with the given verb and, if wanted, its precision.
func (d *directive) spec(verb rune, precise bool) string {
	if precise && d.precision >= 0 {
		return "%" + d.flags + d.width + "." + strconv.Itoa(d.precision) + string(verb)
	}
	return "%" + d.flags + d.width + string(verb)
}

func (d *directive) bare() bool { return d.flags == "" && d.width == "" && d.precision < 0 }

func (d *directive) place() string {
	return fmt.Sprintf("%s at position %d of the format", d.text, d.pos)
}

type formatParser struct {
	at       *field.Path
	text     string
	pos      int
	values   int
	next     int // the value of a verb without an index
	used     []bool
	indexed  bool // some verb says which value it formats
	plain    bool
	literal  strings.Builder
	segments []segment
	errs     field.ErrorList
}

func (p *formatParser) fail(format string, args ...any) {
	detail := fmt.Sprintf(format, args...)
	p.errs = append(p.errs, invalid(p.at, p.text, quote(p.text)+" is no format: "+detail))
}

func (p *formatParser) parse() {
	for p.pos < len(p.text) {
		i := strings.IndexByte(p.text[p.pos:], '%')
		if i < 0 {
			i = len(p.text) - p.pos
		}
		p.literal.WriteString(p.text[p.pos : p.pos+i])
		p.pos += i
		if p.pos < len(p.text) {
			p.percent()
		}
	}
	if p.literal.Len() > 0 {
		p.segments = append(p.segments, segment{literal: p.literal.String()})
	}
	if len(p.errs) == 0 {
		p.checkUsed()
	}
}

// checkUsed checks that each value is used, as package fmt would complain at run
// time. Like fmt, it lets a format that names a value by its number leave others
// out: a variable may be there only to be waited for.
func (p *formatParser) checkUsed() {
	for i, used := range p.used {
		switch {
		case used, p.indexed:
		case p.values == 1:
			p.fail("it does not use the value; write a verb such as %%s where the value is to go")
		default:
			p.fail("it does not use value %d of %d; write a verb such as %%s or %%[%d]s where it is to go", i+1, p.values, i+1)
		}
	}
}

// percent parses from a percent sign to the verb.
func (p *formatParser) percent() {
	if strings.HasPrefix(p.text[p.pos:], "%%") {
		p.literal.WriteByte('%')
		p.pos += 2
		return
	}
	d := directive{pos: p.pos, precision: -1}
	p.pos++
	d.flags = p.takeAll("+-# 0")
	ok := p.width(&d) && p.precision(&d) && p.index(&d) && p.verb(&d)
	if !ok {
		return
	}
	leaf := p.leaf(&d)
	if leaf == nil {
		return
	}
	p.segments = append(p.segments, segment{literal: p.literal.String(), value: d.value, leaf: leaf})
	p.literal.Reset()
	p.used[d.value] = true
	p.plain = p.plain && d.bare() && (d.verb == 's' || d.verb == 'v')
}

// takeAll takes all characters that are in the set.
func (p *formatParser) takeAll(set string) string {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte(set, p.text[p.pos]) >= 0 {
		p.pos++
	}
	return p.text[start:p.pos]
}

const digits = "0123456789"

// padding parses a width or precision. None is "".
func (p *formatParser) padding(d *directive, what string) (string, bool) {
	text := p.takeAll(digits)
	if n, err := strconv.Atoi(text); text != "" && (err != nil || n > maxPadding) {
		p.fail("the %s at position %d is greater than the most, %d", what, d.pos, maxPadding)
		return "", false
	}
	if p.pos < len(p.text) && p.text[p.pos] == '*' {
		p.pos++
		p.fail("a %s that is taken from a value, *, at position %d is not supported; write it as a number", what, p.pos-1)
		return "", false
	}
	return text, true
}

func (p *formatParser) width(d *directive) (ok bool) {
	d.width, ok = p.padding(d, "width")
	return ok
}

func (p *formatParser) precision(d *directive) bool {
	if p.pos == len(p.text) || p.text[p.pos] != '.' {
		return true
	}
	p.pos++
	text, ok := p.padding(d, "precision")
	d.precision, _ = strconv.Atoi(text) // a dot alone is a precision of zero
	return ok
}

// index parses the [2] that says which value a verb formats.
func (p *formatParser) index(d *directive) bool {
	d.value = p.next
	if p.pos == len(p.text) || p.text[p.pos] != '[' {
		return true
	}
	p.pos++
	n, err := strconv.Atoi(p.takeAll(digits))
	if p.pos == len(p.text) || p.text[p.pos] != ']' {
		p.fail("the [ at position %d has to be followed by the number of a value and ], right before the verb, such as %%[1]s", p.pos)
		return false
	}
	p.pos++
	if err != nil || n < 1 || n > p.values {
		p.fail("%s at position %d names a value that is not there; %s", p.text[d.pos:p.pos], d.pos, p.count())
		return false
	}
	d.value, p.indexed = n-1, true
	return true
}

func (p *formatParser) count() string {
	if p.values == 1 {
		return "there is one value, 1"
	}
	return fmt.Sprintf("there are values 1 to %d", p.values)
}

func (p *formatParser) verb(d *directive) bool {
	if p.pos == len(p.text) {
		p.fail("%s at position %d has no verb; write %%s for the text of a value and %%%% for a percent sign", p.text[d.pos:], d.pos)
		return false
	}
	verb, size := utf8.DecodeRuneInString(p.text[p.pos:])
	p.pos += size
	d.verb, d.text = verb, p.text[d.pos:p.pos]
	p.next = d.value + 1
	if d.value >= p.values {
		p.fail("%s at position %d has no value left; %s (%%[1]s uses the first again)", d.text, d.pos, p.count())
		return false
	}
	return true
}

func (p *formatParser) leaf(d *directive) leaf {
	for _, v := range formatVerbs() {
		if d.verb != '%' && strings.ContainsRune(v.Name, d.verb) {
			return p.checked(d, v.use)
		}
	}
	p.fail("%s at position %d has no such verb; verbs are %s, and %%%% is a percent sign", d.text, d.pos, strings.Join(formatVerbs().names(), " "))
	return nil
}

func (p *formatParser) checked(d *directive, compile verbCompiler) leaf {
	switch {
	case d.verb == 'v' && strings.Contains(d.flags, "#"):
		p.fail("%s at position %d would write Go syntax; use %%q for a text in quotes", d.text, d.pos)
		return nil
	case d.verb == 'v':
		d.flags = strings.ReplaceAll(d.flags, "+", "") // it is for structs, which no value is
	}
	return compile(*d)
}

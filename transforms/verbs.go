package transforms

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// verbCompiler makes the function that formats one string, number or bool as a
// directive says.
type verbCompiler func(d directive) leaf

// FormatVerbs returns the verbs that a format string can have.
func FormatVerbs() []Variant { return formatVerbs().variants() }

// formatVerbs has a group of verbs in a row.
func formatVerbs() table[verbCompiler] {
	return table[verbCompiler]{
		{Variant{"%s %v", "The text of any value: numbers in decimal without an exponent, arrays as [a b] and objects as map[k:v]."}, textVerb},
		{Variant{"%q", "The text of any value in double quotes, with escapes."}, quoteVerb},
		{Variant{"%d %b %o %O %c %U", "An integer: in decimal, binary, octal, octal with 0o before it, as a character, as a code point such as U+0041."}, integerVerb},
		{Variant{"%x %X", "An integer or the bytes of a string in hexadecimal, in lower or upper case."}, hexVerb},
		{Variant{"%f %F %e %E %g %G", "Any number, with or without an exponent."}, floatVerb},
		{Variant{"%t", "A bool."}, boolVerb},
	}
}

func (d *directive) needs(v any, what string) error {
	return unusable(v, d.place()+" needs "+what)
}

// appendf formats a text or number, but no text that is too long already.
func appendf(dst []byte, spec string, v any) ([]byte, error) {
	if s, ok := v.(string); ok && len(s) > MaxText {
		return dst, &TooLongError{}
	}
	return fmt.Appendf(dst, spec, v), nil
}

func textVerb(d directive) leaf {
	if d.bare() {
		return plainLeaf
	}
	text := d.spec('s', true)
	number := numberText(d)
	return func(dst []byte, v any) ([]byte, error) {
		if dst, ok := number(dst, v); ok {
			return dst, nil
		}
		s, _ := scalarText(v)
		return appendf(dst, text, s)
	}
}

// numberText formats numbers so that flags for numbers, such as leading zeros,
// do for %s and %v what they do for %d and %f. With a precision, %s cuts the text
// of a number as that of a string, which is left to the caller.
func numberText(d directive) func(dst []byte, v any) ([]byte, bool) {
	integer, short, decimal := d.spec('d', true), d.spec('g', true), "%"+d.flags+d.width+".*f"
	precise := d.precision >= 0
	cut := precise && d.verb == 's'
	return func(dst []byte, v any) ([]byte, bool) {
		switch t := v.(type) {
		case int64:
			if !cut {
				return fmt.Appendf(dst, integer, t), true
			}
		case float64:
			switch {
			case cut:
			case precise:
				return fmt.Appendf(dst, short, t), true
			default:
				return fmt.Appendf(dst, decimal, decimals(t), t), true
			}
		}
		return dst, false
	}
}

// decimals returns how many digits behind the point a number has.
func decimals(f float64) int {
	text := strconv.FormatFloat(f, 'f', -1, 64)
	_, fraction, _ := strings.Cut(text, ".")
	return len(fraction)
}

func quoteVerb(d directive) leaf {
	spec := d.spec('q', true)
	return func(dst []byte, v any) ([]byte, error) {
		s, _ := scalarText(v)
		return appendf(dst, spec, s)
	}
}

func integerVerb(d directive) leaf {
	spec := d.spec(d.verb, true)
	return func(dst []byte, v any) ([]byte, error) {
		n, ok := v.(int64)
		if !ok {
			return dst, d.needs(v, "an integer")
		}
		if d.verb == 'c' && (n < 0 || n > utf8.MaxRune || !utf8.ValidRune(rune(n))) {
			return dst, d.needs(v, "the code of a character")
		}
		return appendf(dst, spec, n)
	}
}

func hexVerb(d directive) leaf {
	spec := d.spec(d.verb, true)
	return func(dst []byte, v any) ([]byte, error) {
		switch v.(type) {
		case int64, string:
			return appendf(dst, spec, v)
		}
		return dst, d.needs(v, "an integer or a string")
	}
}

func floatVerb(d directive) leaf {
	spec := d.spec(d.verb, true)
	return func(dst []byte, v any) ([]byte, error) {
		x, ok := toNumber(v)
		if !ok {
			return dst, d.needs(v, "a number")
		}
		return appendf(dst, spec, x.f)
	}
}

func boolVerb(d directive) leaf {
	spec := d.spec('t', false)
	return func(dst []byte, v any) ([]byte, error) {
		if _, ok := v.(bool); !ok {
			return dst, d.needs(v, "a bool")
		}
		return appendf(dst, spec, v)
	}
}

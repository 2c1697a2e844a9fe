package transforms

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Format is a compiled format string. It is safe for concurrent use.
type Format struct {
	segments []segment
	values   int
	plain    bool // every verb is a bare %s or %v
}

// segment is a literal text, and a verb behind it unless leaf is nil.
type segment struct {
	literal string
	value   int
	leaf    leaf
}

// CompileFormat compiles a format string of Go's package fmt that is given so
// many values. It has to use each of them, unless it names one by its number, as
// %[1]s does. It reports every problem.
func CompileFormat(at *field.Path, format string, values int) (*Format, field.ErrorList) {
	if len(format) > MaxText {
		return nil, one(invalid(at, "", (&TooLongError{}).Error()))
	}
	p := &formatParser{at: at, text: format, values: values, used: make([]bool, values), plain: true}
	p.parse()
	if len(p.errs) > 0 {
		return nil, p.errs
	}
	return &Format{segments: p.segments, values: values, plain: p.plain}, nil
}

// Apply formats the values. A value that its verb cannot format is an error, as
// are other than as many values as the format was compiled for.
func (f *Format) Apply(values []any, b *fieldpath.Budget) (string, error) {
	if len(values) != f.values {
		return "", fmt.Errorf("the format is for %d values and was given %d", f.values, len(values))
	}
	if err := b.Spend(len(f.segments)); err != nil {
		return "", err
	}
	if size, ok := f.size(values); ok {
		return f.concatenate(values, size, b)
	}
	var dst []byte
	for i := range f.segments {
		before := len(dst)
		var err error
		if dst, err = f.segments[i].append(dst, values); err != nil {
			return "", err
		}
		if err = b.Spend(len(dst) - before); err != nil {
			return "", err
		}
	}
	return string(dst), nil
}

func (s *segment) append(dst []byte, values []any) (_ []byte, err error) {
	dst = append(dst, s.literal...)
	if s.leaf != nil {
		dst, err = appendValue(dst, values[s.value], s.leaf)
	}
	if err == nil && len(dst) > MaxText {
		err = &TooLongError{}
	}
	return dst, err
}

// size returns the length of the result if no more is needed than to put
// strings together.
func (f *Format) size(values []any) (size int, ok bool) {
	if !f.plain {
		return 0, false
	}
	for i := range f.segments {
		size += len(f.segments[i].literal)
		if f.segments[i].leaf == nil {
			continue
		}
		s, ok := values[f.segments[i].value].(string)
		if !ok {
			return 0, false
		}
		size += len(s)
	}
	return size, true
}

func (f *Format) concatenate(values []any, size int, b *fieldpath.Budget) (string, error) {
	if size > MaxText {
		return "", &TooLongError{}
	}
	if err := b.Spend(size); err != nil {
		return "", err
	}
	var text strings.Builder
	text.Grow(size)
	for i := range f.segments {
		text.WriteString(f.segments[i].literal)
		if f.segments[i].leaf != nil {
			s, _ := values[f.segments[i].value].(string)
			text.WriteString(s)
		}
	}
	return text.String(), nil
}

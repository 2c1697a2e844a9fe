package input

import (
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

const (
	maxProblems = 100  // that are told at most
	maxLine     = 2000 // bytes of a problem that are told at most
)

// ListItem is the place of an item of a list, told by its index and its name:
// resources[0] ("bucket"). The name may be empty.
func ListItem(parent *field.Path, list string, i int, name string) *field.Path {
	item := list + "[" + strconv.Itoa(i) + "]"
	if name != "" {
		item += " (" + fieldpath.Preview(name) + ")"
	}
	return sub(parent, item)
}

// child is the place of a field. A name that would make the place unreadable is
// quoted and cut.
func child(parent *field.Path, name string) *field.Path {
	if q := fieldpath.Preview(name); len(q) != len(name)+2 {
		name = q
	}
	return sub(parent, name)
}

func sub(parent *field.Path, name string) *field.Path {
	if parent == nil {
		return field.NewPath(name)
	}
	return parent.Child(name)
}

// Describe tells the problems, each on one line: its place, a colon and its
// text. What only follows from a value of a wrong type, or from a mistyped name,
// is left out. Beyond the first hundred it tells only how many there are.
func Describe(errs field.ErrorList) []string {
	lines := make([]string, 0, min(len(errs), maxProblems+1))
	wrong := map[string]bool{}
	mistyped := mistypedFields(errs)
	more := 0
	for _, e := range errs {
		n, isMore := moreThan(e)
		switch {
		case isMore:
			more += n
		case follows(e.Field, wrong), e.Type == field.ErrorTypeRequired && mistyped[e.Field]:
		case len(lines) == maxProblems:
			more++
		default:
			lines = append(lines, line(e))
		}
		if e.Type == field.ErrorTypeTypeInvalid {
			wrong[e.Field] = true
		}
	}
	if more > 0 {
		lines = append(lines, andMore(more).Detail)
	}
	return lines
}

// mistypedFields are the places of the fields that were probably meant by those
// that are unknown.
func mistypedFields(errs field.ErrorList) map[string]bool {
	places := map[string]bool{}
	for _, e := range errs {
		if place, ok := e.BadValue.(meant); ok {
			places[string(place)] = true
		}
	}
	return places
}

// follows says whether a place, or one that it is in, holds a wrong value.
func follows(place string, wrong map[string]bool) bool {
	if len(wrong) == 0 {
		return false
	}
	for i, c := range place {
		if (c == '.' || c == '[') && wrong[place[:i]] {
			return true
		}
	}
	return wrong[place]
}

func line(e *field.Error) string {
	text := strings.Map(func(r rune) rune {
		if r < ' ' {
			return ' '
		}
		return r
	}, e.Field+": "+e.Detail)
	if len(text) > maxLine {
		text = strings.ToValidUTF8(text[:maxLine], "") + "…"
	}
	return text
}

func problem(t field.ErrorType, at *field.Path, text string) *field.Error {
	return &field.Error{Type: t, Field: at.String(), Detail: text}
}

// andMore stands for n problems that are not told.
func andMore(n int) *field.Error {
	return &field.Error{Type: field.ErrorTypeTooMany, BadValue: n, Detail: fmt.Sprintf("and %d more", n)}
}

// moreThan is how many problems e stands for, when it does not tell one.
func moreThan(e *field.Error) (int, bool) {
	n, ok := e.BadValue.(int)
	return n, ok && e.Type == field.ErrorTypeTooMany && e.Field == ""
}

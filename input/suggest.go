package input

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// maxName is how long a name can be for which a similar one is looked for.
const maxName = 64

// Unsupported is the problem of a value that is none of the valid ones. What says
// what they are.
func Unsupported(at *field.Path, what, value string, valid []string) *field.Error {
	hint := "; supported: "
	if ask := DidYouMean(value, valid); ask != "" {
		hint = ", " + ask + " Supported: "
	}
	text := fmt.Sprintf("unknown %s %s%s%s", what, fieldpath.Preview(value), hint, strings.Join(valid, ", "))
	return &field.Error{Type: field.ErrorTypeNotSupported, Field: at.String(), BadValue: value, Detail: text}
}

// DidYouMean asks for the valid name that is most like got, which is mistyped:
// did you mean "toFieldPath"? It is empty when none is like it.
func DidYouMean(got string, valid []string) string {
	if name := closest(got, valid); name != "" {
		return fmt.Sprintf("did you mean %q?", name)
	}
	return ""
}

// closest returns the valid name that is most like got, or none.
func closest(got string, valid []string) string {
	if len(got) > maxName {
		return ""
	}
	best, least := "", maxName
	for _, name := range valid {
		if strings.EqualFold(got, name) {
			return name
		}
		if d, ok := similar(got, name); ok && d < least {
			best, least = name, d
		}
	}
	return best
}

// similar says how many edits make one name of another, if they are no more than
// about a third of its length.
func similar(a, b string) (int, bool) {
	la, lb := utf8.RuneCountInString(a), utf8.RuneCountInString(b)
	limit := max(la, lb) / 3
	if len(b) > maxName || la-lb > limit || lb-la > limit {
		return 0, false
	}
	d := distance([]rune(strings.ToLower(a)), []rune(strings.ToLower(b)))
	return d, d <= limit
}

// distance is how many characters have to be inserted, deleted, replaced or
// swapped with their neighbour to make b of a.
func distance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ(a[i-1], b[j-1]))
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

func differ(a, b rune) int {
	if a == b {
		return 0
	}
	return 1
}

package expression

import (
	"strings"
	"unicode/utf8"
)

// maxName is how long a name can be for which a similar one is looked for.
const maxName = 64

// closest returns the known name that is most like one that is not, or none.
func closest(got string, known []string) string {
	if len(got) > maxName {
		return ""
	}
	best, least := "", maxName
	for _, name := range known {
		limit := max(utf8.RuneCountInString(got), utf8.RuneCountInString(name)) / 3
		d := distance([]rune(strings.ToLower(got)), []rune(strings.ToLower(name)))
		if d <= limit && (d < least || d == least && name < best) {
			best, least = name, d
		}
	}
	return best
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
			differ := 1
			if a[i-1] == b[j-1] {
				differ = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+differ)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

package fn

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// sections are the fields of an input in the order that people write them.
var sections = []string{
	"apiVersion", "kind", "condition", "requiredResources", "allowSecretSources", "patchSets", "environment", "resources",
	"writeConnectionSecretToRef", "statusConditions", "ready", "responseTTL",
}

// inDocumentOrder sorts problems as their places come in the input. What stands
// for further problems has no place and stays last.
func inDocumentOrder(errs field.ErrorList) {
	slices.SortStableFunc(errs, func(a, b *field.Error) int {
		if a.Field == "" || b.Field == "" {
			return cmp.Compare(len(b.Field), len(a.Field))
		}
		return byPlace(a.Field, b.Field)
	})
}

func byPlace(a, b string) int {
	return cmp.Or(cmp.Compare(section(a), section(b)), comparePlaces(a, b))
}

func section(place string) int {
	return slices.IndexFunc(sections, func(s string) bool { return strings.HasPrefix(place, s) })
}

// comparePlaces compares texts, but the numbers in them by their size.
func comparePlaces(a, b string) int {
	for a != "" && b != "" {
		na, nb := digits(a), digits(b)
		if na > 0 && nb > 0 {
			if c := cmp.Or(cmp.Compare(na, nb), cmp.Compare(a[:na], b[:nb])); c != 0 {
				return c
			}
			a, b = a[na:], b[nb:]
			continue
		}
		if a[0] != b[0] {
			return cmp.Compare(a[0], b[0])
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// digits returns how many digits a text begins with.
func digits(s string) int {
	return len(s) - len(strings.TrimLeft(s, "0123456789"))
}

// Package shapes makes requests like those that Crossplane sends for
// compositions of several sizes. Benchmarks and the load tool share them.
package shapes

import (
	"fmt"
	"strings"
)

// A Shape says what a request has, and how much of it.
type Shape struct {
	Name string

	// Templates is how many resources the input has, and Patches how many
	// patches each of them has, those of patch sets included.
	Templates, Patches int

	// Observed is about how many bytes each observed composed resource has. If it
	// is 0, none is observed yet.
	Observed int

	// Upstream is how many desired resources earlier functions have made.
	Upstream int

	// Rules is how long the list in each base is. If it is not 0, the patches
	// write many single fields, and fields of all of these.
	Rules int

	// Conditions says that each resource has a condition, which holds.
	Conditions bool

	// Variants is how many different composite resources there are, and
	// Compositions how many different inputs they have.
	Variants, Compositions int
}

// All returns the shapes of real compositions: a first one, a usual one, the usual
// one with a condition on each resource, one resource with a great many patches and a long list, a pipeline in which others
// make nearly all resources, a whole platform, and more than anybody should have.
func All() []Shape {
	return []Shape{
		{Name: "small", Templates: 1, Patches: 5, Variants: 12, Compositions: 3},
		{Name: "typical", Templates: 10, Patches: 12, Observed: 3 << 10, Variants: 12, Compositions: 3},
		{Name: "conditions", Templates: 10, Patches: 12, Conditions: true, Observed: 3 << 10, Variants: 12, Compositions: 3},
		{Name: "wide", Templates: 1, Patches: 1000, Observed: 24 << 10, Rules: 200, Variants: 4, Compositions: 2},
		{Name: "passthrough", Templates: 1, Patches: 12, Observed: 3 << 10, Upstream: 300, Variants: 4, Compositions: 2},
		{Name: "large", Templates: 100, Patches: 20, Observed: 6 << 10, Variants: 4, Compositions: 2},
		{Name: "huge", Templates: 500, Patches: 30, Observed: 8 << 10, Variants: 2, Compositions: 2},
	}
}

// Growing returns a shape that differs from others of its kind only in how many
// resources it has.
func Growing(templates int) Shape {
	name := fmt.Sprintf("%d resources", templates)
	return Shape{Name: name, Templates: templates, Patches: 12, Observed: 3 << 10, Variants: 4, Compositions: 2}
}

// Named returns the shapes with these names, or an error that tells all names.
func Named(names []string) ([]Shape, error) {
	known, order := map[string]Shape{}, []string(nil)
	for _, s := range All() {
		known[s.Name], order = s, append(order, s.Name)
	}
	out := make([]Shape, len(names))
	for i, name := range names {
		s, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("%q is no scenario; there are %s", name, strings.Join(order, ", "))
		}
		out[i] = s
	}
	return out, nil
}

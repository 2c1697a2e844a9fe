package patch

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

// MaxIncluded is how many patches an input may have by way of patch sets, so
// that a small input cannot become a huge program.
const MaxIncluded = 200_000

// AddSets compiles patch sets, which Patches can include from now on. A patch set
// can include those before it, so that none can include itself.
func (c *Compiler) AddSets(in []v1beta1.PatchSet) {
	for _, set := range in {
		c.setNames = append(c.setNames, set.Name)
	}
	for i, set := range in {
		at := input.ListItem(nil, "patchSets", i, set.Name)
		if set.Name == "" {
			c.Errors = append(c.Errors, field.Required(at.Child("name"), "a patch set needs a name"))
		}
		if _, ok := c.sets[set.Name]; ok {
			e := field.Duplicate(at.Child("name"), set.Name)
			e.Detail = fmt.Sprintf("there is another patch set named %q; names must be unique", set.Name)
			c.Errors = append(c.Errors, e)
		}
		c.sets[set.Name] = c.Patches(at.Child("patches"), set.Patches, InPatchSet)
	}
}

// include returns the patches of the set that a patch names, with their places
// told by way of that patch.
func (c *Compiler) include(at *field.Path, in v1beta1.Patch) []*Patch {
	c.Notices = append(c.Notices, unusedByPatchSet(at, in)...)
	if in.PatchSetName == nil || *in.PatchSetName == "" {
		c.Errors = append(c.Errors, field.Required(at.Child("patchSetName"), "a patch of type PatchSet needs the name of a patch set"))
		return nil
	}
	patches, ok := c.sets[*in.PatchSetName]
	if !ok {
		e := field.NotFound(at.Child("patchSetName"), *in.PatchSetName)
		e.Detail = c.explain(*in.PatchSetName)
		c.Errors = append(c.Errors, e)
		return nil
	}
	before := c.included
	c.included += len(patches)
	switch {
	case before > MaxIncluded: // It was said once.
		return nil
	case c.included > MaxIncluded:
		e := field.TooMany(at, c.included, MaxIncluded)
		e.Detail = fmt.Sprintf("patch sets are included so often that there are more than %d patches", MaxIncluded)
		c.Errors = append(c.Errors, e)
		return nil
	}
	out := make([]*Patch, len(patches))
	for i, p := range patches {
		included := *p
		included.At = at.String() + " > " + p.At
		out[i] = &included
	}
	return out
}

func (c *Compiler) explain(name string) string {
	if slices.Contains(c.setNames, name) {
		return "a patch set can include only patch sets that come before it; neither itself nor one that comes later"
	}
	detail := fmt.Sprintf("there is no patch set named %q", name)
	if hint := input.DidYouMean(name, c.setNames); hint != "" {
		return detail + ", " + hint
	}
	if len(c.setNames) == 0 {
		return detail + "; the input has no patchSets"
	}
	return detail + "; there are " + strings.Join(c.setNames, ", ")
}

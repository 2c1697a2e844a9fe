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
			c.Errors = append(c.Errors, duplicate(at.Child("name"), set.Name, fmt.Sprintf("there is another patch set named %q; names must be unique", set.Name)))
		}
		c.addSet(at, set)
	}
}

func (c *Compiler) addSet(at *field.Path, in v1beta1.PatchSet) {
	patches := c.Patches(at.Child("patches"), in.Patches, InPatchSet)
	if number := c.condition(at.Child("condition"), in.Condition, InPatchSet); number >= 0 {
		patches = []*Patch{{At: at.String(), Condition: number, Shared: notShared, Set: patches}}
	}
	c.sets[in.Name] = patches
}

// include returns the patches of the set that a patch names, with their places
// told by way of that patch.
func (c *Compiler) include(at *field.Path, in v1beta1.Patch, s Scope) []*Patch {
	c.Notices = append(c.Notices, unusedByPatchSet(at, in)...)
	number := c.condition(at.Child("condition"), in.Condition, s)
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
	out := c.by(at, patches, s)
	switch {
	case before > MaxIncluded: // It was said once.
		return nil
	case c.included > MaxIncluded:
		e := field.TooMany(at, c.included, MaxIncluded)
		e.Detail = fmt.Sprintf("patch sets are included so often that there are more than %d patches", MaxIncluded)
		c.Errors = append(c.Errors, e)
		return nil
	case number >= 0:
		return []*Patch{{At: at.String(), Condition: number, Shared: notShared, Set: out}}
	}
	return out
}

// by returns patches of a set with their places told by way of the patch at a
// place. It stops when there are too many.
func (c *Compiler) by(at *field.Path, patches []*Patch, s Scope) []*Patch {
	c.included += len(patches)
	if c.included > MaxIncluded {
		return nil
	}
	out := make([]*Patch, len(patches))
	for i, p := range patches {
		included := *p
		included.At = at.String() + " > " + p.At
		if p.inLoop != "" && s == InResource {
			c.Errors = append(c.Errors, invalid(at, "", fmt.Sprintf("%s %s, but only a resource with forEach has one", p.At, p.inLoop)))
		}
		c.noticeNames(&included, s)
		if p.Set != nil {
			included.Set = c.by(at, p.Set, s)
		}
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

package patch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// unused notices the fields of a patch that its type does not use.
func (c *compiler) unused(at *field.Path, in v1beta1.Patch, t Type) {
	c.Notices = append(c.Notices, input.Unused(at, fmt.Sprintf("a patch of type %s", t.Name),
		input.Option{Name: "fromFieldPath", Set: in.FromFieldPath != nil && t.Combines},
		input.Option{Name: "combine", Set: in.Combine != nil && !t.Combines},
		input.Option{Name: "patchSetName", Set: in.PatchSetName != nil},
	)...)
	for i := range in.Transforms {
		c.Notices = append(c.Notices, transforms.Unused(at.Child("transforms").Index(i), &in.Transforms[i])...)
	}
}

// unusedByPatchSet notices the fields that a patch which includes a set has in
// vain.
func unusedByPatchSet(at *field.Path, in v1beta1.Patch) []input.Notice {
	return input.Unused(at, "a patch of type PatchSet",
		input.Option{Name: "fromFieldPath", Set: in.FromFieldPath != nil},
		input.Option{Name: "toFieldPath", Set: in.ToFieldPath != nil},
		input.Option{Name: "combine", Set: in.Combine != nil},
		input.Option{Name: "transforms", Set: len(in.Transforms) > 0},
		input.Option{Name: "policy", Set: in.Policy != nil},
	)
}

package patch

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// unused notices the fields of a patch that its type does not use.
func (c *compiler) unused(at *field.Path, in v1beta1.Patch, t Type) {
	constant := c.patch.From == Constant
	what := fmt.Sprintf("a patch of type %s", t.Name)
	c.Notices = append(c.Notices, input.Unused(at, what,
		input.Option{Name: "fromFieldPath", Set: in.FromFieldPath != nil && (t.Combines || constant)},
		input.Option{Name: "fromFieldPaths", Set: in.FromFieldPaths != nil && (t.Combines || constant)},
		input.Option{Name: "combine", Set: in.Combine != nil && !t.Combines},
		input.Option{Name: "patchSetName", Set: in.PatchSetName != nil},
		input.Option{Name: "default", Set: in.Default != nil && constant},
		input.Option{Name: "transforms", Set: len(in.Transforms) > 0 && t.removes},
		input.Option{Name: "policy", Set: in.Policy != nil && t.removes},
		input.Option{Name: "value", Set: in.Value != nil && t.removes},
	)...)
	c.unusedFields(at, what, in.SourceFields, c.patch.From, c.patch.To)
	for i := range in.Transforms {
		c.Notices = append(c.Notices, transforms.Unused(at.Child("transforms").Index(i), &in.Transforms[i])...)
	}
}

// noticeNames notices placeholders where there is nothing that they could stand
// for, so that they are names like others.
func (c *Compiler) noticeNames(p *Patch, s Scope) {
	if s == InForEach || s == InPatchSet || !p.hasPlaceholder() {
		return
	}
	c.Notices = append(c.Notices, input.Notice{
		Place: p.At, Text: "takes $key and $index for the names of fields, since only a resource with forEach has a key and an index",
	})
}

func (p *Patch) hasPlaceholder() bool {
	if p.combine != nil && slices.ContainsFunc(p.combine.variables, func(v variable) bool { return v.bound }) {
		return true
	}
	return p.bound || p.source != nil && p.source.bound
}

// unusedFields notices the fields of a source that say which one of other
// documents than those that are read and written.
func (c *compiler) unusedFields(at *field.Path, what string, in v1beta1.SourceFields, reads, writes Document) {
	c.Notices = append(c.Notices, input.Unused(at, what,
		input.Option{Name: "resource", Set: in.Resource != nil && reads != Other},
		input.Option{Name: "connectionDetail", Set: in.ConnectionDetail != nil && reads != Other},
		input.Option{Name: "contextKey", Set: in.ContextKey != nil && reads != Context && writes != Context},
		input.Option{Name: "required", Set: in.Required != nil && reads != Required},
		input.Option{Name: "value", Set: in.Value != nil && reads != Constant},
	)...)
}

// unusedBySource notices the fields of a loop or a variable that its source does
// not use.
func (c *compiler) unusedBySource(at *field.Path, in reading) {
	c.unusedFields(at, in.what, in.SourceFields, in.document, in.document)
	c.Notices = append(c.Notices, input.Unused(at, in.what,
		input.Option{Name: "fromFieldPath", Set: in.path != nil && in.document == Constant},
	)...)
}

// unusedByDetail notices paths beside a connection detail.
func (c *compiler) unusedByDetail(at *field.Path, in reading) {
	c.Notices = append(c.Notices, input.Unused(at, "what reads a connection detail",
		input.Option{Name: "fromFieldPath", Set: in.path != nil},
		input.Option{Name: "fromFieldPaths", Set: in.paths != nil},
	)...)
}

// unusedByStrategy notices what a strategy does not use.
func (c *compiler) unusedByStrategy(at *field.Path, in *v1beta1.Combine) {
	what := fmt.Sprintf("the strategy %q", in.Strategy)
	c.Notices = append(c.Notices, input.Unused(at, what,
		input.Option{Name: "string", Set: in.String != nil && in.Strategy != v1beta1.CombineStrategyString},
	)...)
	for i, v := range in.Variables {
		at := at.Child("variables").Index(i)
		c.Notices = append(c.Notices, input.Unused(at, what,
			input.Option{Name: "key", Set: v.Key != nil && in.Strategy != v1beta1.CombineStrategyObject},
		)...)
		for n := range v.Transforms {
			c.Notices = append(c.Notices, transforms.Unused(at.Child("transforms").Index(n), &v.Transforms[n])...)
		}
	}
}

// unusedByPatchSet notices the fields that a patch which includes a set has in
// vain.
func unusedByPatchSet(at *field.Path, in v1beta1.Patch) []input.Notice {
	return input.Unused(at, "a patch of type PatchSet",
		input.Option{Name: "fromFieldPath", Set: in.FromFieldPath != nil},
		input.Option{Name: "fromFieldPaths", Set: in.FromFieldPaths != nil},
		input.Option{Name: "resource", Set: in.Resource != nil},
		input.Option{Name: "connectionDetail", Set: in.ConnectionDetail != nil},
		input.Option{Name: "contextKey", Set: in.ContextKey != nil},
		input.Option{Name: "required", Set: in.Required != nil},
		input.Option{Name: "value", Set: in.Value != nil},
		input.Option{Name: "default", Set: in.Default != nil},
		input.Option{Name: "toFieldPath", Set: in.ToFieldPath != nil},
		input.Option{Name: "combine", Set: in.Combine != nil},
		input.Option{Name: "transforms", Set: len(in.Transforms) > 0},
		input.Option{Name: "policy", Set: in.Policy != nil},
	)
}

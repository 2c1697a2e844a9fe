package patch

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

// compiler compiles one patch.
type compiler struct {
	*Compiler

	scope Scope
	patch Patch
}

func (c *compiler) compile(at *field.Path, in v1beta1.Patch) {
	c.patch.At = at.String()
	c.patch.Type = in.Type
	if in.Type == "" {
		c.patch.Type = v1beta1.PatchTypeFromCompositeFieldPath
	}
	c.patch.Condition = c.condition(at.Child("condition"), in.Condition, c.scope)
	t, ok := lookup(c.patch.Type, c.scope)
	if !ok {
		c.wrongType(at.Child("type"), in.Type)
		return
	}
	c.patch.From, c.patch.To = t.ends(c.scope)
	c.patch.Removes = t.removes
	c.patch.Defaults, c.patch.fallback = in.Default != nil, in.Default
	if !t.removes {
		c.source(at, in, t)
	}
	c.target(at, in, t)
	c.policy(at.Child("policy"), in.Policy)
	c.unused(at, in, t)
	c.patch.transforms = c.chain(at.Child("transforms"), in.Transforms)
	c.patch.Shared = c.shared(in)
}

// wrongType tells why a patch cannot have its type.
func (c *compiler) wrongType(at *field.Path, t v1beta1.PatchType) {
	if t == v1beta1.PatchTypePatchSet {
		c.invalid(at, string(t), "only the patches of a resource and of a patch set can include a patch set")
		return
	}
	if slices.ContainsFunc(types, func(row Type) bool { return row.Name == t }) {
		c.invalid(at, string(t), fmt.Sprintf("no patch can be of type %s here; supported: %s", t, strings.Join(typeNames(c.scope), ", ")))
		return
	}
	c.unsupported(at, "type of patch", string(t), typeNames(c.scope))
}

func (c *compiler) source(at *field.Path, in v1beta1.Patch, t Type) {
	if t.Combines {
		c.patch.combine = c.combine(at.Child("combine"), in.Combine)
		return
	}
	c.patch.source = c.read(at, reading{
		document: c.patch.From, what: fmt.Sprintf("a patch of type %s", t.Name),
		path: in.FromFieldPath, paths: in.FromFieldPaths, SourceFields: in.SourceFields,
	})
}

func (c *compiler) target(at *field.Path, in v1beta1.Patch, t Type) {
	if c.patch.To == Context {
		c.patch.ToKey = c.contextKey(at, in.SourceFields, fmt.Sprintf("a patch of type %s", t.Name))
	}
	at = at.Child("toFieldPath")
	switch {
	case in.ToFieldPath != nil:
		c.patch.target = c.path(at, *in.ToFieldPath)
	case c.patch.source != nil && len(c.patch.source.paths) > 0:
		c.patch.target = c.patch.source.paths[0]
	case t.Combines || mayBeWhole(c.patch.From) || in.ConnectionDetail != nil:
		c.required(at, fmt.Sprintf("a patch of type %s needs the path of the field to %s", t.Name, t.does()))
		return
	}
	if c.patch.target == nil || c.patch.target.IsZero() {
		return
	}
	if err := c.patch.target.CheckWritable(); err != nil {
		c.invalid(at, c.patch.target.String(), err.Error())
	}
	c.patch.bound = c.patch.target.HasPlaceholder()
	c.patch.Unnames = t.removes && mayName(c.patch.target.Segments())
	c.checkRoot(at)
}

// inert notes why the patch does not write.
func (c *compiler) inert(reason string) {
	c.patch.Inert = true
	c.Notices = append(c.Notices, input.Notice{Place: c.patch.At, Text: "has no effect: " + reason})
}

func (c *compiler) required(at *field.Path, detail string) {
	c.Errors = append(c.Errors, field.Required(at, detail))
}

func (c *compiler) invalid(at *field.Path, value, detail string) {
	c.Errors = append(c.Errors, invalid(at, value, detail))
}

func invalid(at *field.Path, value, detail string) *field.Error {
	return field.Invalid(at, value, detail)
}

func duplicate(at *field.Path, value, detail string) *field.Error {
	e := field.Duplicate(at, value)
	e.Detail = detail
	return e
}

func (c *compiler) unsupported(at *field.Path, what, value string, valid []string) {
	c.Errors = append(c.Errors, input.Unsupported(at, what, value, valid))
}

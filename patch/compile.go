package patch

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// List is a list of compiled patches, and what of it has no effect.
type List struct {
	Patches []*Patch
	Notices []input.Notice
}

// Compile compiles the patches at a place of the input. Those of type PatchSet
// are replaced by the patches of the set. The errors are all that there are.
func Compile(at *field.Path, in []v1beta1.Patch, s Scope, sets Sets) (List, field.ErrorList) {
	var out List
	var errs field.ErrorList
	for i := range in {
		if in[i].Type == v1beta1.PatchTypePatchSet && s == InResource {
			included, err := sets.include(at.Index(i), in[i])
			if err != nil {
				errs = append(errs, err)
			}
			out.Patches = append(out.Patches, included...)
			out.Notices = append(out.Notices, unusedByPatchSet(at.Index(i), in[i])...)
			continue
		}
		c := compiler{scope: s}
		c.compile(at.Index(i), in[i])
		errs = append(errs, c.errs...)
		out.Patches = append(out.Patches, &c.patch)
		out.Notices = append(out.Notices, c.patch.Notices...)
	}
	return out, errs
}

// compiler compiles one patch.
type compiler struct {
	scope Scope
	patch Patch
	errs  field.ErrorList
}

func (c *compiler) compile(at *field.Path, in v1beta1.Patch) {
	c.patch.At = at.String()
	c.patch.Type = in.Type
	if in.Type == "" {
		c.patch.Type = v1beta1.PatchTypeFromCompositeFieldPath
	}
	t, ok := lookup(c.patch.Type, c.scope)
	if !ok {
		c.wrongType(at.Child("type"), in.Type)
		return
	}
	c.patch.From, c.patch.To = t.ends(c.scope)
	c.source(at, in, t)
	c.target(at, in, t)
	c.policy(at.Child("policy"), in.Policy)
	c.unused(at, in, t)
	chain, errs := transforms.Compile(at.Child("transforms"), in.Transforms)
	c.patch.transforms = chain
	c.errs = append(c.errs, errs...)
}

// wrongType tells why a patch cannot have its type.
func (c *compiler) wrongType(at *field.Path, t v1beta1.PatchType) {
	switch {
	case t != v1beta1.PatchTypePatchSet:
		c.unsupported(at, "type of patch", string(t), typeNames(c.scope))
	case c.scope == InPatchSet:
		c.invalid(at, string(t), "a patch set cannot include another patch set")
	default:
		c.invalid(at, string(t), "only the patches of a resource can include a patch set")
	}
}

func (c *compiler) source(at *field.Path, in v1beta1.Patch, t Type) {
	if t.Combines {
		c.patch.combine = c.combine(at.Child("combine"), in.Combine)
		return
	}
	if in.FromFieldPath == nil {
		c.required(at.Child("fromFieldPath"), fmt.Sprintf("a patch of type %s needs the path of the field to read", t.Name))
		return
	}
	c.patch.source = c.path(at.Child("fromFieldPath"), *in.FromFieldPath)
}

func (c *compiler) target(at *field.Path, in v1beta1.Patch, t Type) {
	at = at.Child("toFieldPath")
	switch {
	case in.ToFieldPath != nil:
		c.patch.target = c.path(at, *in.ToFieldPath)
	case t.Combines:
		c.required(at, fmt.Sprintf("a patch of type %s needs the path of the field to write", t.Name))
		return
	default:
		c.patch.target = c.patch.source
	}
	if c.patch.target.IsZero() {
		return
	}
	if err := c.patch.target.CheckWritable(); err != nil {
		c.invalid(at, c.patch.target.String(), err.Error())
	}
	c.checkRoot(at)
}

func (c *compiler) path(at *field.Path, text string) fieldpath.Path {
	p, err := fieldpath.Parse(text)
	if err != nil {
		c.invalid(at, text, err.Error())
	}
	return p
}

// checkRoot checks that the document which is written to can have the field that
// the target begins with, and that writing it has an effect.
func (c *compiler) checkRoot(at *field.Path) {
	root := c.patch.target.Segments()[0]
	if root.Kind != fieldpath.Field {
		c.invalid(at, c.patch.target.String(), fmt.Sprintf("%s is an object; begin with the name of a field of it", c.patch.To))
		return
	}
	switch c.patch.To {
	case Composite:
		c.checkComposite(at, root.Field)
	case Composed:
		if root.Field == "status" {
			c.notice("the status of a composed resource is written by its controller, not by Crossplane")
		}
	case SecretReference:
		if path := c.patch.target.String(); path != "name" && path != "namespace" {
			c.invalid(at, path, fmt.Sprintf("%q is no field of a Secret reference; it has name and namespace", path))
		}
	}
}

func (c *compiler) checkComposite(at *field.Path, root string) {
	switch root {
	case "status":
	case "spec", "metadata", "apiVersion", "kind":
		c.notice(fmt.Sprintf("a function can change only the status of a composite resource, not its %s", root))
	default:
		c.invalid(at, c.patch.target.String(), fmt.Sprintf("a composite resource has no field %q; a function can change its status, as in status.%s", root, c.patch.target))
	}
}

// notice notes why the patch has no effect.
func (c *compiler) notice(reason string) {
	c.patch.Notices = append(c.patch.Notices, input.Notice{Place: c.patch.At, Text: "has no effect: " + reason})
}

func (c *compiler) required(at *field.Path, detail string) {
	c.errs = append(c.errs, field.Required(at, detail))
}

func (c *compiler) invalid(at *field.Path, value, detail string) {
	c.errs = append(c.errs, field.Invalid(at, value, detail))
}

func (c *compiler) unsupported(at *field.Path, what, value string, valid []string) {
	c.errs = append(c.errs, input.Unsupported(at, what, value, valid))
}

// HideValues keeps the text of an error from showing values, which may be secret.
func HideValues(err error) {
	var ve *fieldpath.ValueError
	if errors.As(err, &ve) {
		ve.Hide = true
	}
}

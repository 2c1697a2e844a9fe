package patch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// checkRoot checks that the document which is written to can have the field that
// the target begins with, and that a function may write it.
func (c *compiler) checkRoot(at *field.Path) {
	root := c.patch.target.Segments()[0]
	if root.Kind != fieldpath.Field && root.Kind != fieldpath.Item {
		c.invalid(at, c.patch.target.String(), fmt.Sprintf("%s is an object; begin with the name of a field of it", c.patch.To))
		return
	}
	switch c.patch.To {
	case Composite:
		c.checkComposite(at, root.Field)
	case Composed:
		c.checkComposed(at, root.Field)
	case SecretReference:
		if path := c.patch.target.String(); path != "name" && path != "namespace" {
			c.invalid(at, path, fmt.Sprintf("%q is no field of a Secret reference; it has name and namespace", path))
		}
	}
}

// mayName tells whether a path may be that of the name or the namespace of a
// resource.
func mayName(path []fieldpath.Segment) bool {
	if len(path) != 2 || path[0].Kind == fieldpath.Field && path[0].Field != "metadata" {
		return false
	}
	return path[1].Kind != fieldpath.Field || path[1].Field == "name" || path[1].Field == "namespace"
}

func (c *compiler) checkComposed(at *field.Path, root string) {
	switch {
	case root == "status":
		c.inert("the status of a composed resource is written by its controller, not by Crossplane")
	case c.patch.Removes && len(c.patch.target.Segments()) == 1 && (root == "apiVersion" || root == "kind" || root == "metadata"):
		c.invalid(at, root, fmt.Sprintf("cannot be removed: every resource has its %s", root))
	}
}

func (c *compiler) checkComposite(at *field.Path, root string) {
	switch root {
	case "status":
	case "spec", "metadata", "apiVersion", "kind":
		c.inert(fmt.Sprintf("a function can change only the status of a composite resource, not its %s", root))
	default:
		c.invalid(at, c.patch.target.String(), fmt.Sprintf("a composite resource has no field %q; a function can change its status, as in status.%s", root, c.patch.target))
	}
}

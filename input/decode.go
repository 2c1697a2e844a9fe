// Package input decodes the function's input, and says where its problems are.
package input

import (
	"fmt"
	"reflect"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Decode decodes an input, which is a plain JSON value, and reports every
// problem that it has with its form. What the fields mean is not looked at.
// Values of free form are shared with doc. The result holds what could be
// decoded, and is nil when doc is no object.
func Decode(doc any) (*v1beta1.Resources, field.ErrorList) {
	root, ok := doc.(map[string]any)
	if !ok {
		return nil, field.ErrorList{problem(field.ErrorTypeTypeInvalid, field.NewPath("input"), "must be an object, got "+describe(doc))}
	}
	r := &v1beta1.Resources{}
	d := newDecoder()
	d.header(root, "apiVersion", v1beta1.APIVersion)
	d.header(root, "kind", v1beta1.Kind)
	d.structure(nil, root, reflect.ValueOf(r).Elem())
	return r, d.problems()
}

// header checks a field that can have but one value.
func (d *decoder) header(root map[string]any, name, want string) {
	got := root[name]
	if got == want {
		return
	}
	at := field.NewPath(name)
	if got == nil {
		d.add(field.ErrorTypeRequired, at, fmt.Sprintf("is missing, must be %q", want))
		return
	}
	d.add(field.ErrorTypeNotSupported, at, fmt.Sprintf("must be %q, got %s", want, fieldpath.Preview(got)))
}

// isHeader says whether a field belongs to the document as such, and to no type.
func isHeader(at *field.Path, name string) bool {
	return at == nil && (name == "apiVersion" || name == "kind" || name == "metadata")
}

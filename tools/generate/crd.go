package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

const (
	group   = "pt.fn.crossplane.io"
	version = "v1beta1"
	kind    = "Resources"
	plural  = "resources"
)

// inputSchema makes the schema of the input from its types. The types are no
// Kubernetes objects, lest the function links Kubernetes' packages for those:
// that is why controller-gen, which looks for objects, is used as a library.
func inputSchema(root string) (*apiext.JSONSchemaProps, error) {
	pkgs, err := loader.LoadRootsWithConfig(&packages.Config{Dir: root}, "./input/"+version)
	if err != nil {
		return nil, err
	}
	registry := &markers.Registry{}
	if err := register(registry); err != nil {
		return nil, err
	}
	parser := &crd.Parser{
		Collector:           &markers.Collector{Registry: registry},
		Checker:             &loader.TypeChecker{NodeFilters: []loader.NodeFilter{crd.Generator{}.CheckFilter()}},
		AllowDangerousTypes: true, // Operands of math have fractions.
	}
	crd.AddKnownTypes(parser)
	parser.NeedPackage(pkgs[0])
	id := crd.TypeIdent{Package: pkgs[0], Name: kind}
	parser.NeedFlattenedSchemaFor(id)
	if loader.PrintErrors(pkgs) {
		return nil, errors.New("the types of the input have errors")
	}
	schema := parser.FlattenedSchemata[id]
	refine(&schema)
	return &schema, nil
}

func register(registry *markers.Registry) error {
	if err := crdmarkers.Register(registry); err != nil {
		return err
	}
	when, err := markers.MakeDefinition("patchwork:when", markers.DescribesType, When{})
	if err != nil {
		return err
	}
	return registry.Register(when)
}

// When is a marker of a struct that has a field type. It says which fields an
// object of one of these types requires. An object has one of the types that the
// markers of its struct name.
type When struct {
	Type     []string `marker:"type"`
	Required []string `marker:"required,optional"`
}

// ApplyToSchema adds the types to those that the struct has alternatives for,
// which refine makes requirements of.
func (w When) ApplyToSchema(_ *crdmarkers.SchemaContext, schema *apiext.JSONSchemaProps) error {
	if _, ok := schema.Properties["type"]; !ok {
		return errors.New("patchwork:when needs a struct that has a field type")
	}
	for _, name := range w.Required {
		if _, ok := schema.Properties[name]; !ok && len(schema.AllOf) == 0 {
			return fmt.Errorf("patchwork:when requires the unknown field %q", name)
		}
	}
	schema.AnyOf = append(schema.AnyOf, apiext.JSONSchemaProps{
		Properties: map[string]apiext.JSONSchemaProps{"type": {Enum: values(w.Type)}},
		Required:   slices.Clone(w.Required),
	})
	return nil
}

// refine makes the most of a schema: objects have a type that their struct has
// alternatives for, and what that one requires; embedded resources have what
// every resource has.
func refine(schema *apiext.JSONSchemaProps) {
	if len(schema.AnyOf) > 0 {
		narrow(schema)
	}
	if schema.XEmbeddedResource {
		least := int64(1)
		text := apiext.JSONSchemaProps{Type: "string", MinLength: &least}
		schema.Properties = map[string]apiext.JSONSchemaProps{"apiVersion": text, "kind": text, "metadata": {Type: "object"}}
		schema.Required = []string{"apiVersion", "kind"}
	}
	if schema.Items != nil {
		refine(schema.Items.Schema)
	}
	for name, property := range schema.Properties {
		refine(&property)
		schema.Properties[name] = property
	}
}

// narrow makes requirements of the alternatives of a struct: an object has what
// they require, or is of another type. Stated like that, what is said of an
// object that lacks something is just what it lacks. Left to choose the
// alternative that was meant, validators often choose another.
func narrow(schema *apiext.JSONSchemaProps) {
	field := schema.Properties["type"]
	alternatives := schema.AnyOf
	schema.AnyOf, field.Enum = nil, nil
	for _, a := range alternatives {
		types := a.Properties["type"].Enum
		field.Enum = append(field.Enum, types...)
		if len(a.Required) == 0 {
			continue
		}
		ofType := &apiext.JSONSchemaProps{Properties: a.Properties}
		// An absent type counts as the default, and as no other.
		isDefault := func(t apiext.JSON) bool { return field.Default != nil && bytes.Equal(t.Raw, field.Default.Raw) }
		if !slices.ContainsFunc(types, isDefault) {
			ofType.Required = []string{"type"}
		}
		schema.AllOf = append(schema.AllOf, apiext.JSONSchemaProps{
			AnyOf: []apiext.JSONSchemaProps{{Required: a.Required}, {Not: ofType}},
		})
	}
	schema.Properties["type"] = field
}

func values(names []string) []apiext.JSON {
	out := make([]apiext.JSON, len(names))
	for i, name := range names {
		out[i] = apiext.JSON{Raw: fmt.Appendf(nil, "%q", name)}
	}
	return out
}

// definition is the CustomResourceDefinition with this schema.
func definition(schema *apiext.JSONSchemaProps) *apiext.CustomResourceDefinition {
	root := schema.DeepCopy()
	text := func(is string) apiext.JSONSchemaProps { return apiext.JSONSchemaProps{Type: "string", Description: is} }
	root.Properties["apiVersion"] = text("APIVersion of the input: " + group + "/" + version + ".")
	root.Properties["kind"] = text("Kind of the input: " + kind + ".")
	root.Properties["metadata"] = apiext.JSONSchemaProps{Type: "object"}
	return &apiext.CustomResourceDefinition{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition"},
		ObjectMeta: metav1.ObjectMeta{Name: plural + "." + group},
		Spec: apiext.CustomResourceDefinitionSpec{
			Group: group,
			Names: apiext.CustomResourceDefinitionNames{
				Categories: []string{"crossplane"}, Kind: kind, ListKind: kind + "List", Plural: plural, Singular: plural,
			},
			Scope: apiext.NamespaceScoped,
			Versions: []apiext.CustomResourceDefinitionVersion{{
				Name: version, Served: true, Storage: true,
				Schema: &apiext.CustomResourceValidation{OpenAPIV3Schema: root},
			}},
		},
	}
}

package main

import (
	"errors"

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
	for name, marker := range map[string]any{"when": When{}, "either": Either{}, "orString": OrString{}} {
		definition, err := markers.MakeDefinition("patchwork:"+name, markers.DescribesType, marker)
		if err != nil {
			return err
		}
		if err := registry.Register(definition); err != nil {
			return err
		}
	}
	return nil
}

// definition is the CustomResourceDefinition with this schema.
func definition(schema *apiext.JSONSchemaProps) *apiext.CustomResourceDefinition {
	root := schema.DeepCopy()
	anything(root)
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

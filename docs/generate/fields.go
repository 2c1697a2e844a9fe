package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

const crdFile = "package/input/pt.fn.crossplane.io_resources.yaml"

// schema is what of the CRD's schema the tables of fields need.
type schema struct {
	Type        string             `json:"type"`
	Description string             `json:"description"`
	Default     any                `json:"default"`
	Minimum     *float64           `json:"minimum"`
	Maximum     *float64           `json:"maximum"`
	Required    []string           `json:"required"`
	Properties  map[string]*schema `json:"properties"`
	Items       *schema            `json:"items"`
}

func readSchema(root string) (*schema, error) {
	b, err := os.ReadFile(root + "/" + crdFile)
	if err != nil {
		return nil, err
	}
	crd := struct {
		Spec struct {
			Versions []struct {
				Schema struct {
					OpenAPIV3Schema *schema `json:"openAPIV3Schema"`
				} `json:"schema"`
			} `json:"versions"`
		} `json:"spec"`
	}{}
	if err := yaml.Unmarshal(b, &crd); err != nil {
		return nil, err
	}
	if len(crd.Spec.Versions) != 1 {
		return nil, fmt.Errorf("%s: %d versions, not 1", crdFile, len(crd.Spec.Versions))
	}
	return crd.Spec.Versions[0].Schema.OpenAPIV3Schema, nil
}

// at returns the schema of a field below this one; of an array, of its items.
func (s *schema) at(path ...string) (*schema, error) {
	for _, name := range path {
		next := s.Properties[name]
		if next == nil {
			return nil, fmt.Errorf("%s: no field %s in %s", crdFile, name, strings.Join(path, "."))
		}
		if s = next; s.Items != nil {
			s = s.Items
		}
	}
	return s, nil
}

// fields writes the table of the fields at a path of the input.
func (r *writer) fields(root *schema, path ...string) {
	s, err := root.at(path...)
	if err != nil {
		r.fail(err)
		return
	}
	var rows [][]string
	for _, name := range s.names() {
		if s.Properties[name].Description != "" {
			rows = append(rows, s.row(name))
		}
	}
	r.table([]string{"field", "type", "default", "meaning"}, rows)
}

// row describes a field of an object.
func (s *schema) row(name string) []string {
	f := s.Properties[name]
	def := ""
	switch {
	case f.Default != nil:
		def = code(fmt.Sprint(f.Default))
	case slices.Contains(s.Required, name):
		def = "required"
	}
	return []string{code(name), f.kind(), def, strings.ReplaceAll(strings.Join(strings.Fields(f.Description), " "), "<", "&lt;") + f.bounds()}
}

func (s *schema) kind() string {
	switch {
	case s.Items != nil:
		return "array of " + s.Items.kind() + "s"
	case s.Type == "":
		return "any"
	}
	return s.Type
}

func (s *schema) bounds() string {
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		return fmt.Sprintf(" From %v to %v.", *s.Minimum, *s.Maximum)
	case s.Minimum != nil:
		return fmt.Sprintf(" At least %v.", *s.Minimum)
	}
	return ""
}

// names returns the fields in the order of the table: name and type first, then
// those that are required.
func (s *schema) names() []string {
	rank := func(name string) int {
		switch {
		case name == "name":
			return 0
		case name == "type":
			return 1
		case slices.Contains(s.Required, name):
			return 2
		}
		return 3
	}
	names := slices.Sorted(maps.Keys(s.Properties))
	slices.SortStableFunc(names, func(a, b string) int { return rank(a) - rank(b) })
	return names
}

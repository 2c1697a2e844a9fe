package main

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
)

// When is a marker of a struct that has a field which says what kind of thing it
// is: type, unless the marker names another. It says which fields an object of
// one of these types requires: "a|b" stands for either. An object has one of the
// types that the markers of its struct name. With Default, they are those of an
// object whose field is absent.
type When struct {
	Field    string   `marker:"field,optional"`
	Type     []string `marker:"type"`
	Default  bool     `marker:"default,optional"`
	Required []string `marker:"required,optional"`
}

// ApplyToSchema adds the types to those that the struct has alternatives for,
// which refine makes requirements of.
func (w When) ApplyToSchema(_ *crdmarkers.SchemaContext, schema *apiext.JSONSchemaProps) error {
	if w.Field == "" {
		w.Field = "type"
	}
	if _, ok := schema.Properties[w.Field]; !ok {
		return fmt.Errorf("patchwork:when needs a struct that has a field %s", w.Field)
	}
	alternative := apiext.JSONSchemaProps{
		Properties: map[string]apiext.JSONSchemaProps{w.Field: {Enum: values(w.Type)}},
		Required:   slices.Clone(w.Required),
	}
	if w.Default {
		alternative.Format = absent
	}
	if err := known(schema, w.Required); err != nil {
		return fmt.Errorf("patchwork:when: %w", err)
	}
	schema.AnyOf = append(schema.AnyOf, alternative)
	return nil
}

// known returns an error if there is no such field. Those of embedded structs are
// not known yet.
func known(schema *apiext.JSONSchemaProps, fields []string) error {
	for _, field := range fields {
		for name := range strings.SplitSeq(field, "|") {
			if _, ok := schema.Properties[name]; !ok && len(schema.AllOf) == 0 {
				return fmt.Errorf("there is no field %q", name)
			}
		}
	}
	return nil
}

// absent is the format of an alternative that counts where the field is absent.
const absent = "absent"

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
	each(schema, refine)
}

// each calls do with every schema right below this one.
func each(schema *apiext.JSONSchemaProps, do func(*apiext.JSONSchemaProps)) {
	if schema.Items != nil {
		do(schema.Items.Schema)
	}
	if schema.AdditionalProperties != nil && schema.AdditionalProperties.Schema != nil {
		do(schema.AdditionalProperties.Schema)
	}
	for name, property := range schema.Properties {
		do(&property)
		schema.Properties[name] = property
	}
}

// narrow makes requirements of the alternatives of a struct: an object has what
// they require, or is of another type. Stated like that, what is said of an
// object that lacks something is just what it lacks. Left to choose the
// alternative that was meant, validators often choose another.
func narrow(schema *apiext.JSONSchemaProps) {
	alternatives := schema.AnyOf
	schema.AnyOf = nil
	if len(alternatives[0].Properties) == 0 { // It is one of Either.
		require(schema, alternatives[0].Required, nil)
	}
	for name := range alternatives[0].Properties {
		field := schema.Properties[name]
		field.Enum = nil
		for _, a := range alternatives {
			types := a.Properties[name].Enum
			field.Enum = append(field.Enum, types...)
			// An absent type counts as the default, and as no other.
			isDefault := func(t apiext.JSON) bool { return field.Default != nil && bytes.Equal(t.Raw, field.Default.Raw) }
			other := apiext.JSONSchemaProps{Not: &apiext.JSONSchemaProps{Properties: a.Properties}}
			if a.Format != absent && !slices.ContainsFunc(types, isDefault) {
				other.Not.Required = []string{name}
			}
			require(schema, a.Required, []apiext.JSONSchemaProps{other})
		}
		schema.Properties[name] = field
	}
}

// require makes an object have the fields, unless it is one of the others.
func require(schema *apiext.JSONSchemaProps, fields []string, others []apiext.JSONSchemaProps) {
	var all []string
	for _, f := range fields {
		either := strings.Split(f, "|")
		if len(either) == 1 {
			all = append(all, f)
			continue
		}
		var anyOf []apiext.JSONSchemaProps
		for _, name := range either {
			anyOf = append(anyOf, apiext.JSONSchemaProps{Required: []string{name}})
		}
		schema.AllOf = append(schema.AllOf, apiext.JSONSchemaProps{AnyOf: append(anyOf, others...)})
	}
	if len(all) > 0 {
		schema.AllOf = append(schema.AllOf, apiext.JSONSchemaProps{
			AnyOf: append([]apiext.JSONSchemaProps{{Required: all}}, others...),
		})
	}
}

func values(names []string) []apiext.JSON {
	out := make([]apiext.JSON, len(names))
	for i, name := range names {
		out[i] = apiext.JSON{Raw: fmt.Appendf(nil, "%q", name)}
	}
	return out
}

// Either is a marker of a struct that must have one of the fields.
type Either struct {
	Fields []string `marker:"fields"`
}

// ApplyToSchema requires one of the fields.
func (e Either) ApplyToSchema(_ *crdmarkers.SchemaContext, schema *apiext.JSONSchemaProps) error {
	schema.AnyOf = append(schema.AnyOf, apiext.JSONSchemaProps{Required: []string{strings.Join(e.Fields, "|")}})
	if err := known(schema, e.Fields); err != nil {
		return fmt.Errorf("patchwork:either: %w", err)
	}
	return nil
}

// OrString is a marker of a struct in whose place a string may stand.
type OrString struct{}

// ApplyToSchema marks the schema for those who write it: CRDs cannot say it.
func (OrString) ApplyToSchema(_ *crdmarkers.SchemaContext, schema *apiext.JSONSchemaProps) error {
	if len(schema.Properties) == 0 {
		return errors.New("patchwork:orString needs a struct")
	}
	schema.Format = orString
	return nil
}

// orString is the format of an object in whose place a string may stand.
const orString = "object-or-string"

// anything makes a schema of anything of each that has a string or an object: the
// schema of a CRD must have one type or none.
func anything(schema *apiext.JSONSchemaProps) {
	if schema.Format != orString {
		each(schema, anything)
		return
	}
	open := true
	*schema = apiext.JSONSchemaProps{Description: schema.Description, XPreserveUnknownFields: &open}
}

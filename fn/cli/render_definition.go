package cli

import "fmt"

// definition holds what rendering needs of a CompositeResourceDefinition.
type definition struct {
	manifest   manifest
	APIVersion string `json:"apiVersion"`
	Spec       struct {
		Group string `json:"group"`
		Names struct {
			Kind string `json:"kind"`
		} `json:"names"`
		Scope    string `json:"scope"`
		Versions []struct {
			Name   string `json:"name"`
			Schema struct {
				OpenAPIV3Schema map[string]any `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

const scopeLegacyCluster = "LegacyCluster"

// loadDefinition reads the definition of the composite resource, and fills in
// what the schema has defaults for, as the API server does.
func (c *Render) loadDefinition(f *files, in *inputs) error {
	if c.XRD == "" {
		return nil
	}
	ms, err := f.load(c.XRD)
	if err != nil {
		return err
	}
	for _, m := range ms {
		if kindOf(m.object) != "CompositeResourceDefinition" {
			continue
		}
		d := &definition{manifest: m}
		if err := m.into(d); err != nil {
			return err
		}
		if d.Spec.Names.Kind != kindOf(in.xr.object) {
			continue
		}
		if err := d.fillIn(in.xr); err != nil {
			return err
		}
		in.definition = d
		return nil
	}
	return fmt.Errorf("%s: no CompositeResourceDefinition of kind %s in it", displayName(c.XRD), kindOf(in.xr.object))
}

// fillIn writes the defaults of the schema to a composite resource.
func (d *definition) fillIn(xr manifest) error {
	for _, v := range d.Spec.Versions {
		if stringAt(xr.object, "apiVersion") == d.Spec.Group+"/"+v.Name {
			fillIn(xr.object, v.Schema.OpenAPIV3Schema)
			return nil
		}
	}
	return d.manifest.errorf("%s has no version %s", d.manifest, stringAt(xr.object, "apiVersion"))
}

// fillIn writes the defaults of a schema to a value that it describes.
func fillIn(v any, schema map[string]any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			fillIn(item, objectAt(schema, "items"))
		}
	case map[string]any:
		properties := objectAt(schema, "properties")
		for key := range properties {
			property := objectAt(properties, key)
			if d, ok := property["default"]; ok && v[key] == nil && !isNull(v, key, property) {
				v[key] = clone(d)
			}
		}
		for key, field := range v {
			if property := objectAt(properties, key); property != nil {
				fillIn(field, property)
				continue
			}
			fillIn(field, objectAt(schema, "additionalProperties"))
		}
	}
}

// isNull tells whether a field is null and may be.
func isNull(object map[string]any, key string, schema map[string]any) bool {
	_, there := object[key]
	return there && at(schema, "nullable") == true
}

// isModern tells a composite resource whose machinery is below spec.crossplane
// from a classic one, which may have a claim and connection details. sure is
// false when nothing tells: Crossplane's CLI then takes it for a modern one.
func (in *inputs) isModern() (modern, sure bool) {
	xr := in.xr.object
	if d := in.definition; d != nil {
		classic := d.Spec.Scope == scopeLegacyCluster ||
			d.Spec.Scope == "" && d.APIVersion == "apiextensions.crossplane.io/v1"
		return !classic, true
	}
	if namespaceOf(xr) != "" || at(xr, "spec", "crossplane") != nil {
		return true, true
	}
	for _, field := range []string{"claimRef", "compositionRef", "compositionSelector", "compositionRevisionRef", "resourceRefs"} {
		if at(xr, "spec", field) != nil {
			return false, true
		}
	}
	return true, false
}

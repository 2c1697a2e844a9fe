package main

import (
	"maps"
	"reflect"
	"slices"
)

// shared are the fields whose schemas stand in many places of the input: the name
// of the definition of each. They are what an item of it is, if it is an array.
var shared = map[string]string{"transforms": "Transform", "combine": "Combine", "policy": "Policy"}

// factor moves the schemas that stand in many places to definitions, which it
// returns, so that a schema is not many times as large as the types it is made of.
func factor(doc map[string]any) map[string]any {
	definitions := make(map[string]any)
	move(doc, definitions)
	return definitions
}

func move(schema map[string]any, definitions map[string]any) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		property, _ := properties[name].(map[string]any)
		move(property, definitions)
		definition := shared[name]
		if definition == "" {
			continue
		}
		if items, ok := property["items"].(map[string]any); ok {
			property["items"] = reference(items, definition, definitions)
			continue
		}
		// What the field is for is told beside the reference.
		description := property["description"]
		delete(property, "description")
		ref := reference(property, definition, definitions)
		if ref["$ref"] != nil {
			ref["description"] = description
		} else {
			property["description"] = description
		}
		properties[name] = ref
	}
	if items, ok := schema["items"].(map[string]any); ok {
		move(items, definitions)
	}
	if values, ok := schema["additionalProperties"].(map[string]any); ok {
		move(values, definitions)
	}
}

// reference returns a reference to a definition, which it makes if there is none;
// the schema itself, if the definition is another one.
func reference(schema map[string]any, name string, definitions map[string]any) map[string]any {
	there, ok := definitions[name]
	if !ok {
		definitions[name] = schema
	} else if !reflect.DeepEqual(there, schema) {
		return schema
	}
	return map[string]any{"$ref": "#/$defs/" + name}
}

package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// jsonSchema is the JSON Schema of an input, as a document. It knows no field
// that the function does not know.
func jsonSchema(schema *apiext.JSONSchemaProps) (map[string]any, error) {
	b, err := json.Marshal(schema)
	if err != nil {
		return nil, err
	}
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil {
		return nil, err
	}
	standard(doc)
	properties := doc["properties"].(map[string]any)
	properties["apiVersion"] = map[string]any{"const": group + "/" + version, "description": "APIVersion of the input."}
	properties["kind"] = map[string]any{"const": kind, "description": "Kind of the input."}
	properties["metadata"] = map[string]any{"type": "object", "description": "Metadata has no effect."}
	doc["required"] = []string{"apiVersion", "kind"}
	doc["$defs"] = factor(doc)
	doc["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	doc["title"] = kind + " of " + group + "/" + version
	return doc, nil
}

// standard makes standard JSON Schema of a schema of Kubernetes.
func standard(schema map[string]any) {
	open := schema["x-kubernetes-preserve-unknown-fields"] == true
	maps.DeleteFunc(schema, func(name string, _ any) bool { return strings.HasPrefix(name, "x-kubernetes-") })
	if example, ok := schema["example"]; ok {
		delete(schema, "example")
		schema["examples"] = []any{example}
	}
	if text, ok := schema["description"].(string); ok {
		schema["description"] = paragraphs(text)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		standard(items)
	}
	if values, ok := schema["additionalProperties"].(map[string]any); ok {
		standard(values)
	}
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		standard(properties[name].(map[string]any))
	}
	if properties != nil && !open {
		schema["additionalProperties"] = false
	}
	if schema["format"] == orString {
		allowString(schema)
	}
}

// allowString makes a schema of an object that of an object or a string.
func allowString(schema map[string]any) {
	delete(schema, "format")
	object := maps.Clone(schema)
	delete(object, "description")
	description := schema["description"]
	clear(schema)
	schema["description"] = description
	schema["anyOf"] = []any{map[string]any{"type": "string", "minLength": 1}, object}
}

// paragraphs joins the lines of each paragraph, for editors wrap them on their own.
func paragraphs(text string) string {
	parts := strings.Split(text, "\n\n")
	for i, part := range parts {
		parts[i] = strings.Join(strings.Fields(part), " ")
	}
	return strings.Join(parts, "\n\n")
}

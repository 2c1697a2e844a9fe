package main

import (
	_ "embed"
	"encoding/json"
	"maps"
)

const compositionFile = "schema/composition.schema.json"

// compositionText is the schema of a Composition, as of Crossplane 2.3, but for
// the inputs of functions. What is no Composition is not looked at, since a file
// may have other objects beside it.
//
//go:embed composition.json
var compositionText []byte

// compositionSchema is the JSON Schema of a Composition in which the inputs of
// this function have their schema.
func compositionSchema(input map[string]any) (map[string]any, error) {
	var doc map[string]any
	if err := json.Unmarshal(compositionText, &doc); err != nil {
		return nil, err
	}
	resources := maps.Clone(input)
	definitions := doc["$defs"].(map[string]any)
	maps.Copy(definitions, resources["$defs"].(map[string]any))
	delete(resources, "$defs")
	delete(resources, "$schema")
	definitions["Resources"] = resources
	return doc, nil
}

// Command generate writes the schemas of the function's input, which it makes
// from the types of input/v1beta1: the CustomResourceDefinition for the package,
// and JSON Schemas for editors, of the input and of a Composition that has it. It
// takes the root of the repository.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const (
	crdFile    = "package/input/pt.fn.crossplane.io_resources.yaml"
	schemaFile = "schema/resources.schema.json"

	notice = "# Code generated from input/v1beta1 by make generate. DO NOT EDIT.\n"
)

func main() {
	if len(os.Args) != 2 {
		fail(fmt.Errorf("usage: generate ROOT"))
	}
	if err := generate(os.Args[1]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "generate:", err)
	os.Exit(1)
}

func generate(root string) error {
	schema, err := inputSchema(root)
	if err != nil {
		return err
	}
	crd, err := marshalCRD(definition(schema))
	if err != nil {
		return err
	}
	if err := write(filepath.Join(root, crdFile), crd); err != nil {
		return err
	}
	doc, err := jsonSchema(schema)
	if err != nil {
		return err
	}
	composition, err := compositionSchema(doc)
	if err != nil {
		return err
	}
	for file, schema := range map[string]any{schemaFile: doc, compositionFile: composition} {
		text, err := marshalJSON(schema)
		if err != nil {
			return err
		}
		if err := write(filepath.Join(root, file), text); err != nil {
			return err
		}
	}
	return nil
}

// marshalCRD leaves out the status, which a file has no use for.
func marshalCRD(crd *apiext.CustomResourceDefinition) ([]byte, error) {
	b, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(b, &fields); err != nil {
		return nil, err
	}
	delete(fields, "status")
	text, err := yaml.Marshal(fields)
	return append([]byte(notice), text...), err
}

func marshalJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o644)
}

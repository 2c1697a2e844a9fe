package local

import (
	"bytes"
	"os"
	"testing"

	"sigs.k8s.io/yaml"
)

// object is an object of a file, or one that was printed.
type object map[string]any

func readFile(t *testing.T, path string) []object {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	return parse(t, text)
}

// parse gives the objects of YAML documents.
func parse(t *testing.T, text []byte) []object {
	t.Helper()
	var out []object
	for doc := range bytes.SplitSeq(append([]byte("\n"), text...), []byte("\n---")) {
		// What follows the dashes is a comment, if anything.
		var o object
		check(t, yaml.UnmarshalStrict(doc, &o))
		if o != nil {
			out = append(out, o)
		}
	}
	return out
}

func (o object) at(path ...string) any {
	var v any = map[string]any(o)
	for _, key := range path {
		fields, _ := v.(map[string]any)
		v = fields[key]
	}
	return v
}

func (o object) text(path ...string) string {
	s, _ := o.at(path...).(string)
	return s
}

func (o object) objects(path ...string) []object {
	items, _ := o.at(path...).([]any)
	out := make([]object, 0, len(items))
	for _, item := range items {
		if fields, ok := item.(map[string]any); ok {
			out = append(out, fields)
		}
	}
	return out
}

func (o object) set(v any, path ...string) {
	fields, last := map[string]any(o), len(path)-1
	for _, key := range path[:last] {
		next, ok := fields[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			fields[key] = next
		}
		fields = next
	}
	fields[path[last]] = v
}

// drop deletes a field, and the objects around it that are empty then.
func (o object) drop(path ...string) {
	around, _ := o.at(path[:len(path)-1]...).(map[string]any)
	delete(around, path[len(path)-1])
	if len(around) == 0 && len(path) > 1 {
		o.drop(path[:len(path)-1]...)
	}
}

// resource is the name that a composed resource has in the composition.
func (o object) resource() string {
	return o.text("metadata", "annotations", "crossplane.io/composition-resource-name")
}

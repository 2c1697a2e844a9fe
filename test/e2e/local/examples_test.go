package local

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"sigs.k8s.io/yaml"
)

// root is the root of the repository.
const root = "../../.."

// example is a folder with a composition, and what it is rendered with.
type example struct {
	name, folder string
	// functions is its functions.yaml, with the function at target.
	functions string
	// environment is its environment.yaml as JSON, which all CLIs read, or empty.
	environment string
}

// examples are all folders that have a composition and a composite resource.
func examples(t *testing.T) []example {
	t.Helper()
	compositions, err := filepath.Glob(filepath.Join(root, "example", "*", "composition.yaml"))
	check(t, err)
	if len(compositions) < 3 {
		t.Fatalf("examples: %v", compositions)
	}
	var out []example
	for _, c := range compositions {
		e := example{folder: filepath.Dir(c), name: filepath.Base(filepath.Dir(c))}
		e.functions = developed(t, e.file("functions.yaml"))
		if e.has("environment.yaml") {
			e.environment = asJSON(t, e.file("environment.yaml"))
		}
		out = append(out, e)
	}
	return out
}

// renders are what an example is rendered with: when nothing exists yet, and
// with what its observed.yaml has.
func (e example) renders() map[string]with {
	first := with{xr: e.file("xr.yaml"), composition: e.file("composition.yaml")}
	later := first
	later.observed = e.file("observed.yaml")
	return map[string]with{"first": first, "later": later}
}

func (e example) file(name string) string { return filepath.Join(e.folder, name) }

func (e example) has(name string) bool {
	_, err := os.Stat(e.file(name))
	return err == nil
}

// developed is a copy of a functions.yaml whose functions run at target, as one
// runs a function that is developed.
func developed(t *testing.T, path string) string {
	t.Helper()
	functions := readFile(t, path)
	for _, f := range functions {
		f.set("Development", "metadata", "annotations", "render.crossplane.io/runtime")
		f.set(target, "metadata", "annotations", "render.crossplane.io/runtime-development-target")
	}
	return writeFile(t, "functions.yaml", functions...)
}

func asJSON(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	text, err = yaml.YAMLToJSON(text)
	check(t, err)
	copied := filepath.Join(t.TempDir(), "environment.json")
	check(t, os.WriteFile(copied, text, 0o600))
	return copied
}

// writeFile writes objects to a file of a folder that the test removes.
func writeFile(t *testing.T, name string, objects ...object) string {
	t.Helper()
	var text []byte
	for _, o := range objects {
		b, err := json.Marshal(o)
		check(t, err)
		text = append(append(text, b...), "\n---\n"...)
	}
	path := filepath.Join(t.TempDir(), name)
	check(t, os.WriteFile(path, text, 0o600))
	return path
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package local

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"
)

// root is the root of the repository.
const root = "../../.."

// example is a composite resource in a folder with its definition: xr.yaml, or
// xr-VARIANT.yaml, which goes with other files of that variant.
type example struct {
	folder, variant string
	// functions is its functions.yaml, with functions that are developed.
	functions string
	// definition is a file with its definition alone.
	definition string
	// environment is what the environment of its variant holds, as JSON, which
	// all CLIs read, or empty.
	environment string
}

// examples are all that there are.
func examples(t *testing.T) []example {
	t.Helper()
	var out []example
	check(t, filepath.WalkDir(filepath.Join(root, "example"), func(path string, _ fs.DirEntry, err error) error {
		variant, isXR := strings.CutPrefix(filepath.Base(path), "xr")
		variant, isYAML := strings.CutSuffix(variant, ".yaml")
		e := example{folder: filepath.Dir(path), variant: variant}
		if err == nil && isXR && isYAML && e.find("definition.yaml") != "" {
			out = append(out, e)
		}
		return err
	}))
	if len(out) < 10 {
		t.Fatalf("examples: %v", out)
	}
	for i, e := range out {
		out[i].functions = developed(t, e.find("functions.yaml"))
		out[i].definition = e.ownDefinition(t)
		if environment := e.find("environment.yaml"); environment != "" {
			out[i].environment = asJSON(t, environment)
		}
	}
	return out
}

// folders are those of the examples.
func folders(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, e := range examples(t) {
		out = append(out, e.folder)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (e example) String() string {
	name, _ := filepath.Rel(filepath.Join(root, "example"), e.folder)
	return name + e.variant
}

// find gives the variant's own file, or else one of all variants, if there is
// one.
func (e example) find(name string) string {
	ext := filepath.Ext(name)
	for _, base := range []string{strings.TrimSuffix(name, ext) + e.variant + ext, name} {
		path := filepath.Join(e.folder, base)
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	return ""
}

// renders are what an example is rendered with: when nothing exists yet, and
// with what is observed then, if it has that.
func (e example) renders() map[string]with {
	first := with{xr: e.find("xr.yaml"), composition: e.find("composition.yaml")}
	out := map[string]with{"first": first}
	if observed := e.find("observed.yaml"); observed != "" {
		later := first
		later.observed = observed
		out["later"] = later
	}
	return out
}

// ownDefinition is the definition of the composite resource, of all that its
// file has: Crossplane's CLI reads no more than one.
func (e example) ownDefinition(t *testing.T) string {
	t.Helper()
	kind := readFile(t, e.find("xr.yaml"))[0]["kind"]
	for _, d := range readFile(t, e.find("definition.yaml")) {
		if d.at("spec", "names", "kind") == kind {
			return writeFile(t, "definition.yaml", d)
		}
	}
	t.Fatalf("%v: no definition of %v", e, kind)
	return ""
}

// developed is a copy of a functions.yaml whose functions are served to be
// developed.
func developed(t *testing.T, path string) string {
	t.Helper()
	functions := readFile(t, path)
	for _, f := range functions {
		name := f.text("metadata", "name")
		if targets[name] == "" {
			t.Fatalf("%s: there is no program for the function %q", path, name)
		}
		f.set("Development", "metadata", "annotations", "render.crossplane.io/runtime")
		f.set(targets[name], "metadata", "annotations", "render.crossplane.io/runtime-development-target")
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
	var text bytes.Buffer
	for _, o := range objects {
		b, err := json.Marshal(o)
		check(t, err)
		text.Write(b)
		text.WriteString("\n---\n")
	}
	path := filepath.Join(t.TempDir(), name)
	check(t, os.WriteFile(path, text.Bytes(), 0o600))
	return path
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

package local

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whoever validates the examples with crossplane resource validate is told that
// all is well: their compositions with the input of each step, their
// definitions, and what they are rendered with.
func TestExamplesAreValid(t *testing.T) {
	s := newSchemas(t)
	for _, folder := range folders(t) {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			files := manifests(t, folder)
			v := s.validate(t, nil, extensions(t, folder), files...)
			if v.Summary.Valid != v.Summary.Total {
				t.Errorf("%v", v)
			}
			steps := 0
			for _, f := range files {
				for _, o := range readFile(t, f) {
					steps += len(slices.DeleteFunc(o.objects("spec", "pipeline"), isEnvironment))
				}
			}
			if inputs := v.inputs(); inputs != steps || steps == 0 {
				t.Errorf("%d of the inputs of %d steps were validated", inputs, steps)
			}
		})
	}
}

// extensions are what the manifests of a folder are validated with.
func extensions(t *testing.T, folder string) []string {
	t.Helper()
	function := writeFile(t, "functions.yaml", ofThisFunction(t, filepath.Join(folder, "functions.yaml"))...)
	out := []string{function, filepath.Join(folder, "definition.yaml")}
	if kinds := filepath.Join(folder, "sizeclass.yaml"); (example{folder: folder}).find("sizeclass.yaml") != "" {
		out = append(out, writeFile(t, "kinds.yaml", readFile(t, kinds)[0]))
	}
	return out
}

// manifests are all files of a folder that have objects of a cluster.
func manifests(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	check(t, err)
	return slices.DeleteFunc(files, func(path string) bool {
		name := filepath.Base(path)
		// These have a part of the composite resource, and no object.
		return strings.HasPrefix(name, "expected") || strings.HasPrefix(name, "environment")
	})
}

// inputs counts the inputs of this function that were validated.
func (v verdict) inputs() int {
	n := 0
	for _, r := range v.Resources {
		if r.APIVersion == "pt.fn.crossplane.io/v1beta1" && r.Kind == "Resources" {
			n++
		}
	}
	return n
}

// What is rendered from an example is valid, whatever renders it.
func TestRenderedIsValid(t *testing.T) {
	s := newSchemas(t)
	for _, e := range examples(t) {
		t.Run(e.String(), func(t *testing.T) {
			var objects []object
			for _, w := range e.renders() {
				for _, r := range []renderer{others()[0], own()} {
					objects = append(objects, r.rendered(t, e, w)...)
				}
			}
			objects = slices.DeleteFunc(objects, func(o object) bool {
				return o["apiVersion"] == "render.crossplane.io/v1beta1" // Results and context.
			})
			text, err := os.ReadFile(writeFile(t, "rendered.yaml", objects...))
			check(t, err)
			if v := s.validate(t, text, extensions(t, e.folder), "-"); v.Summary.Total != len(objects) || v.Summary.Valid != v.Summary.Total {
				t.Errorf("%v", v)
			}
		})
	}
}

// Whoever makes mistakes in the inputs of Compositions is told each of them by
// crossplane resource validate, with its field, and nothing that leads astray.
// Each file of testdata/wrong has the Composition of its name, and begins with
// comments that say what has to be told.
func TestWrongInputsAreFound(t *testing.T) {
	files, err := filepath.Glob("testdata/wrong/*.yaml")
	check(t, err)
	if len(files) < 12 {
		t.Fatalf("wrong inputs: %v", files)
	}
	functions := extensions(t, examples(t)[0].folder)
	v := newSchemas(t).validate(t, nil, functions, "testdata/wrong")
	if n := len(files); v.Summary.Total != 2*n || v.Summary.Invalid != n || v.inputs() != n {
		t.Errorf("want %d Compositions with wrong inputs, got %+v\n%v", n, v.Summary, v)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".yaml")
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(wanted(t, f), v.toldOfInput(name)); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

// wanted are the comments at the begin of a file.
func wanted(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	check(t, err)
	var out []string
	for line := range strings.Lines(string(text)) {
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "# ")
		if !ok {
			break
		}
		out = append(out, comment)
	}
	if len(out) == 0 {
		t.Fatalf("%s: no comment says what has to be found", path)
	}
	return out
}

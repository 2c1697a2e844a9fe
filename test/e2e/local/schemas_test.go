package local

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const crossplaneImage = "crossplane/crossplane:v2.3.4"

// schemas are what there is to validate with.
type schemas struct {
	// cache is a folder with the CRDs of Crossplane and of this function's
	// package, where the CLI would put them when it downloads both.
	cache string
	// composed is a file with CRDs of all that the examples compose.
	composed string
}

func newSchemas(t *testing.T) schemas {
	t.Helper()
	s := schemas{cache: t.TempDir(), composed: openDefinitions(t)}
	s.store(t, crossplaneImage, filepath.Join(bin, "crossplane-crds"))
	s.store(t, packageImage(t), filepath.Join(root, "package", "input"))
	return s
}

// store puts the CRDs of a folder into the cache as those of an image.
func (s schemas) store(t *testing.T, image, folder string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.yaml"))
	check(t, err)
	if len(files) == 0 {
		t.Fatalf("no CRDs in %s", folder)
	}
	var text []byte
	for _, f := range files {
		crd, err := os.ReadFile(f)
		check(t, err)
		text = append(append(text, crd...), "\n---\n"...)
	}
	place := filepath.Join(s.cache, strings.ReplaceAll(image, ":", "@"))
	check(t, os.MkdirAll(place, 0o755))
	check(t, os.WriteFile(filepath.Join(place, "package.yaml"), text, 0o600))
}

// packageImage is that of this function, as the examples name it.
func packageImage(t *testing.T) string {
	t.Helper()
	var image string
	for _, folder := range folders(t) {
		for _, f := range ofThisFunction(t, filepath.Join(folder, "functions.yaml")) {
			if image != "" && image != f.text("spec", "package") {
				t.Errorf("the examples have the packages %s and %s", image, f.text("spec", "package"))
			}
			image = f.text("spec", "package")
		}
	}
	return image
}

// ofThisFunction gives the Function of a file that is this one.
func ofThisFunction(t *testing.T, path string) []object {
	t.Helper()
	return slices.DeleteFunc(readFile(t, path), func(f object) bool {
		return f.text("metadata", "name") != "function-patchwork"
	})
}

// openDefinitions is a file with a CRD for each kind that an example composes,
// and for the inputs of other functions. The real ones are those of providers,
// which are large; these take anything. Definitions of composite resources of
// the examples are in the examples.
func openDefinitions(t *testing.T) string {
	t.Helper()
	kinds, defined := map[string]object{}, map[string]bool{}
	for _, folder := range folders(t) {
		for _, d := range readFile(t, filepath.Join(folder, "definition.yaml")) {
			defined[d.text("spec", "group")+" "+d.text("spec", "names", "kind")] = true
		}
		compositions, err := filepath.Glob(filepath.Join(folder, "composition*.yaml"))
		check(t, err)
		for _, c := range compositions {
			for _, step := range readFile(t, c)[0].objects("spec", "pipeline") {
				if isEnvironment(step) {
					kinds[step.text("input", "kind")] = openDefinition(step.text("input", "apiVersion"), step.text("input", "kind"))
				}
				for _, r := range step.objects("input", "resources") {
					apiVersion, kind := r.text("base", "apiVersion"), r.text("base", "kind")
					if group, _, _ := strings.Cut(apiVersion, "/"); kind != "" && !defined[group+" "+kind] {
						kinds[apiVersion+kind] = openDefinition(apiVersion, kind)
					}
				}
			}
		}
	}
	return writeFile(t, "composed.yaml", slices.Collect(maps.Values(kinds))...)
}

func openDefinition(apiVersion, kind string) object {
	group, version, _ := strings.Cut(apiVersion, "/")
	plural := strings.ToLower(kind) + "s"
	return object{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": object{"name": plural + "." + group},
		"spec": object{
			"group": group, "scope": "Cluster", "names": object{"kind": kind, "plural": plural},
			"versions": []any{object{
				"name": version, "served": true, "storage": true,
				"schema": object{"openAPIV3Schema": object{
					"type": "object", "required": []any{"spec"},
					"properties": object{
						"spec":   object{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
						"status": object{"type": "object", "x-kubernetes-preserve-unknown-fields": true},
					},
				}},
			}},
		},
	}
}

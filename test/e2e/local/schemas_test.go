package local

import (
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
	for _, image := range functionImages(t) {
		s.store(t, image, filepath.Join(root, "package", "input"))
	}
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

// functionImages are the packages of this function that the examples name.
func functionImages(t *testing.T) []string {
	t.Helper()
	var out []string
	for _, e := range examples(t) {
		for _, f := range readFile(t, e.file("functions.yaml")) {
			if image := f.text("spec", "package"); strings.HasPrefix(image, "ghcr.io/function-patchwork/function-patchwork:") {
				out = append(out, image)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// openDefinitions is a file with a CRD for each kind that an example composes.
// The real ones are those of providers, which are large; these know the fields
// that all managed resources have, and take anything else.
func openDefinitions(t *testing.T) string {
	t.Helper()
	kinds := map[string]object{}
	for _, e := range examples(t) {
		for _, step := range readFile(t, e.file("composition.yaml"))[0].objects("spec", "pipeline") {
			for _, r := range step.objects("input", "resources") {
				group, version, ok := strings.Cut(r.text("base", "apiVersion"), "/")
				kind := r.text("base", "kind")
				// XRDs define those that the examples compose of their own.
				if ok && !strings.HasSuffix(group, "example.org") {
					kinds[kind+"."+version+"."+group] = openDefinition(group, version, kind)
				}
			}
		}
	}
	var crds []object
	for _, crd := range kinds {
		crds = append(crds, crd)
	}
	return writeFile(t, "composed.yaml", crds...)
}

func openDefinition(group, version, kind string) object {
	plural := strings.ToLower(kind) + "s"
	open := object{"type": "object", "x-kubernetes-preserve-unknown-fields": true}
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
						"apiVersion": object{"type": "string"}, "kind": object{"type": "string"}, "metadata": object{"type": "object"},
						"spec": object{
							"type": "object", "required": []any{"forProvider"},
							"properties": object{
								"forProvider": open,
								"writeConnectionSecretToRef": object{
									"type": "object", "required": []any{"name"},
									"properties": object{"name": object{"type": "string"}, "namespace": object{"type": "string"}},
								},
							},
						},
						"status": open,
					},
				}},
			}},
		},
	}
}

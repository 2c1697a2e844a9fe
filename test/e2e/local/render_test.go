package local

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Whoever renders an example with a CLI of Crossplane gets what this function
// renders by itself: the composite resource with its status and conditions, the
// composed resources, the results and the context. What differs is told by the
// table of differences, all of which must show.
func TestRenderersAgree(t *testing.T) {
	shown := map[string]bool{}
	for _, e := range examples(t) {
		for name, w := range e.renders() {
			for _, r := range others() {
				t.Run(e.String()+"/"+name+"/"+r.name, func(t *testing.T) {
					theirs, ours := r.rendered(t, e, w), own().rendered(t, e, w)
					theirs, ours = withoutDifferences(r.name, theirs, ours, shown)
					if diff := cmp.Diff(ours, theirs); diff != "" {
						t.Errorf("-function-patchwork render +%s:\n%s", r.name, diff)
					}
				})
			}
		}
	}
	t.Run("all differences show", func(t *testing.T) {
		for _, d := range differences {
			for _, name := range d.of {
				if !shown[name+": "+d.why] {
					t.Errorf("no example shows that %s any more: %s", name, d.why)
				}
			}
		}
	})
}

// Without any flag, too, render prints what Crossplane's CLI does.
func TestBriefOutputAgrees(t *testing.T) {
	crossplane := others()[0]
	for _, e := range examples(t) {
		for name, w := range e.renders() {
			t.Run(e.String()+"/"+name, func(t *testing.T) {
				w.brief = true
				if diff := cmp.Diff(own().rendered(t, e, w), crossplane.rendered(t, e, w)); diff != "" {
					t.Errorf("-function-patchwork render +%s:\n%s", crossplane.name, diff)
				}
			})
		}
	}
}

// What the pipeline is shown by Crossplane itself is what render shows it: an
// example whose resources are replaced by one that has all of the composite
// resource, and whose status has all of what is observed.
func TestFunctionsSeeTheSame(t *testing.T) {
	crossplane := others()[0]
	for _, e := range examples(t) {
		for name, w := range e.renders() {
			t.Run(e.String()+"/"+name, func(t *testing.T) {
				w.composition = mirror(t, w)
				theirs, ours := crossplane.rendered(t, e, w), own().rendered(t, e, w)
				theirs, ours = withoutDifferences(crossplane.name, theirs, ours, map[string]bool{})
				madeUp(theirs)
				madeUp(ours)
				if diff := cmp.Diff(ours, theirs); diff != "" {
					t.Errorf("-function-patchwork render +%s:\n%s", crossplane.name, diff)
				}
			})
		}
	}
}

// mirror is an example's composition with a pipeline that writes down what it
// sees.
func mirror(t *testing.T, w with) string {
	t.Helper()
	seen := object{"name": "seen", "base": object{"apiVersion": "example.org/v1", "kind": "Seen"}, "patches": []any{
		object{"fromFieldPath": "metadata", "toFieldPath": "spec.metadata"},
		object{"fromFieldPath": "spec", "toFieldPath": "spec.spec"},
		object{"fromFieldPath": "status", "toFieldPath": "spec.status"},
	}}
	resources := []any{seen}
	var observed []object
	if w.observed != "" {
		observed = readFile(t, w.observed)
	}
	for _, o := range observed {
		var patches []any
		for _, field := range []string{"metadata", "spec", "status"} {
			patches = append(patches, object{
				"type": "ToCompositeFieldPath", "fromFieldPath": field, "toFieldPath": "status.seen[" + o.resource() + "]." + field,
			})
		}
		resources = append(resources, object{
			"name": o.resource(), "base": object{"apiVersion": o["apiVersion"], "kind": o["kind"]}, "patches": patches,
		})
	}
	composition := readFile(t, w.composition)[0]
	composition.set([]any{object{"step": "mirror", "functionRef": object{"name": "function-patchwork"}, "input": object{
		"apiVersion": "pt.fn.crossplane.io/v1beta1", "kind": "Resources", "resources": resources,
	}}}, "spec", "pipeline")
	return writeFile(t, "composition.yaml", composition)
}

// madeUp takes out what both make up of the composite resource that they show:
// the version that Crossplane's engine counts on, and the time of a condition.
// References come in the order of the file there, in a cluster they are sorted.
func madeUp(printed []object) {
	for _, o := range printed {
		if o.resource() != "seen" {
			continue
		}
		o.drop("spec", "metadata", "resourceVersion")
		for _, c := range o.objects("spec", "status", "conditions") {
			if c.text("type") == "Responsive" && c.text("lastTransitionTime") != "" {
				c["lastTransitionTime"] = "now"
			}
		}
		for _, path := range [][]string{{"spec", "spec", "resourceRefs"}, {"spec", "spec", "crossplane", "resourceRefs"}} {
			refs, _ := o.at(path...).([]any)
			slices.SortFunc(refs, func(a, b any) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		}
	}
}

// A mistake in the input is told alike, whatever renders it.
func TestMistakesAreTold(t *testing.T) {
	const mistake = `resources[0] ("a").patches[0].toFieldPth: unknown field, did you mean "toFieldPath"?`
	e := examples(t)[0]
	w := e.renders()["first"]
	composition := readFile(t, w.composition)[0]
	input := composition.objects("spec", "pipeline")[0]
	object(input["input"].(map[string]any)).set([]any{object{
		"name": "a", "base": object{"apiVersion": "example.org/v1", "kind": "A"},
		"patches": []any{object{"fromFieldPath": "spec.region", "toFieldPth": "spec.region"}},
	}}, "resources")
	w.composition = writeFile(t, "composition.yaml", composition)
	for _, r := range append(others(), own()) {
		t.Run(r.name, func(t *testing.T) {
			stdout, stderr, err := r.render(t, e, w)
			if err == nil || len(bytes.TrimSpace(stdout)) > 0 || !strings.Contains(string(stderr), mistake) {
				t.Errorf("want %s, got %v\n%s%s", mistake, err, stdout, stderr)
			}
		})
	}
}

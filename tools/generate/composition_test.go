package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

func compositionValidator(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(filepath.Join(root, compositionFile))
	check(t, err)
	return s
}

// All objects of the examples are accepted, whatever they are.
func TestCompositionSchemaAcceptsExamples(t *testing.T) {
	s, compositions := compositionValidator(t), 0
	err := filepath.WalkDir(filepath.Join(root, "example"), func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for doc := range strings.SplitSeq(string(text), "\n---\n") {
			var object map[string]any
			check(t, yaml.Unmarshal([]byte(doc), &object))
			if object["kind"] == "Composition" {
				compositions++
			}
			if err := s.Validate(any(object)); object != nil && err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		return nil
	})
	check(t, err)
	if compositions < 5 {
		t.Errorf("only %d Compositions were looked at", compositions)
	}
}

// A Composition with these steps, of which the first has the function's input.
func composition(steps string) string {
	return `{apiVersion: apiextensions.crossplane.io/v1, kind: Composition, metadata: {name: c}, spec: {
		compositeTypeRef: {apiVersion: example.org/v1, kind: X}, mode: Pipeline, pipeline: [` + steps + `]}}`
}

// ours is a step with an input of this function.
func ours(resources string) string {
	return `{step: s, functionRef: {name: function-patchwork}, input: {apiVersion: pt.fn.crossplane.io/v1beta1, kind: Resources, ` + resources + `}}`
}

func TestCompositionSchema(t *testing.T) {
	const base = `resources: [{name: a, base: {apiVersion: v1, kind: K}`
	s := compositionValidator(t)
	for name, c := range map[string]struct {
		in    string
		wrong string // what the finding is about, empty if it is right
	}{
		"Patches":               {in: composition(ours(base + `, patches: [{fromFieldPath: a, transforms: [{type: map, map: {a: 1}}]}]}]`))},
		"OtherFunction":         {in: composition(ours(base+`}]`) + `, {step: o, functionRef: {name: function-auto-ready}}`)},
		"OtherInput":            {in: composition(`{step: o, functionRef: {name: function-go-templating}, input: {apiVersion: x/v1, kind: Y, anything: [1]}}`)},
		"OurInputOfAnotherName": {in: composition(`{step: o, functionRef: {name: mine}, input: {apiVersion: pt.fn.crossplane.io/v1beta1, kind: Resources, resourses: []}}`), wrong: "resourses"},
		"NoComposition":         {in: `{apiVersion: v1, kind: ConfigMap, spec: {pipeline: 5}}`},
		"CompositionOfOthers":   {in: `{apiVersion: other.example.org/v1, kind: Composition, spec: 5}`},
		"MistypedField":         {in: composition(ours(base + `, patches: [{fromFieldPath: a, toFieldPat: b}]}]`)), wrong: "toFieldPat"},
		"UnknownPatch":          {in: composition(ours(base + `, patches: [{type: FromNowhere, fromFieldPath: a}]}]`)), wrong: "/type"},
		"UnknownTransform":      {in: composition(ours(base + `, patches: [{fromFieldPath: a, transforms: [{type: maps, map: {a: 1}}]}]}]`)), wrong: "/transforms/0"},
		"UnknownPolicy":         {in: composition(ours(base + `, patches: [{fromFieldPath: a, policy: {toFieldPath: Whatever}}]}]`)), wrong: "/policy/toFieldPath"},
		"CombineOfNothing":      {in: composition(ours(base + `, patches: [{type: CombineFromComposite, toFieldPath: a, combine: {strategy: array, variables: []}}]}]`)), wrong: "/combine/variables"},
		"DependencyOfNobody":    {in: composition(ours(base + `, dependsOn: [{until: Ready}]}]`)), wrong: "/dependsOn/0"},
		"NoInput":               {in: composition(`{step: s, functionRef: {name: function-patch-and-transform}}`), wrong: "input"},
		"InputOfAnotherKind":    {in: composition(`{step: s, functionRef: {name: function-patchwork}, input: {apiVersion: x/v1, kind: Y}}`), wrong: "/input/apiVersion"},
		"NoStepName":            {in: composition(`{functionRef: {name: function-auto-ready}}`), wrong: "step"},
		"MistypedFunctionRef":   {in: composition(`{step: s, functionref: {name: function-auto-ready}}`), wrong: "functionref"},
		"NoTypeRef":             {in: `{apiVersion: apiextensions.crossplane.io/v1, kind: Composition, metadata: {name: c}, spec: {mode: Pipeline}}`, wrong: "compositeTypeRef"},
		"UnknownMode":           {in: strings.Replace(composition(ours(base+`}]`)), "Pipeline", "Pipelines", 1), wrong: "/spec/mode"},
	} {
		t.Run(name, func(t *testing.T) {
			var doc any
			check(t, yaml.Unmarshal([]byte(c.in), &doc))
			err := s.Validate(doc)
			switch {
			case c.wrong == "" && err != nil:
				t.Error(err)
			case c.wrong != "" && (err == nil || !strings.Contains(err.Error(), c.wrong)):
				t.Errorf("want a finding about %s, got %v", c.wrong, err)
			}
		})
	}
}

// Whoever writes a Composition is told what each of its fields means.
func TestCompositionSchemaDescribesFields(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, compositionFile))
	check(t, err)
	doc := map[string]any{}
	check(t, yaml.Unmarshal(text, &doc))
	for name, definition := range doc["$defs"].(map[string]any) {
		described(t, name, definition.(map[string]any))
	}
}

func described(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	properties, _ := schema["properties"].(map[string]any)
	for name, p := range properties {
		property := p.(map[string]any)
		if d, _ := property["description"].(string); d == "" && !strings.HasSuffix(at, ".base") {
			t.Errorf("%s.%s has no description", at, name)
		}
		exemplary(t, at+"."+name, property)
		described(t, at+"."+name, property)
	}
	if items, ok := schema["items"].(map[string]any); ok {
		described(t, at, items)
	}
}

// An example is what the field itself would accept.
func exemplary(t *testing.T, at string, schema map[string]any) {
	t.Helper()
	examples, _ := schema["examples"].([]any)
	for _, example := range examples {
		c := jsonschema.NewCompiler()
		check(t, c.AddResource("field.json", any(schema)))
		s, err := c.Compile("field.json")
		check(t, err)
		if err := s.Validate(example); err != nil {
			t.Errorf("%s: the example: %v", at, err)
		}
	}
}

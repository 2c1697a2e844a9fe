package input

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

// plain reads YAML as the plain values that the engine works on.
func plain(t testing.TB, text string) any {
	t.Helper()
	var v any
	if err := yaml.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("cannot read YAML: %v", err)
	}
	return v
}

const header = "apiVersion: pt.fn.crossplane.io/v1beta1\nkind: Resources\n"

func TestDecode(t *testing.T) {
	got, errs := Decode(plain(t, header+`
metadata: {name: ignored, anything: 1}
patchSets:
- name: common
  patches:
  - fromFieldPath: metadata.labels
    policy: {fromFieldPath: Required, toFieldPath: MergeObjects}
environment:
  patches:
  - type: ToEnvironmentFieldPath
    fromFieldPath: spec.size
    toFieldPath: null
resources:
- name: bucket
  base: {apiVersion: v1, kind: Bucket, spec: {empty: null, list: [null]}}
  patches:
  - type: PatchSet
    patchSetName: common
  - type: CombineFromComposite
    combine:
      strategy: string
      variables: [{fromFieldPath: a}, {fromFieldPath: b}]
      string: {fmt: "%s-%s"}
    toFieldPath: spec.name
    transforms:
    - {type: map, map: {a: 1, b: null}}
    - {type: match, match: {patterns: [{literal: x, result: [1]}], fallbackTo: Input}}
    - {type: math, math: {multiply: 1.5, add: 2}}
    - {type: string, string: {type: Regexp, regexp: {match: "^a", group: 1.0}}}
    - {type: convert, convert: {toType: int64, format: quantity}}
  connectionDetails:
  - {name: port, type: FromValue, value: "5432"}
  readinessChecks:
  - {type: MatchInteger, fieldPath: status.n, matchInteger: 0}
  - {type: MatchCondition, matchCondition: {type: Synced}}
writeConnectionSecretToRef:
  name: creds
  patches: []
`))
	if lines := Describe(errs); len(lines) > 0 {
		t.Fatalf("unexpected problems:\n%s", strings.Join(lines, "\n"))
	}
	want := &v1beta1.Resources{
		PatchSets: []v1beta1.PatchSet{{Name: "common", Patches: []v1beta1.Patch{{PatchFields: v1beta1.PatchFields{
			FromFieldPath: new("metadata.labels"),
			Policy:        &v1beta1.PatchPolicy{FromFieldPath: "Required", ToFieldPath: "MergeObjects"},
		}}}}},
		Environment: &v1beta1.Environment{Patches: []v1beta1.EnvironmentPatch{{
			Type: "ToEnvironmentFieldPath", PatchFields: v1beta1.PatchFields{FromFieldPath: new("spec.size")},
		}}},
		Resources:                  []v1beta1.ComposedTemplate{wantBucket()},
		WriteConnectionSecretToRef: &v1beta1.WriteConnectionSecretToRef{Name: new("creds"), Patches: []v1beta1.ConnectionSecretPatch{}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("decoded (-want +got):\n%s", d)
	}
}

func wantBucket() v1beta1.ComposedTemplate {
	return v1beta1.ComposedTemplate{
		Name: "bucket",
		Base: map[string]any{"apiVersion": "v1", "kind": "Bucket", "spec": map[string]any{"empty": nil, "list": []any{nil}}},
		Patches: []v1beta1.Patch{
			{Type: v1beta1.PatchTypePatchSet, PatchSetName: new("common")},
			{Type: v1beta1.PatchTypeCombineFromComposite, PatchFields: v1beta1.PatchFields{
				Combine: &v1beta1.Combine{
					Strategy:  v1beta1.CombineStrategyString,
					Variables: []v1beta1.CombineVariable{{FromFieldPath: new("a")}, {FromFieldPath: new("b")}},
					String:    &v1beta1.StringCombine{Format: "%s-%s"},
				},
				ToFieldPath: new("spec.name"),
				Transforms:  wantTransforms(),
			}},
		},
		ConnectionDetails: []v1beta1.ConnectionDetail{{Name: "port", Type: "FromValue", Value: new("5432")}},
		ReadinessChecks: []v1beta1.ReadinessCheck{
			{Type: "MatchInteger", FieldPath: new("status.n"), MatchInteger: new(int64(0))},
			{Type: "MatchCondition", MatchCondition: &v1beta1.MatchCondition{Type: "Synced"}},
		},
	}
}

func wantTransforms() []v1beta1.Transform {
	return []v1beta1.Transform{
		{Type: "map", Map: map[string]any{"a": float64(1), "b": nil}},
		{Type: "match", Match: &v1beta1.MatchTransform{
			Patterns:   []v1beta1.MatchPattern{{Literal: new("x"), Result: []any{float64(1)}}},
			FallbackTo: v1beta1.MatchFallbackInput,
		}},
		{Type: "math", Math: &v1beta1.MathTransform{Multiply: new(1.5), Add: new(2.0)}},
		{Type: "string", String: &v1beta1.StringTransform{
			Type: "Regexp", Regexp: &v1beta1.StringRegexp{Match: "^a", Group: new(int64(1))},
		}},
		{Type: "convert", Convert: &v1beta1.ConvertTransform{ToType: "int64", Format: "quantity"}},
	}
}

func TestDecodeProblems(t *testing.T) {
	cases := map[string]struct {
		in   string
		want []string
	}{
		"Empty": {
			in:   header,
			want: []string{},
		},
		"NoObject": {
			in:   `[1]`,
			want: []string{`input: must be an object, got the array [1]`},
		},
		"Null": {
			in:   `null`,
			want: []string{`input: must be an object, got null`},
		},
		"NoHeader": {
			in: `resources: []`,
			want: []string{
				`apiVersion: is missing, must be "pt.fn.crossplane.io/v1beta1"`,
				`kind: is missing, must be "Resources"`,
			},
		},
		"WrongHeader": {
			in: "apiVersion: v1\nkind: 5\n",
			want: []string{
				`apiVersion: must be "pt.fn.crossplane.io/v1beta1", got "v1"`,
				`kind: must be "Resources", got 5`,
			},
		},
		"MistypedFields": {
			in: header + `
patchsets: []
resources:
- name: bucket
  patches:
  - {}
  - {toFieldPat: a, form: b}
  - patchSetName: x
    transforms:
    - type: string
      string: {FMT: a, regexp: {groupe: 1}}
`,
			want: []string{
				`patchsets: unknown field, did you mean "patchSets"?`,
				`resources[0] ("bucket").patches[1].form: unknown field, known here are type, condition, fromFieldPath, fromFieldPaths, resource, connectionDetail, contextKey, required, value, default, combine, toFieldPath, ` +
					`transforms, policy, patchSetName`,
				`resources[0] ("bucket").patches[1].toFieldPat: unknown field, did you mean "toFieldPath"?`,
				`resources[0] ("bucket").patches[2].transforms[0].string.FMT: unknown field, did you mean "fmt"?`,
				`resources[0] ("bucket").patches[2].transforms[0].string.regexp.groupe: unknown field, did you mean "group"?`,
			},
		},
		"FieldsOfOtherPlaces": {
			in: header + `
resources:
- name: a
  apiVersion: v1
environment:
  patches:
  - {patchSetName: other}
`,
			want: []string{
				`environment.patches[0].patchSetName: unknown field, known here are type, condition, fromFieldPath, fromFieldPaths, resource, connectionDetail, contextKey, required, value, default, combine, ` +
					`toFieldPath, transforms, policy`,
				`resources[0] ("a").apiVersion: unknown field, known here are name, condition, forEach, dependsOn, selector, ifMissing, base, patches, connectionDetails, readinessChecks`,
			},
		},
		"WrongTypes": {
			in: header + `
environment: [1]
patchSets: {a: b}
resources:
- name: 5
  base: text
  patches: null
  readinessChecks:
  - {type: true, matchInteger: 1.5, fieldPath: [a]}
  - {matchInteger: "1"}
- name: b
  patches:
  - transforms:
    - {map: [], math: {multiply: "2"}, match: {patterns: [{literal: 1}], fallbackTo: {a: 1}}}
`,
			want: []string{
				`environment: must be an object, got the array [1]`,
				`patchSets: must be an array, got the object {"a":"b"}`,
				`resources[0].base: must be an object, got the string "text"`,
				`resources[0].name: must be a string, got the number 5`,
				`resources[0].readinessChecks[0].fieldPath: must be a string, got the array ["a"]`,
				`resources[0].readinessChecks[0].matchInteger: must be an integer, got the number 1.5`,
				`resources[0].readinessChecks[0].type: must be a string, got true`,
				`resources[0].readinessChecks[1].matchInteger: must be an integer, got the string "1"`,
				`resources[1] ("b").patches[0].transforms[0].map: must be an object, got the array []`,
				`resources[1] ("b").patches[0].transforms[0].match.fallbackTo: must be a string, got the object {"a":1}`,
				`resources[1] ("b").patches[0].transforms[0].match.patterns[0].literal: must be a string, got the number 1`,
				`resources[1] ("b").patches[0].transforms[0].math.multiply: must be a number, got the string "2"`,
			},
		},
		"NullEntries": {
			in: header + `
resources:
- null
- name: a
  patches: [null, {combine: {variables: [null]}}]
  readinessChecks: [null, text]
patchSets: [null]
`,
			want: []string{
				`patchSets[0]: must be an object, got null`,
				`resources[0]: must be an object, got null`,
				`resources[1] ("a").patches[0]: must be an object, got null`,
				`resources[1] ("a").patches[1].combine.variables[0]: must be an object, got null`,
				`resources[1] ("a").readinessChecks[0]: must be an object, got null`,
				`resources[1] ("a").readinessChecks[1]: must be an object, got the string "text"`,
			},
		},
		"NullsAreAbsent": {
			in: header + `
patchSets: null
environment: null
resources:
- {name: null, base: null, patches: [{type: null, fromFieldPath: null, policy: null, transforms: [{map: null, math: {add: null}}]}]}
`,
			want: []string{},
		},
		"UnreadableNames": {
			in: header + `
"a b\nc": 1
resources:
- name: "x\ny"
  ` + strings.Repeat("k", 100) + `: 1
`,
			want: []string{
				`"a b\nc": unknown field, known here are condition, requiredResources, allowSecretSources, patchSets, environment, resources, writeConnectionSecretToRef, statusConditions, ready, responseTTL`,
				`resources[0] ("x\ny")."` + strings.Repeat("k", 59) + `…: unknown field, known here are name, condition, forEach, dependsOn, selector, ifMissing, base, patches, ` +
					`connectionDetails, readinessChecks`,
			},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, errs := Decode(plain(t, c.in))
			if d := cmp.Diff(c.want, Describe(errs)); d != "" {
				t.Errorf("problems (-want +got):\n%s", d)
			}
		})
	}
}

func TestDecodeNumbers(t *testing.T) {
	math := func(v any) map[string]any {
		return map[string]any{"math": map[string]any{"add": v}}
	}
	check := func(v any) map[string]any {
		return map[string]any{"apiVersion": v1beta1.APIVersion, "kind": v1beta1.Kind, "resources": []any{map[string]any{
			"readinessChecks": []any{map[string]any{"matchInteger": v}},
			"patches":         []any{map[string]any{"transforms": []any{math(v)}}},
		}}}
	}
	r, errs := Decode(check(int64(1) << 60))
	if len(errs) > 0 {
		t.Fatalf("unexpected problems: %v", Describe(errs))
	}
	if got := *r.Resources[0].ReadinessChecks[0].MatchInteger; got != 1<<60 {
		t.Errorf("matchInteger is %d", got)
	}
	if got := *r.Resources[0].Patches[0].Transforms[0].Math.Add; got != 1<<60 {
		t.Errorf("math.add is %g", got)
	}
	_, errs = Decode(check(float64(1 << 63)))
	want := []string{`resources[0].readinessChecks[0].matchInteger: must be an integer, got the number 9.223372036854776e+18`}
	if d := cmp.Diff(want, Describe(errs)); d != "" {
		t.Errorf("problems (-want +got):\n%s", d)
	}
}

func TestDecodeManyProblems(t *testing.T) {
	items := make([]any, 5000)
	_, errs := Decode(map[string]any{"apiVersion": v1beta1.APIVersion, "kind": v1beta1.Kind, "resources": items})
	if len(errs) != maxProblems+1 {
		t.Errorf("%d problems are kept", len(errs))
	}
	lines := Describe(errs)
	if got, want := lines[len(lines)-1], "and 4900 more"; got != want {
		t.Errorf("the last line is %q, want %q", got, want)
	}
}

func TestDecodeDepth(t *testing.T) {
	nested := func(levels int) any {
		v := any("x")
		for range levels {
			v = map[string]any{"a": []any{v}}
		}
		return map[string]any{"apiVersion": v1beta1.APIVersion, "kind": v1beta1.Kind, "resources": []any{
			map[string]any{"name": "deep", "base": map[string]any{"spec": v}},
		}}
	}
	if _, errs := Decode(nested(499)); len(errs) > 0 {
		t.Errorf("998 levels: unexpected problems: %v", Describe(errs))
	}
	_, errs := Decode(nested(100_000))
	want := []string{`resources[0] ("deep").base: is nested too deeply, at most 1000 levels are accepted`}
	if d := cmp.Diff(want, Describe(errs)); d != "" {
		t.Errorf("problems (-want +got):\n%s", d)
	}
}

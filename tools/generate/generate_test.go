package main

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structural "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/listtype"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"sigs.k8s.io/yaml"
)

const root = "../.."

// schemas are those that are generated, as what reads them understands them.
type schemas struct {
	definition *apiextensions.CustomResourceDefinition
	structural *structural.Structural
	json       *jsonschema.Schema
}

func read(t *testing.T) schemas {
	t.Helper()
	crd, s := &apiext.CustomResourceDefinition{}, schemas{definition: &apiextensions.CustomResourceDefinition{}}
	text, err := os.ReadFile(filepath.Join(root, crdFile))
	check(t, err)
	check(t, yaml.UnmarshalStrict(text, crd))
	apiext.SetDefaults_CustomResourceDefinition(crd)
	apiext.SetDefaults_CustomResourceDefinitionSpec(&crd.Spec)
	check(t, apiext.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(crd, s.definition, nil))
	s.definition.Status.StoredVersions = []string{version}
	s.structural, err = structural.NewStructural(s.definition.Spec.Validation.OpenAPIV3Schema)
	check(t, err)
	s.json, err = jsonschema.NewCompiler().Compile(filepath.Join(root, schemaFile))
	check(t, err)
	return s
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// kubernetes validates an input as the API server validates an object.
func (s schemas) kubernetes(t *testing.T, doc map[string]any) field.ErrorList {
	t.Helper()
	doc = runtime.DeepCopyJSON(doc)
	defaulting.Default(doc, s.structural)
	v, _, err := validation.NewSchemaValidator(s.definition.Spec.Validation.OpenAPIV3Schema)
	check(t, err)
	errs := validation.ValidateCustomResource(nil, doc, v)
	errs = append(errs, objectmeta.Validate(t.Context(), nil, doc, s.structural, false)...)
	errs = append(errs, listtype.ValidateListSetsAndMaps(nil, s.structural, doc)...)
	rules, _ := cel.NewValidator(s.structural, true, celconfig.PerCallLimit).
		Validate(context.Background(), nil, s.structural, doc, nil, celconfig.RuntimeCELCostBudget)
	return append(errs, rules...)
}

// The API server accepts the definition: its schema is structural, and its CEL
// rules do not cost too much. Crossplane installs it with the package.
func TestDefinitionIsAccepted(t *testing.T) {
	for _, err := range crdvalidation.ValidateCustomResourceDefinition(t.Context(), read(t).definition) {
		t.Error(err)
	}
}

func TestSchemas(t *testing.T) {
	cases := map[string]struct {
		in    string
		wrong bool
	}{
		"Resource":               {in: `resources: [{name: a, base: {apiVersion: v1, kind: K, spec: {any: [1, null]}}}]`},
		"NoBase":                 {in: `resources: [{name: a}]`},
		"BaseWithoutKind":        {in: `resources: [{name: a, base: {apiVersion: v1}}]`, wrong: true},
		"NoName":                 {in: `resources: [{base: {apiVersion: v1, kind: K}}]`, wrong: true},
		"EnvironmentOnly":        {in: `environment: {patches: [{fromFieldPath: a}]}`},
		"DefaultType":            {in: patch(`fromFieldPath: a`)},
		"DefaultTypeWithoutPath": {in: patch(`toFieldPath: a`), wrong: true},
		"DefaultTypeCombines":    {in: patch(`toFieldPath: a, combine: {strategy: string, variables: [{fromFieldPath: a}], string: {fmt: x}}`), wrong: true},
		"Combine": {in: patch(`type: CombineToComposite, toFieldPath: a,
			combine: {strategy: string, variables: [{fromFieldPath: a}], string: {fmt: x}}`)},
		"CombineWithoutTarget":     {in: patch(`type: CombineToComposite, combine: {strategy: string, variables: [{fromFieldPath: a}], string: {fmt: x}}`), wrong: true},
		"CombineOfNothing":         {in: patch(`type: CombineToComposite, toFieldPath: a, combine: {strategy: string, variables: [], string: {fmt: x}}`), wrong: true},
		"CombineUnknown":           {in: patch(`type: CombineToComposite, toFieldPath: a, combine: {strategy: sum, variables: [{fromFieldPath: a}]}`), wrong: true},
		"PatchSet":                 {in: patch(`type: PatchSet, patchSetName: a`)},
		"PatchSetWithoutName":      {in: patch(`type: PatchSet`), wrong: true},
		"PatchSetInPatchSet":       {in: patch(`fromFieldPath: a`) + "\npatchSets: [{name: a, patches: [{type: PatchSet, patchSetName: b}]}]"},
		"PatchSetInPatchSetNoName": {in: patch(`fromFieldPath: a`) + "\npatchSets: [{name: a, patches: [{type: PatchSet, fromFieldPath: a}]}]", wrong: true},
		"ResponseTTL":              {in: patch(`fromFieldPath: a`) + "\nresponseTTL: 1h30m"},
		"WrongResponseTTL":         {in: patch(`fromFieldPath: a`) + "\nresponseTTL: 10 minutes", wrong: true},
		"PatchSetInEnvironment":    {in: `environment: {patches: [{type: PatchSet, fromFieldPath: a}]}`, wrong: true},
		"UnknownPatch":             {in: patch(`type: FromNowhere, fromFieldPath: a`), wrong: true},
		"Policy":                   {in: patch(`fromFieldPath: a, policy: {fromFieldPath: Required, toFieldPath: AppendArray}`)},
		"UnknownPolicy":            {in: patch(`fromFieldPath: a, policy: {toFieldPath: Whatever}`), wrong: true},
		"ConnectionSecret":         {in: patch(`fromFieldPath: a`) + "\nwriteConnectionSecretToRef: {patches: [{fromFieldPath: a, toFieldPath: name}]}"},
		"ConnectionSecretToOthers": {in: patch(`fromFieldPath: a`) + "\nwriteConnectionSecretToRef: {patches: [{type: ToCompositeFieldPath, fromFieldPath: a}]}", wrong: true},
		"Map":                      {in: transform(`type: map, map: {a: 1, b: null, c: {d: []}}`)},
		"MapOfNothing":             {in: transform(`type: map, map: {}`), wrong: true},
		"TransformWithoutConfig":   {in: transform(`type: map, string: {fmt: a}`), wrong: true},
		"TransformWithoutType":     {in: transform(`string: {fmt: a}`), wrong: true},
		"Match":                    {in: transform(`type: match, match: {patterns: [{literal: a, result: 1}, {type: regexp, regexp: a, result: {b: 1}}], fallbackValue: []}`)},
		"MatchWithoutLiteral":      {in: transform(`type: match, match: {patterns: [{regexp: a}]}`), wrong: true},
		"Math":                     {in: transform(`type: math, math: {multiply: 1.5}`)},
		"MathWithoutOperand":       {in: transform(`type: math, math: {type: Divide, multiply: 2}`), wrong: true},
		"Format":                   {in: transform(`type: string, string: {fmt: a}`)},
		"FormatWithoutFormat":      {in: transform(`type: string, string: {trim: a}`), wrong: true},
		"Truncate":                 {in: transform(`type: string, string: {type: Truncate, truncate: {length: 63}}`)},
		"TruncateToNothing":        {in: transform(`type: string, string: {type: Truncate, truncate: {length: 0}}`), wrong: true},
		"NegativeGroup":            {in: transform(`type: string, string: {type: Regexp, regexp: {match: a, group: -1}}`), wrong: true},
		"Convert":                  {in: transform(`type: convert, convert: {toType: int, format: quantity}`)},
		"ConvertToUnknown":         {in: transform(`type: convert, convert: {toType: integer}`), wrong: true},
		"Readiness": {in: `resources: [{name: a, readinessChecks: [{type: None}, {type: MatchCondition}, {type: NonEmpty, fieldPath: a},
			{type: MatchInteger, fieldPath: a, matchInteger: 0}]}]`},
		"ReadinessWithoutPath":  {in: `resources: [{name: a, readinessChecks: [{type: MatchTrue}]}]`, wrong: true},
		"ReadinessWithoutValue": {in: `resources: [{name: a, readinessChecks: [{type: MatchString, fieldPath: a}]}]`, wrong: true},
		"Details": {in: `resources: [{name: a, connectionDetails: [{name: a, type: FromValue, value: ""},
			{name: b, type: FromFieldPath, fromFieldPath: a}]}]`},
		"DetailWithoutType":   {in: `resources: [{name: a, connectionDetails: [{name: a, value: b}]}]`, wrong: true},
		"DetailWithoutSource": {in: `resources: [{name: a, connectionDetails: [{name: a, type: FromValue, fromFieldPath: b}]}]`, wrong: true},
		"Conditions": {in: "condition: a\npatchSets: [{name: a, condition: a, patches: []}]\n" +
			`resources: [{name: a, condition: a, patches: [{condition: a, fromFieldPath: a}]}]`},
		"EmptyCondition":           {in: `resources: [{name: a, condition: ""}]`, wrong: true},
		"ConditionThatIsNoText":    {in: `resources: [{name: a, condition: true}]`, wrong: true},
		"FromComposed":             {in: patch(`type: FromComposedFieldPath, resource: b, fromFieldPath: a`)},
		"FromComposedDetail":       {in: patch(`type: FromComposedFieldPath, resource: b, connectionDetail: a, toFieldPath: a`)},
		"FromComposedWithoutName":  {in: patch(`type: FromComposedFieldPath, fromFieldPath: a`), wrong: true},
		"FromComposedWithoutPath":  {in: patch(`type: FromComposedFieldPath, resource: b, toFieldPath: a`), wrong: true},
		"FromContext":              {in: patch(`type: FromContextFieldPath, contextKey: b, toFieldPath: a`)},
		"FromContextWithoutKey":    {in: patch(`type: FromContextFieldPath, fromFieldPath: a`), wrong: true},
		"ToContext":                {in: patch(`type: ToContextFieldPath, contextKey: b, fromFieldPath: a`)},
		"ToContextWithoutPath":     {in: patch(`type: ToContextFieldPath, contextKey: b, toFieldPath: a`), wrong: true},
		"FromRequired":             {in: patch(`type: FromRequiredFieldPath, required: b, fromFieldPath: a`)},
		"FromRequiredWithoutName":  {in: patch(`type: FromRequiredFieldPath, fromFieldPath: a`), wrong: true},
		"FromItem":                 {in: patch(`type: FromItemFieldPath, toFieldPath: a`)},
		"FromItemInEnvironment":    {in: `environment: {patches: [{type: FromItemFieldPath, toFieldPath: a}]}`, wrong: true},
		"FromValue":                {in: patch(`type: FromValue, value: [1, {a: b}], toFieldPath: a`)},
		"FromValueFalse":           {in: patch(`type: FromValue, value: false, toFieldPath: a`)},
		"FromValueWithoutValue":    {in: patch(`type: FromValue, toFieldPath: a`), wrong: true},
		"FromValueWithoutTarget":   {in: patch(`type: FromValue, value: 1`), wrong: true},
		"RemoveField":              {in: patch(`type: RemoveField, toFieldPath: a`)},
		"RemoveFieldWithoutTarget": {in: patch(`type: RemoveField, fromFieldPath: a`), wrong: true},
		"RemoveFieldOfReference":   {in: patch(`fromFieldPath: a`) + "\nwriteConnectionSecretToRef: {patches: [{type: RemoveField, toFieldPath: name}]}", wrong: true},
		"ReferenceFromComposed":    {in: patch(`fromFieldPath: a`) + "\nwriteConnectionSecretToRef: {patches: [{type: FromComposedFieldPath, resource: b, fromFieldPath: a, toFieldPath: name}]}"},
		"EnvironmentSources":       {in: `environment: {patches: [{type: FromRequiredFieldPath, required: a, toFieldPath: a}, {type: RemoveField, toFieldPath: a}]}`},
		"Paths":                    {in: patch(`fromFieldPaths: [a, b], default: {any: [1, null]}, policy: {whenMissing: KeepObserved}`)},
		"NoPaths":                  {in: patch(`fromFieldPaths: []`), wrong: true},
		"UnknownWhenMissing":       {in: patch(`fromFieldPath: a, policy: {whenMissing: Keep}`), wrong: true},
		"CombineSources": {in: patch(`type: CombineFromComposite, toFieldPath: a, combine: {strategy: object, variables: [
			{key: a, fromFieldPath: a, transforms: [{type: string, string: {fmt: a}}]}, {key: b, source: Composite, fromFieldPath: a}, {key: c, source: Environment, fromFieldPath: a},
			{key: d, source: Composed, resource: a, fromFieldPath: a}, {key: e, source: Composed, resource: a, connectionDetail: a}, {key: f, source: Context, contextKey: a},
			{key: g, source: Required, required: a}, {key: h, source: Item}, {key: i, source: Value, value: false}]}`)},
		"CombineArray":             {in: patch(`type: CombineFromComposite, toFieldPath: a, combine: {strategy: array, variables: [{fromFieldPath: a}]}`)},
		"CombineStringNoFormat":    {in: patch(`type: CombineFromComposite, toFieldPath: a, combine: {strategy: string, variables: [{fromFieldPath: a}]}`), wrong: true},
		"UnknownSource":            {in: combined(`source: Nowhere, fromFieldPath: a`), wrong: true},
		"CompositeWithoutPath":     {in: combined(`source: Composite`), wrong: true},
		"ContextWithoutKey":        {in: combined(`source: Context, fromFieldPath: a`), wrong: true},
		"RequiredWithoutName":      {in: combined(`source: Required, fromFieldPath: a`), wrong: true},
		"ValueWithoutValue":        {in: combined(`source: Value`), wrong: true},
		"ForEach":                  {in: `resources: [{name: a, forEach: {fromFieldPath: a, key: b, policy: {fromFieldPath: Required}}}]`},
		"ForEachOfRequired":        {in: `resources: [{name: a, forEach: {source: Required, required: a, key: metadata.name}}]`},
		"ForEachOfValue":           {in: `resources: [{name: a, forEach: {source: Value, value: [a, b]}}]`},
		"ForEachOfNothing":         {in: `resources: [{name: a, forEach: {key: a}}]`, wrong: true},
		"ForEachUnknownPolicy":     {in: `resources: [{name: a, forEach: {fromFieldPath: a, policy: {fromFieldPath: Always}}}]`, wrong: true},
		"DependsOn":                {in: `resources: [{name: a, dependsOn: [b, {resource: c, until: Exists}]}]`},
		"Selector":                 {in: `resources: [{selector: {apiVersion: v1, kind: K, names: "a-*", matchLabels: {a: b}}, ifMissing: Skip}]`},
		"EmptySelector":            {in: `resources: [{selector: {}}]`, wrong: true},
		"UnknownIfMissing":         {in: `resources: [{name: a, ifMissing: Ignore}]`, wrong: true},
		"Required":                 {in: required(`apiVersion: v1, kind: K, namespace: a, matchName: {fromFieldPath: a, default: b}, policy: Required`)},
		"RequiredByLabels":         {in: required(`apiVersion: v1, kind: {fromFieldPath: a}, matchLabels: {a: b, c: {fromFieldPath: d}}`)},
		"RequiredByNeither":        {in: required(`apiVersion: v1, kind: K`), wrong: true},
		"RequiredWithoutKind":      {in: required(`apiVersion: v1, matchName: a`), wrong: true},
		"RequiredUnknownPolicy":    {in: required(`apiVersion: v1, kind: K, matchName: a, policy: Always`), wrong: true},
		"AllowSecretSources":       {in: patch(`fromFieldPath: a`) + "\nallowSecretSources: true"},
		"AllowSecretSourcesAsText": {in: patch(`fromFieldPath: a`) + "\nallowSecretSources: \"yes\"", wrong: true},
		"MatchExpression":          {in: `resources: [{name: a, readinessChecks: [{type: MatchExpression, matchExpression: a}, {type: Healthy}]}]`},
		"MatchExpressionWithout":   {in: `resources: [{name: a, readinessChecks: [{type: MatchExpression}]}]`, wrong: true},
		"StatusCondition":          {in: status(`type: A, status: a, reason: B`)},
		"StatusConditionWhole":     {in: status(`type: A, status: a, reason: B, target: CompositeAndClaim, condition: a, message: "%s", variables: [{source: Composed, resource: a, fromFieldPath: a}]`)},
		"StatusConditionNoType":    {in: status(`status: a, reason: B`), wrong: true},
		"StatusConditionNoStatus":  {in: status(`type: A, reason: B`), wrong: true},
		"StatusConditionNoReason":  {in: status(`type: A, status: a`), wrong: true},
		"StatusConditionSentence":  {in: status(`type: A, status: a, reason: it is there`), wrong: true},
		"StatusConditionOfClaim":   {in: status(`type: A, status: a, reason: B, target: Claim`), wrong: true},
		"Ready":                    {in: patch(`fromFieldPath: a`) + "\nready: a"},
		"ReadyThatIsNoText":        {in: patch(`fromFieldPath: a`) + "\nready: true", wrong: true},
	}
	s := read(t)
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			doc := map[string]any{}
			check(t, yaml.Unmarshal([]byte("apiVersion: "+group+"/"+version+"\nkind: "+kind+"\n"+c.in), &doc))
			if errs := s.kubernetes(t, doc); (len(errs) > 0) != c.wrong {
				t.Errorf("the definition finds %d problems: %v", len(errs), errs)
			}
			if err := s.json.Validate(doc); (err != nil) != c.wrong {
				t.Errorf("the JSON Schema finds: %v", err)
			}
		})
	}
}

// What Kubernetes says of a mistake is what the mistake is, and nothing about
// types that were not meant.
func TestDefinitionTellsWhatIsMissing(t *testing.T) {
	s := read(t)
	for in, want := range map[string]string{
		`resources: [{name: a, base: {apiVersion: v1, kind: ""}}]`: `resources[0].base.kind`,
		`resources: []`: `resources`,
		patch(`type: CombineFromComposite, combine: {strategy: string, variables: [{fromFieldPath: a}], string: {fmt: x}}`): `resources[0].patches[0].toFieldPath`,
		patch(`type: Nowhere, fromFieldPath: a`):                          `resources[0].patches[0].type`,
		patch(`toFieldPath: a`):                                           `resources[0].patches[0].fromFieldPath`,
		transform(`string: {fmt: a}`):                                     `resources[0].patches[0].transforms[0].type`,
		transform(`type: math, math: {type: Divide, multiply: 2}`):        `resources[0].patches[0].transforms[0].math.divide`,
		`resources: [{name: a, readinessChecks: [{type: MatchInteger}]}]`: `resources[0].readinessChecks[0].fieldPath, resources[0].readinessChecks[0].matchInteger`,
	} {
		doc := map[string]any{}
		check(t, yaml.Unmarshal([]byte("apiVersion: "+group+"/"+version+"\nkind: "+kind+"\n"+in), &doc))
		var got []string
		for _, err := range s.kubernetes(t, doc) {
			if !strings.Contains(err.Detail, "must validate a") && !slices.Contains(got, err.Field) { // Which schemas hold says nothing.
				got = append(got, err.Field)
			}
		}
		if strings.Join(got, ", ") != want {
			t.Errorf("%s\nwant it to tell of %s\ngot  %v", in, want, got)
		}
	}
}

func patch(fields string) string {
	return "resources: [{name: a, patches: [{" + fields + "}]}]"
}

func combined(variable string) string {
	return patch("type: CombineFromComposite, toFieldPath: a, combine: {strategy: array, variables: [{" + variable + "}]}")
}

func required(fields string) string {
	return "resources: [{name: a}]\nrequiredResources: [{name: a, " + fields + "}]"
}

func status(fields string) string {
	return "resources: [{name: a}]\nstatusConditions: [{" + fields + "}]"
}

func transform(fields string) string {
	return patch("fromFieldPath: a, transforms: [{" + fields + "}]")
}

// What only one of the schemas can state.
func TestSchemasDiffer(t *testing.T) {
	s := read(t)
	header := "apiVersion: " + group + "/" + version + "\nkind: " + kind + "\n"
	for name, in := range map[string]string{
		"nothing to do":  "resources: []",
		"twice the name": "resources: [{name: a}]\nrequiredResources: [{name: a, apiVersion: v1, kind: K, matchName: a}, {name: a, apiVersion: v1, kind: K, matchName: a}]",
		"twice the set":  "resources: [{name: a}]\npatchSets: [{name: a, patches: []}, {name: a, patches: []}]",
	} {
		doc := map[string]any{}
		check(t, yaml.Unmarshal([]byte(header+in), &doc))
		if errs := s.kubernetes(t, doc); len(errs) != 1 {
			t.Errorf("%s: the definition finds %v", name, errs)
		}
	}
	// An API server does not look into what may be a string or an object.
	for name, in := range map[string]string{
		"unknown field":       "resources: [{name: a, patchez: []}]",
		"nothing to wait for": `resources: [{name: a, dependsOn: [{until: Ready}]}]`,
		"unknown state":       `resources: [{name: a, dependsOn: [{resource: c, until: Healthy}]}]`,
		"text without a path": required(`apiVersion: v1, kind: K, matchName: {default: a}`),
		"text of a number":    required(`apiVersion: v1, kind: K, matchName: 7`),
	} {
		doc := map[string]any{}
		check(t, yaml.Unmarshal([]byte(header+in), &doc))
		if s.json.Validate(doc) == nil {
			t.Errorf("%s: the JSON Schema finds nothing", name)
		}
	}
}

// The input of a worked case that compiles is accepted by both schemas.
func TestSchemasAcceptWorkedCases(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "fn/testdata/cases/*/*.yaml"))
	check(t, err)
	if len(files) == 0 {
		t.Fatal("no worked cases")
	}
	s := read(t)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(t, err)
		in, out, _ := strings.Cut(string(text), "\n---\n")
		c := struct{ Input map[string]any }{}
		check(t, yaml.Unmarshal([]byte(in), &c))
		if c.Input == nil || strings.Contains(out, "invalid input") {
			continue
		}
		c.Input["apiVersion"], c.Input["kind"] = group+"/"+version, kind
		name := strings.TrimPrefix(file, filepath.Join(root, "fn/testdata/cases")+"/")
		if name == "paths/item-object.yaml" {
			continue // Its annotations are no real ones.
		}
		if errs := s.kubernetes(t, c.Input); len(errs) > 0 {
			t.Errorf("%s: the definition finds: %v", name, errs)
		}
		if err := s.json.Validate(c.Input); err != nil {
			t.Errorf("%s: the JSON Schema finds: %v", name, err)
		}
	}
}

// An input that is recorded to work is accepted by both schemas.
func TestSchemasAcceptWhatWorks(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(root, "fn/testdata/conformance/*.yaml"))
	check(t, err)
	if len(files) == 0 {
		t.Fatal("no recorded cases")
	}
	s := read(t)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			check(t, err)
			var c struct {
				Request  struct{ Input map[string]any }
				Response struct{ Results []struct{ Severity string } }
			}
			check(t, yaml.Unmarshal(text, &c))
			if len(c.Response.Results) > 0 {
				return // The input may be what is wrong.
			}
			if errs := s.kubernetes(t, c.Request.Input); len(errs) > 0 {
				t.Errorf("the definition finds: %v", errs)
			}
			if err := s.json.Validate(c.Request.Input); err != nil {
				t.Errorf("the JSON Schema finds: %v", err)
			}
		})
	}
}

// Every constant of an enum is accepted somewhere.
func TestEnumsAreWhole(t *testing.T) {
	accepted := map[string]bool{"": true, group + "/" + version: true, kind: true}
	doc := map[string]any{}
	text, err := os.ReadFile(filepath.Join(root, schemaFile))
	check(t, err)
	check(t, json.Unmarshal(text, &doc))
	collect(doc, accepted)
	files, err := filepath.Glob(filepath.Join(root, "input", version, "*.go"))
	check(t, err)
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		check(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if !ok || len(spec.Values) == 0 {
				return true
			}
			lit := spec.Values[0].(*ast.BasicLit)
			if value, err := strconv.Unquote(lit.Value); err != nil || !accepted[value] {
				t.Errorf("%s: no enum has %s", spec.Names[0], lit.Value)
			}
			return true
		})
	}
}

// collect collects the values of all enums of a JSON Schema.
func collect(v any, into map[string]bool) {
	switch t := v.(type) {
	case map[string]any:
		values, _ := t["enum"].([]any)
		for _, v := range values {
			if s, ok := v.(string); ok {
				into[s] = true
			}
		}
		for _, below := range t {
			collect(below, into)
		}
	case []any:
		for _, below := range t {
			collect(below, into)
		}
	}
}

package fn

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/expression"
	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// Compile compiles an input, given as a plain value, to a program. The errors are
// all that there are, each with its place in the input; input.Describe writes
// them for people. The input must not be changed any more.
func Compile(in any) (*Program, field.ErrorList) {
	doc, errs := input.Decode(in)
	if doc == nil {
		return nil, errs
	}
	known := patch.Known{AllowSecretSources: doc.AllowSecretSources != nil && *doc.AllowSecretSources}
	for _, r := range doc.RequiredResources {
		known.Required = append(known.Required, r.Name)
	}
	c := compiler{
		errs: errs, patch: patch.NewCompiler(known), freezer: proto.NewFreezer(),
		expressions: make(map[expressionKey]*expression.Expression),
	}
	c.program.allowSecretSources = known.AllowSecretSources
	c.compile(doc)
	c.errs = append(c.errs, c.patch.Errors...)
	c.program.Notices = append(c.program.Notices, c.patch.Notices...)
	c.program.sharedReads = c.patch.SharedReads()
	if len(c.errs) > 0 {
		inDocumentOrder(c.errs)
		return nil, c.errs
	}
	slices.SortStableFunc(c.program.Notices, func(a, b Notice) int { return byPlace(a.Place, b.Place) })
	return &c.program, nil
}

type compiler struct {
	program Program
	patch   *patch.Compiler
	freezer *proto.Freezer
	errs    field.ErrorList

	expressions map[expressionKey]*expression.Expression
	// inLoop says that what is compiled is of a resource that has forEach.
	inLoop bool
}

func (c *compiler) compile(in *v1beta1.Resources) {
	c.program.condition = c.condition(field.NewPath("condition"), in.Condition, expression.Scope{})
	c.requiredResources(in.RequiredResources)
	c.patch.AddSets(in.PatchSets)
	if in.Environment != nil {
		at := field.NewPath("environment", "patches")
		c.program.environment = c.patch.Patches(at, v1beta1.Patches(in.Environment.Patches), patch.InEnvironment)
	}
	if len(in.Resources) == 0 && len(c.program.environment) == 0 {
		c.required(field.NewPath("resources"), "there is nothing to do; give resources, or patches of the environment")
	}
	c.program.names = make(map[string]int, len(in.Resources))
	for i := range in.Resources {
		c.name(i, in.Resources[i])
		c.program.resources = append(c.program.resources, c.template(i, in.Resources[i]))
	}
	c.cycles()
	if ref := in.WriteConnectionSecretToRef; ref != nil {
		c.secret(ref)
	}
	if in.ResponseTTL != nil {
		c.ttl(field.NewPath("responseTTL"), *in.ResponseTTL)
	}
	c.statusConditions(in.StatusConditions)
	c.program.ready = c.condition(field.NewPath("ready"), in.Ready, expression.Scope{})
	c.patchConditions()
	c.holding()
	c.secretSources()
}

func (c *compiler) ttl(at *field.Path, text string) {
	ttl, err := time.ParseDuration(text)
	if err != nil || ttl <= 0 {
		c.fail(field.Invalid(at, text, ""), "must be a duration greater than zero, such as 30s, 10m or 1h30m, got "+fieldpath.Preview(text))
		return
	}
	c.program.ttl = ttl
}

func (c *compiler) name(i int, in v1beta1.ComposedTemplate) {
	at := input.ListItem(nil, "resources", i, in.Name)
	switch {
	case in.Name == "" && in.Selector == nil:
		c.required(at.Child("name"), "a resource needs a name, which tells it from the others and ties it to what exists")
	case in.Selector == nil:
		c.unique(at.Child("name"), i, in.Name)
	case in.Name != "":
		c.fail(field.Invalid(at.Child("selector"), "", ""), "a resource has a name or a selector, not both")
	}
}

func (c *compiler) unique(at *field.Path, i int, name string) {
	if other, ok := c.program.names[name]; ok {
		c.fail(field.Duplicate(at, name), fmt.Sprintf("resources[%d] has the name %q too; names must be unique", other, name))
		return
	}
	c.program.names[name] = i
}

func (c *compiler) template(i int, in v1beta1.ComposedTemplate) template {
	at := input.ListItem(nil, "resources", i, in.Name)
	t := template{at: at.String(), name: in.Name, decides: len(in.ReadinessChecks) > 0}
	c.inLoop = in.ForEach != nil
	scope := patch.InResource
	if c.inLoop {
		scope = patch.InForEach
		t.loop = c.loop(at.Child("forEach"), *in.ForEach)
	}
	t.condition = c.condition(at.Child("condition"), in.Condition, expression.Scope{Loop: c.inLoop})
	t.dependsOn = c.dependencies(at.Child("dependsOn"), in.DependsOn)
	if in.Base != nil {
		t.base = c.base(at.Child("base"), in.Base)
	}
	if in.Selector != nil {
		t.selector = c.selector(at, in)
	}
	t.skipsMissing = c.ifMissing(at.Child("ifMissing"), in)
	t.patches = c.patch.Patches(at.Child("patches"), in.Patches, scope)
	t.details = c.details(at.Child("connectionDetails"), in.ConnectionDetails)
	t.checks = c.checks(at.Child("readinessChecks"), in.ReadinessChecks)
	c.inLoop = false
	return t
}

func (c *compiler) base(at *field.Path, base map[string]any) *fieldpath.Frozen {
	for _, name := range []string{"apiVersion", "kind"} {
		if s, ok := base[name].(string); !ok || s == "" {
			c.required(at.Child(name), fmt.Sprintf("a base needs the %s of the resource, a string that is not empty", name))
		}
	}
	if metadata, ok := base["metadata"]; ok {
		if _, ok := metadata.(map[string]any); !ok {
			c.fail(field.TypeInvalid(at.Child("metadata"), metadata, ""), "must be an object, got "+fieldpath.Preview(metadata))
		}
	}
	if _, ok := base["status"]; ok {
		c.notice(Notice{
			Place: at.Child("status").String(),
			Text:  "has no effect: the status of a composed resource is written by its controller, not by Crossplane",
		})
		base = maps.Clone(base)
		delete(base, "status")
	}
	frozen, err := c.freezer.Freeze(base)
	if err != nil {
		c.fail(field.Invalid(at, "", ""), err.Error())
	}
	return frozen
}

func (c *compiler) secret(in *v1beta1.WriteConnectionSecretToRef) {
	at := field.NewPath("writeConnectionSecretToRef", "patches")
	c.program.secret = secretReference{
		name: text(in.Name), namespace: text(in.Namespace),
		patches: c.patch.Patches(at, v1beta1.Patches(in.Patches), patch.InSecretReference),
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (c *compiler) path(at *field.Path, value *string, purpose string) fieldpath.Path {
	if value == nil || *value == "" {
		c.required(at, purpose)
		return fieldpath.Path{}
	}
	p, err := fieldpath.Parse(*value)
	if err != nil {
		c.fail(field.Invalid(at, *value, ""), err.Error())
	}
	return p
}

func (c *compiler) required(at *field.Path, detail string) {
	c.errs = append(c.errs, field.Required(at, detail))
}

func (c *compiler) fail(e *field.Error, detail string) {
	e.Detail = detail
	c.errs = append(c.errs, e)
}

func (c *compiler) notice(notices ...Notice) {
	c.program.Notices = append(c.program.Notices, notices...)
}

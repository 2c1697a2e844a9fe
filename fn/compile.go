package fn

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

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
	c := compiler{errs: errs, patch: patch.NewCompiler(), freezer: proto.NewFreezer()}
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
}

func (c *compiler) compile(in *v1beta1.Resources) {
	c.patch.AddSets(in.PatchSets)
	if in.Environment != nil {
		at := field.NewPath("environment", "patches")
		c.program.environment = c.patch.Patches(at, v1beta1.Patches(in.Environment.Patches), patch.InEnvironment)
	}
	if len(in.Resources) == 0 && len(c.program.environment) == 0 {
		c.required(field.NewPath("resources"), "there is nothing to do; give resources, or patches of the environment")
	}
	seen := make(map[string]int, len(in.Resources))
	for i := range in.Resources {
		c.name(i, in.Resources[i].Name, seen)
		c.program.resources = append(c.program.resources, c.template(i, in.Resources[i]))
	}
	if ref := in.WriteConnectionSecretToRef; ref != nil {
		c.secret(ref)
	}
	if in.ResponseTTL != nil {
		c.ttl(field.NewPath("responseTTL"), *in.ResponseTTL)
	}
}

func (c *compiler) ttl(at *field.Path, text string) {
	ttl, err := time.ParseDuration(text)
	if err != nil || ttl <= 0 {
		c.fail(field.Invalid(at, text, ""), "must be a duration greater than zero, such as 30s, 10m or 1h30m, got "+fieldpath.Preview(text))
		return
	}
	c.program.ttl = ttl
}

func (c *compiler) name(i int, name string, seen map[string]int) {
	at := input.ListItem(nil, "resources", i, name).Child("name")
	if name == "" {
		c.required(at, "a resource needs a name, which tells it from the others and ties it to what exists")
		return
	}
	if other, ok := seen[name]; ok {
		c.fail(field.Duplicate(at, name), fmt.Sprintf("resources[%d] has the name %q too; names must be unique", other, name))
		return
	}
	seen[name] = i
}

func (c *compiler) template(i int, in v1beta1.ComposedTemplate) template {
	at := input.ListItem(nil, "resources", i, in.Name)
	t := template{at: at.String(), name: in.Name, decides: len(in.ReadinessChecks) > 0}
	if in.Base != nil {
		t.base = c.base(at.Child("base"), in.Base)
	}
	t.patches = c.patch.Patches(at.Child("patches"), in.Patches, patch.InResource)
	t.details = c.details(at.Child("connectionDetails"), in.ConnectionDetails)
	t.checks = c.checks(at.Child("readinessChecks"), in.ReadinessChecks)
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

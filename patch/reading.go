package patch

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// reading is what the input says of a source.
type reading struct {
	v1beta1.SourceFields

	document Document
	what     string // reads, for people
	named    bool   // the document is named as a source
	path     *string
	paths    []string
}

// read compiles a source.
func (c *compiler) read(at *field.Path, in reading) *Source {
	s := &Source{At: at.String(), From: in.document, field: "fromFieldPath", value: in.Value}
	switch s.From {
	case Constant:
		if in.Value == nil {
			c.required(at.Child("value"), in.what+" needs a value")
		}
		return s
	case Other:
		s.Name = c.otherResource(at, in)
		s.Detail = text(in.ConnectionDetail)
	case Context:
		s.Name = c.contextKey(at, in.SourceFields, in.what)
	case Required:
		s.Name = c.requiredResource(at.Child("required"), in)
	case Item:
		c.onlyInLoop(at, "reads the item")
	case Composed:
		s.New = in.named || c.patch.To == Context
	}
	c.secrets(at, s)
	if s.Detail != "" {
		s.field = "connectionDetail"
		c.unusedByDetail(at, in)
		return s
	}
	c.fieldsOf(at, in, s)
	return s
}

// fieldsOf compiles the paths of a source.
func (c *compiler) fieldsOf(at *field.Path, in reading, s *Source) {
	switch {
	case in.path != nil && in.paths != nil:
		c.invalid(at.Child("fromFieldPaths"), strings.Join(in.paths, ", "), "give fromFieldPath or fromFieldPaths, not both")
	case in.path != nil:
		s.paths = []*fieldpath.Path{c.path(at.Child("fromFieldPath"), *in.path)}
	case len(in.paths) > 0:
		s.field = "fromFieldPaths"
		for i, p := range in.paths {
			s.paths = append(s.paths, c.path(at.Child(s.field).Index(i), p))
		}
	case !mayBeWhole(s.From):
		c.required(at.Child("fromFieldPath"), in.what+" needs the path of the field to read")
	}
	s.paths = slices.DeleteFunc(s.paths, func(p *fieldpath.Path) bool { return p.IsZero() }) // Malformed ones, which were told.
	for _, p := range s.paths {
		s.bound = s.bound || p.HasPlaceholder()
	}
}

func mayBeWhole(d Document) bool {
	for _, t := range sourceTypes {
		if t.document == d {
			return t.whole
		}
	}
	return false
}

func (c *compiler) otherResource(at *field.Path, in reading) string {
	name := text(in.Resource)
	if name == "" {
		c.required(at.Child("resource"), in.what+" needs the name of the composed resource to read")
	}
	return name
}

func (c *compiler) contextKey(at *field.Path, in v1beta1.SourceFields, what string) string {
	key := text(in.ContextKey)
	if key == "" {
		c.required(at.Child("contextKey"), what+" needs a key of the pipeline's context")
	}
	return key
}

func (c *compiler) requiredResource(at *field.Path, in reading) string {
	name := text(in.Required)
	if name == "" {
		c.required(at, in.what+" needs the name of a required resource")
		return name
	}
	c.CheckRequired(at, name)
	return name
}

// CheckRequired checks that there is a required resource of a name.
func (c *Compiler) CheckRequired(at *field.Path, name string) {
	if slices.Contains(c.known.Required, name) {
		return
	}
	e := field.NotFound(at, name)
	e.Detail = fmt.Sprintf("there is no required resource named %q%s", name, others(name, "requiredResources", c.known.Required))
	c.Errors = append(c.Errors, e)
}

// others tells which names there are, or which was probably meant.
func others(name, list string, there []string) string {
	if hint := input.DidYouMean(name, there); hint != "" {
		return ", " + hint
	}
	there = slices.DeleteFunc(slices.Clone(there), func(s string) bool { return s == "" })
	if len(there) == 0 {
		return "; the input has no " + list
	}
	return "; there are " + strings.Join(slices.Compact(there), ", ")
}

// onlyInLoop says that what is compiled makes sense only in a resource with
// forEach.
func (c *compiler) onlyInLoop(at *field.Path, why string) {
	if c.scope == InPatchSet || c.scope == InForEach {
		c.patch.inLoop = why
		return
	}
	c.invalid(at, "", why+", but only a resource with forEach has one")
}

// secrets checks that a source which is known to be secret may be read.
func (c *compiler) secrets(at *field.Path, s *Source) {
	if s.Detail != "" && !c.known.AllowSecretSources {
		c.Errors = append(c.Errors, field.Forbidden(at.Child("connectionDetail"),
			"reads a connection detail, which may be secret; the input must say allowSecretSources: true"))
	}
}

// variable compiles the source of a variable: what it names, or what the patch
// reads.
func (c *compiler) variable(at *field.Path, in v1beta1.CombineVariable) *Source {
	r := reading{document: c.patch.From, what: "a variable", path: in.FromFieldPath, SourceFields: in.SourceFields}
	if in.Source != "" {
		c.named(at, in.Source, &r)
	}
	c.unusedBySource(at, r)
	return c.read(at, r)
}

// named sets the document that a source names.
func (c *compiler) named(at *field.Path, name v1beta1.SourceName, r *reading) {
	t, ok := find(sourceTypes, func(t SourceType) v1beta1.SourceName { return t.Name }, name)
	if !ok {
		c.unsupported(at.Child("source"), "source", string(name), names(sourceTypes, func(t SourceType) string { return string(t.Name) }))
		return
	}
	r.document, r.named = t.document, true
	r.what = fmt.Sprintf("the source %s", t.Name)
	switch {
	case t.document != Composed:
	case r.Resource != nil || r.ConnectionDetail != nil:
		r.document = Other
	case c.scope == InEnvironment || c.scope == InSecretReference || c.scope == InStatus:
		c.required(at.Child("resource"), "the source Composed needs the name of the composed resource to read; there is none that is patched here")
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

package fn

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// loop compiles a loop.
func (c *compiler) loop(at *field.Path, in v1beta1.ForEach) *loop {
	l := &loop{at: at.String(), source: c.patch.ForEach(at, in)}
	if in.Key != nil {
		p := c.path(at.Child("key"), in.Key, "a key is the path of a field in the element")
		l.key = &p
	}
	switch {
	case in.Policy != nil:
		l.required = c.isRequired(at.Child("policy", "fromFieldPath"), in.Policy.FromFieldPath)
	case c.comesAndGoes(l.source):
		c.notice(Notice{
			Place: at.String(),
			Text: "deletes all that it made while what it reads is missing; say policy.fromFieldPath: Required to keep them, " +
				"or Optional if that is meant",
		})
	}
	return l
}

// comesAndGoes tells whether a source may be missing though nobody means it to be.
func (c *compiler) comesAndGoes(s *patch.Source) bool {
	byLabels := func(q requirement) bool { return q.name == s.Name && q.matchLabels != nil }
	return s.From == patch.Other || s.From == patch.Required && !slices.ContainsFunc(c.program.required, byLabels)
}

// isRequired tells whether a policy is Required.
func (c *compiler) isRequired(at *field.Path, p v1beta1.FromFieldPathPolicy) bool {
	valid := []string{string(v1beta1.FromFieldPathPolicyOptional), string(v1beta1.FromFieldPathPolicyRequired)}
	if p != "" && !slices.Contains(valid, string(p)) {
		c.errs = append(c.errs, input.Unsupported(at, "policy", string(p), valid))
	}
	return p == v1beta1.FromFieldPathPolicyRequired
}

// dependencies compiles what a resource waits for.
func (c *compiler) dependencies(at *field.Path, in []v1beta1.Dependency) []dependency {
	valid := []string{string(v1beta1.DependencyReady), string(v1beta1.DependencyExists)}
	var out []dependency
	for i, d := range in {
		at := at.Index(i)
		if d.Resource == "" {
			c.required(at.Child("resource"), "a dependency needs the name of a resource")
		}
		if d.Until == "" {
			d.Until = v1beta1.DependencyReady
		}
		if !slices.Contains(valid, string(d.Until)) {
			c.errs = append(c.errs, input.Unsupported(at.Child("until"), "state", string(d.Until), valid))
		}
		out = append(out, dependency{at: at.String(), resource: d.Resource, until: d.Until})
	}
	return out
}

// cycles finds resources that wait for each other.
func (c *compiler) cycles() {
	const visiting, visited = 1, 2
	state := make([]int, len(c.program.resources))
	var way []string
	var visit func(i int)
	visit = func(i int) {
		t := &c.program.resources[i]
		state[i] = visiting
		way = append(way, t.name)
		for _, d := range t.waitsFor() {
			n := c.dependedOn(d.resource)
			switch {
			case n < 0 || state[n] == visited:
			case state[n] == visiting:
				c.waitInCircle(d.at, way[slices.Index(way, c.program.resources[n].name):])
			default:
				visit(n)
			}
		}
		way = way[:len(way)-1]
		state[i] = visited
	}
	for i := range state {
		if state[i] == 0 {
			visit(i)
		}
	}
}

// waitsFor returns what a new resource waits for in any case: what it depends on,
// and the resources that its required patches read. One without a base is made by
// an earlier step, whatever its patches wait for.
func (t *template) waitsFor() []dependency {
	out := slices.Clone(t.dependsOn)
	if t.base == nil {
		return out
	}
	for _, p := range t.patches {
		if !p.Required || p.Defaults || p.Condition >= 0 || p.To != patch.Composed {
			continue
		}
		for _, s := range p.Sources() {
			if name := t.awaits(s); name != "" {
				out = append(out, dependency{at: p.At + ".policy.fromFieldPath", resource: name})
			}
		}
	}
	return out
}

// awaits returns the resource that a required source waits for: nothing if it is
// none, or another element's of the same loop.
func (t *template) awaits(s *patch.Source) string {
	own := t.loop != nil && s.Name == member(t.name, patch.KeyPlaceholder)
	switch {
	case s.From == patch.Composed || s.From == patch.Other && own:
		return t.name
	case s.From != patch.Other || t.loop != nil && strings.HasPrefix(s.Name, member(t.name, "")):
		return ""
	}
	return s.Name
}

// waitInCircle tells of resources that wait for each other, or of one that waits
// for itself.
func (c *compiler) waitInCircle(at string, names []string) {
	detail := fmt.Sprintf("%q waits for itself, so that it would never be created", names[0])
	if len(names) > 1 {
		detail = "the resources wait for each other: " + strings.Join(append(slices.Clone(names), names[0]), " -> ")
	}
	c.errs = append(c.errs, &field.Error{Type: field.ErrorTypeInvalid, Field: at, Detail: detail})
}

// dependedOn returns the index of the template that makes a resource, -1 if none
// does as far as is known.
func (c *compiler) dependedOn(name string) int {
	if i, ok := c.program.names[name]; ok {
		return i
	}
	for i := range c.program.resources {
		if t := &c.program.resources[i]; t.loop != nil && strings.HasPrefix(name, member(t.name, "")) {
			return i
		}
	}
	return -1
}

// selector compiles a selector.
func (c *compiler) selector(at *field.Path, in v1beta1.ComposedTemplate) *selector {
	if in.Base != nil {
		c.fail(field.Invalid(at.Child("base"), "", ""), "a resource with a selector has no base: it is one that an earlier step desires")
	}
	if in.ForEach != nil {
		c.fail(field.Invalid(at.Child("forEach"), "", ""), "a resource has forEach or a selector, not both")
	}
	at = at.Child("selector")
	s := &selector{
		at: at.String(), apiVersion: text(in.Selector.APIVersion), kind: text(in.Selector.Kind),
		labels: in.Selector.MatchLabels, names: text(in.Selector.Names),
	}
	if s.apiVersion == "" && s.kind == "" && s.names == "" && len(s.labels) == 0 {
		c.required(at, "a selector needs an apiVersion, a kind, matchLabels or names; names: \"*\" selects all")
	}
	if _, err := path.Match(s.names, ""); err != nil {
		c.fail(field.Invalid(at.Child("names"), s.names, ""), fmt.Sprintf("is no pattern of names: %s", fieldpath.Preview(s.names)))
	}
	return s
}

// ifMissing tells whether a template is left out when its resource is missing.
func (c *compiler) ifMissing(at *field.Path, in v1beta1.ComposedTemplate) bool {
	valid := []string{string(v1beta1.IfMissingFail), string(v1beta1.IfMissingSkip)}
	switch {
	case in.IfMissing == "":
		return false
	case !slices.Contains(valid, string(in.IfMissing)):
		c.errs = append(c.errs, input.Unsupported(at, "policy", string(in.IfMissing), valid))
	case in.Base != nil:
		c.notice(Notice{Place: at.String(), Text: "has no effect: a resource with a base is never missing"})
	case in.Selector != nil:
		c.notice(Notice{Place: at.String(), Text: "has no effect: a selector that matches nothing is nothing to do"})
	}
	return in.IfMissing == v1beta1.IfMissingSkip
}

package fn

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// secretSources finds what reads data of Secrets that the input does not allow to
// be read, where the input itself tells that they are Secrets. The others are
// found when they are read.
func (c *compiler) secretSources() {
	if c.program.allowSecretSources {
		return
	}
	told := make(map[string]bool)
	check := func(own *template, sources []*patch.Source) {
		for _, s := range sources {
			what, secret := c.readsSecret(own, s)
			if !secret || told[s.Place()] {
				continue
			}
			told[s.Place()] = true
			c.errs = append(c.errs, &field.Error{Type: field.ErrorTypeForbidden, Field: s.Place(), Detail: readsData(what)})
		}
	}
	var patches func(own *template, all []*patch.Patch)
	patches = func(own *template, all []*patch.Patch) {
		for _, p := range all {
			check(own, p.Sources())
			patches(own, p.Set)
		}
	}
	patches(nil, c.program.environment)
	patches(nil, c.program.secret.patches)
	for i := range c.program.resources {
		t := &c.program.resources[i]
		if t.loop != nil {
			check(nil, []*patch.Source{t.loop.source})
		}
		patches(t, t.patches)
	}
	for _, s := range c.program.status {
		check(nil, s.message.Sources())
	}
}

// readsSecret tells whether a source is known to read data of a Secret, and of
// which one. Own is the resource that is patched, if there is one.
func (c *compiler) readsSecret(own *template, s *patch.Source) (what string, secret bool) {
	switch s.From {
	case patch.Composed:
		if own == nil || !s.New {
			return "", false
		}
		return composedNamed(own.name), own.makesSecret() && s.ReadsData(false)
	case patch.Other:
		t := c.program.template(s.Name)
		return composedNamed(s.Name), t != nil && t.makesSecret() && s.ReadsData(false)
	case patch.Required:
		for _, r := range c.program.required {
			if r.name == s.Name {
				return requiredNamed(s.Name), r.kind.path == nil && r.kind.text == secretKind && s.ReadsData(r.matchLabels != nil)
			}
		}
	}
	return "", false
}

// makesSecret tells whether the base of a template is a Secret.
func (t *template) makesSecret() bool {
	if t.base == nil {
		return false
	}
	kind, _, err := fieldpath.Value{Any: t.base.Value}.Get(kindPath)
	return err == nil && kind == secretKind
}

// readsData says what is wrong with a source that reads data of a Secret.
func readsData(what string) string {
	return fmt.Sprintf("reads the data of a Secret, which %s is; the input must say allowSecretSources: true", what)
}

func composedNamed(name string) string { return fmt.Sprintf("the composed resource %q", name) }

func requiredNamed(name string) string { return fmt.Sprintf("the required resource %q", name) }

package fn

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

// requiredResources compiles the required resources.
func (c *compiler) requiredResources(in []v1beta1.RequiredResource) {
	seen := make(map[string]int, len(in))
	for i, r := range in {
		at := input.ListItem(nil, "requiredResources", i, r.Name)
		if r.Name == "" {
			c.required(at.Child("name"), "a required resource needs a name, by which it is read")
		} else if other, ok := seen[r.Name]; ok {
			c.fail(field.Duplicate(at.Child("name"), r.Name), fmt.Sprintf("requiredResources[%d] has the name %q too; names must be unique", other, r.Name))
		}
		seen[r.Name] = i
		c.program.required = append(c.program.required, c.requirement(at, r))
	}
}

func (c *compiler) requirement(at *field.Path, in v1beta1.RequiredResource) requirement {
	out := requirement{
		at: at.String(), name: in.Name,
		apiVersion: c.text(at.Child("apiVersion"), &in.APIVersion),
		kind:       c.text(at.Child("kind"), &in.Kind),
		namespace:  c.text(at.Child("namespace"), in.Namespace),
		matchName:  c.text(at.Child("matchName"), in.MatchName),
		required:   c.isRequired(at.Child("policy"), in.Policy),
	}
	switch {
	case in.MatchName != nil && in.MatchLabels != nil:
		c.fail(field.Invalid(at.Child("matchLabels"), "", ""), "give matchName or matchLabels, not both")
	case in.MatchName == nil && len(in.MatchLabels) == 0:
		c.required(at.Child("matchName"), "say which resource by matchName, or which ones by matchLabels")
	}
	if in.MatchLabels != nil {
		out.matchLabels = make(map[string]templateText, len(in.MatchLabels))
	}
	for label, t := range in.MatchLabels {
		out.matchLabels[label] = c.text(at.Child("matchLabels").Key(label), &t)
	}
	return out
}

// text compiles a text, which may be nil.
func (c *compiler) text(at *field.Path, in *v1beta1.Text) templateText {
	if in == nil {
		return templateText{}
	}
	out := templateText{at: at.String(), given: true}
	switch {
	case in.Fixed != nil:
		if out.text = *in.Fixed; out.text == "" {
			c.required(at, "must not be empty")
		}
		return out
	case in.FromFieldPath == nil && in.Default == nil:
		c.required(at, "is needed: a string, or the fromFieldPath of a field of the composite resource")
		return out
	}
	p := c.path(at.Child("fromFieldPath"), in.FromFieldPath, "needs the path of the field of the composite resource")
	out.path = &p
	out.text, out.fallback = text(in.Default), in.Default != nil
	return out
}

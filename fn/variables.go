package fn

import (
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/function-patchwork/function-patchwork/expression"
	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// condition is a compiled CEL expression with its place in the input.
type condition struct {
	*expression.Expression

	at string
}

// holds tells whether a condition holds. What cannot be worked out is an error,
// never false: that might delete something.
func (s *scene) holds(c condition) (bool, error) {
	s.secret = false
	ok, err := c.Bool(s, s.budget)
	return ok, s.placed(c, err)
}

// applies tells whether the condition of a patch holds, if it has one. An error
// names the place of the patch, as the condition may be that of a patch set.
func (s *scene) applies(p *patch.Patch) (bool, error) {
	if p.Condition < 0 {
		return true, nil
	}
	c := s.program.conditions[p.Condition]
	s.secret = false
	ok, err := c.Bool(s, s.budget)
	if err != nil {
		c.at = p.At + ".condition"
	}
	return ok, s.placed(c, err)
}

// placed puts the place of an expression before its error.
func (s *scene) placed(c condition, err error) error {
	if err == nil {
		return nil
	}
	if s.secret {
		patch.HideValues(err)
	}
	return &fieldpath.PlacedError{Place: c.at + ": ", Err: err}
}

// Variable returns the value of a variable of an expression.
func (s *scene) Variable(name string) (any, error) {
	switch name {
	case "xr":
		return s.observedXR.View(), nil
	case "composed":
		return composedObject{s}, nil
	case "environment":
		return s.whole(&s.environment)
	case "context":
		return contextObject{s}, nil
	case "required":
		return requiredObject{s}, nil
	case "observed":
		return stateObject{s, s.request.Observed()}, nil
	case "desired":
		return stateObject{s, s.request.Desired()}, nil
	case "item":
		s.secret = s.secret || s.element.Secret
		return s.element.Item, nil
	case "key":
		return s.element.Key, nil
	case "index":
		return int64(s.element.Index), nil
	case "self":
		s.secret = s.secret || s.isSecret
		return s.observed.Object().View(), nil
	}
	return nil, fmt.Errorf("there is no variable %s", name)
}

// whole returns a document as the value of a variable: a view on what came, or a
// copy of what was written.
func (s *scene) whole(d *document) (any, error) {
	s.secret = s.secret || d.secret
	switch {
	case d.draft != nil:
		v, _, err := d.draft.Get(fieldpath.Path{})
		return v, err
	case d.view != nil:
		return d.view.View(), nil
	}
	return map[string]any{}, nil
}

// composedObject has the observed composed resources by name.
type composedObject struct{ *scene }

// Field returns a composed resource.
func (o composedObject) Field(name string) (any, bool, error) {
	r, ok := o.request.Observed().Resource(name)
	if !ok {
		return nil, false, nil
	}
	return o.object(r), true, nil
}

// Keys returns their names.
func (o composedObject) Keys() ([]string, error) { return o.request.Observed().Names(), nil }

// object returns a resource, and notes whether it is a Secret.
func (s *scene) object(r *proto.Resource) expression.Object {
	if secret, err := isSecret(r); err != nil || secret {
		s.secret = true
	}
	return r.Object().View()
}

// contextObject has the context, as it has been written so far.
type contextObject struct{ *scene }

// Field returns what the context has at a key.
func (o contextObject) Field(key string) (any, bool, error) {
	d, known := o.contexts[key]
	if key == environmentKey {
		d, known = &o.environment, true
	}
	if known && d.draft != nil {
		v, err := o.whole(d)
		return v, true, err
	}
	return o.request.ContextView().Field(key)
}

// Keys returns the keys of the context.
func (o contextObject) Keys() ([]string, error) {
	keys := slices.Clone(o.request.ContextKeys())
	for key, d := range o.contexts {
		if d.draft != nil {
			keys = append(keys, key)
		}
	}
	if o.environment.draft != nil {
		keys = append(keys, environmentKey)
	}
	slices.Sort(keys)
	return slices.Compact(keys), nil
}

// requiredObject has the required resources that were found, by name.
type requiredObject struct{ *scene }

// Field returns a required resource, or the array of them.
func (o requiredObject) Field(name string) (any, bool, error) {
	f, ok := o.found[name]
	if !ok || f.absent != "" {
		return nil, false, nil
	}
	if !f.many {
		return o.object(f.objects[0]), true, nil
	}
	for _, r := range f.objects {
		o.object(r)
	}
	reader, err := f.reader()
	if err != nil {
		return nil, false, err
	}
	return reader.Get(fieldpath.Path{})
}

// Keys returns the names of those that were found.
func (o requiredObject) Keys() ([]string, error) {
	var names []string
	for name, f := range o.found {
		if f.absent == "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// stateObject has the observed or desired state as the request has it.
type stateObject struct {
	*scene

	state *proto.State
}

// Field returns the composite resource, or the composed resources.
func (o stateObject) Field(name string) (any, bool, error) {
	switch name {
	case "composite":
		return resourceObject{o.scene, o.state.Composite()}, true, nil
	case "resources":
		return resourcesObject(o), true, nil
	}
	return nil, false, nil
}

// Keys returns the fields of a state.
func (stateObject) Keys() ([]string, error) { return []string{"composite", "resources"}, nil }

// resourcesObject has the composed resources of a state by name.
type resourcesObject stateObject

// Field returns a composed resource with what is kept beside it.
func (o resourcesObject) Field(name string) (any, bool, error) {
	r, ok := o.state.Resource(name)
	if !ok {
		return nil, false, nil
	}
	return resourceObject{o.scene, r}, true, nil
}

// Keys returns their names.
func (o resourcesObject) Keys() ([]string, error) { return o.state.Names(), nil }

// resourceObject has a resource and what is kept beside it.
type resourceObject struct {
	*scene

	resource *proto.Resource
}

// Field returns the resource, its connection details or its readiness, by the
// names that they have in JSON or in protobuf.
func (o resourceObject) Field(name string) (any, bool, error) {
	switch name {
	case "resource":
		return o.object(o.resource), true, nil
	case "connectionDetails", "connection_details":
		o.secret = true
		details := map[string]any{}
		for k, v := range o.resource.ConnectionDetails() {
			details[k] = base64.StdEncoding.EncodeToString(v)
		}
		return details, true, nil
	case "ready":
		return [...]string{"READY_UNSPECIFIED", "READY_TRUE", "READY_FALSE"}[o.resource.Ready()%3], true, nil
	}
	return nil, false, nil
}

// Keys returns the fields of a resource.
func (resourceObject) Keys() ([]string, error) {
	return []string{"connectionDetails", "ready", "resource"}, nil
}

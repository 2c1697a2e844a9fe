package fn

import (
	"fmt"

	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// composed is a composed resource while its template is run.
type composed struct {
	*template
	observed *proto.Resource // nil if it does not exist yet
	earlier  *proto.Resource // what an earlier function desires, nil if the template has a base
	desired  document
	isSecret bool
}

// resource runs the template of one resource and adds the resource to the
// desired state, unless it is new and held back.
func (r *run) resource(t *template) error {
	c, err := r.start(t)
	if err != nil {
		return err
	}
	ready := proto.ReadyUnspecified
	if c.observed != nil {
		r.connectionDetails(t, c.observed)
		ready = r.readiness(c)
	}
	added, err := r.patch(c)
	if err != nil {
		return err
	}
	if !added {
		r.response.CompositeReady = proto.ReadyFalse
		return nil
	}
	if err := c.check(); err != nil {
		return err
	}
	r.response.Resources[t.name] = &proto.Desired{Object: c.desired.draft, Ready: decide(c, ready), Earlier: c.earlier}
	return nil
}

// check checks that the patches left an object that Crossplane can handle.
func (c *composed) check() error {
	for _, f := range []struct{ key, kind string }{{"apiVersion", "string"}, {"kind", "string"}, {"metadata", "object"}} {
		if got := c.desired.draft.FieldKind(f.key); got != "" && got != f.kind {
			return fmt.Errorf("%s: its patches leave a %s in %s, which must be of kind %s", c.at, got, f.key, f.kind)
		}
	}
	return nil
}

// decide returns the readiness to give a resource: unspecified keeps what an
// earlier function gave it.
func decide(c *composed, ready proto.Ready) proto.Ready {
	if c.earlier == nil || ready == proto.ReadyTrue {
		return ready
	}
	if c.decides {
		return proto.ReadyFalse
	}
	return proto.ReadyUnspecified
}

func (r *run) start(t *template) (*composed, error) {
	c := &composed{template: t, desired: document{budget: r.budget, memory: r.memory}}
	c.observed, _ = r.request.Observed().Resource(t.name)
	if t.base != nil {
		c.desired.draft = fieldpath.NewDraft(t.base, r.budget, r.memory)
	} else if err := r.continued(c); err != nil {
		return nil, err
	}
	if c.observed == nil {
		return c, nil
	}
	kind, _, err := c.observed.Object().Get(kindPath)
	if err != nil {
		return nil, fmt.Errorf("observed resource %q: %w", t.name, err)
	}
	c.isSecret = kind == "Secret"
	return c, r.keepName(c)
}

// continued starts from what an earlier function desires.
func (r *run) continued(c *composed) error {
	earlier, ok := r.request.Desired().Resource(c.name)
	if !ok {
		return fmt.Errorf("%s: it has no base, and no earlier function in the pipeline desires a resource named %q; "+
			"give it a base, or the name of one that an earlier step composes", c.at, c.name)
	}
	c.earlier = earlier
	c.desired.view = earlier.Object()
	if _, err := c.desired.writer(); err != nil {
		return fmt.Errorf("%s: the desired resource of an earlier function: %w", c.at, err)
	}
	return nil
}

var (
	apiVersionPath = fieldpath.Fields("apiVersion")
	kindPath       = fieldpath.Fields("kind")
	observedFields = []fieldpath.Path{fieldpath.Fields("metadata", "namespace"), fieldpath.Fields("metadata", "name")}
)

// keepName gives the desired resource the name and the namespace that it has, so
// that it stays the same resource.
func (r *run) keepName(c *composed) error {
	for _, path := range observedFields {
		v, _, err := c.observed.Object().Get(path)
		if err != nil {
			return fmt.Errorf("observed resource %q: %w", c.name, err)
		}
		if s, ok := v.(string); ok && s != "" {
			err = c.desired.draft.Set(path, s)
		} else {
			err = c.desired.draft.Delete(path)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.at, err)
		}
	}
	return nil
}

func (r *run) readiness(c *composed) proto.Ready {
	observed := c.observed.Object()
	for i, check := range c.checks {
		ok, err := check(observed)
		if err != nil {
			if c.isSecret {
				patch.HideValues(err)
			}
			r.warn("%s.readinessChecks[%d]: cannot check whether the resource is ready: %s", c.at, i, err)
			return proto.ReadyUnspecified
		}
		if !ok {
			return proto.ReadyUnspecified
		}
	}
	return proto.ReadyTrue
}

// patch applies the patches of a resource, and tells whether it may be added to
// the desired state.
func (r *run) patch(c *composed) (bool, error) {
	for _, p := range c.patches {
		source, target, ok := r.ends(c, p)
		if !ok {
			continue
		}
		secret := p.From == patch.Composed && c.isSecret || p.From == patch.Environment && r.environment.secret
		found, err := r.apply(p, source, target)
		if err != nil {
			if secret {
				patch.HideValues(err)
			}
			return false, err
		}
		target.secret = target.secret || secret
		if found || !p.Required {
			continue
		}
		r.warn("%s: %s policy.fromFieldPath is Required: %s", p.At, c.without(p), p.Missing(source))
		if c.holdsBack(p) {
			return false, nil
		}
	}
	return true, nil
}

// holdsBack tells whether a resource is not added to the desired state without a
// patch: one that exists is never taken out.
func (c *composed) holdsBack(p *patch.Patch) bool { return p.To == patch.Composed && c.observed == nil }

// without says what happens without a required patch.
func (c *composed) without(p *patch.Patch) string {
	switch {
	case !c.holdsBack(p):
		return "leaving the patch out, though"
	case c.earlier != nil:
		return "leaving the resource as an earlier function desires it, since"
	}
	return "not creating the resource yet, since"
}

// ends returns what a patch reads and writes; false if it reads a resource that
// does not exist yet.
func (r *run) ends(c *composed, p *patch.Patch) (fieldpath.Reader, *document, bool) {
	var source fieldpath.Reader
	switch p.From {
	case patch.Composite:
		source = r.observedXR
	case patch.Environment:
		source = r.environment.reader()
	default:
		if c.observed == nil {
			return nil, nil, false
		}
		source = c.observed.Object()
	}
	switch p.To {
	case patch.Composite:
		return source, &r.desiredXR, true
	case patch.Environment:
		return source, &r.environment, true
	}
	return source, &c.desired, true
}

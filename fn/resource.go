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
	scene

	earlier *proto.Resource // what an earlier function desires, nil if the template has a base
	before  proto.Ready     // what an earlier template of this input said of it
	shares  bool            // an earlier template of this input has patched it
	desired document
}

// template runs a template: for one resource, or for several.
func (r *run) template(t *template) error {
	switch {
	case t.selector != nil:
		return r.selected(t)
	case t.loop != nil:
		return r.loop(t)
	}
	return r.resource(t, t.name, nil)
}

// resource runs the template of one resource and adds the resource to the
// desired state, unless it is not wanted, or new and held back.
func (r *run) resource(t *template, name string, e *patch.Element) error {
	c := &r.current
	*c = composed{template: t, scene: scene{run: r, subject: name, element: e}}
	c.observed, _ = r.request.Observed().Resource(name)
	if t.condition != nil {
		if wanted, err := c.holds(*t.condition); err != nil || !wanted {
			return err
		}
	}
	if wanted, err := r.start(c); err != nil || !wanted {
		return err
	}
	var err error
	ready := proto.ReadyUnspecified
	if c.observed != nil {
		r.connectionDetails(t, c.observed)
		if ready, err = c.readiness(); err != nil {
			r.warn("%s", err)
		}
	}
	waits, err := r.waits(c)
	if err != nil {
		return err
	}
	added := false
	if !waits {
		if added, err = r.patch(c); err != nil {
			return err
		}
	}
	if !added {
		r.response.CompositeReady = proto.ReadyFalse
		return r.keepStatus(c, c.patches)
	}
	if err := c.check(); err != nil {
		return err
	}
	return r.add(c, ready)
}

// add adds a resource to the desired state.
func (r *run) add(c *composed, ready proto.Ready) error {
	if other, ok := r.response.Resources[c.subject]; ok && other.Earlier == nil {
		return fmt.Errorf("%s: there is another resource named %q; names must be unique, with those of the resources that forEach makes", c.at, c.subject)
	}
	r.response.Resources[c.subject] = &proto.Desired{Object: c.desired.draft, Ready: decide(c, ready), Earlier: c.earlier}
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
	switch {
	case c.before == proto.ReadyFalse:
		return proto.ReadyFalse
	case c.earlier == nil || ready == proto.ReadyTrue:
		return ready
	case c.decides:
		return proto.ReadyFalse
	}
	return c.before
}

// start finds what there is of a resource. It is false if there is nothing to do.
func (r *run) start(c *composed) (bool, error) {
	c.desired = document{budget: r.budget, memory: r.memory}
	if c.base != nil {
		c.desired.draft = fieldpath.NewDraft(c.base, r.budget, r.memory)
	} else if found, err := r.continued(c); err != nil || !found {
		return false, err
	}
	if c.observed == nil {
		return true, nil
	}
	secret, err := isSecret(c.observed)
	if err != nil {
		return false, fmt.Errorf("observed resource %q: %w", c.subject, err)
	}
	c.isSecret = secret
	return true, r.keepName(c)
}

// continued starts from what an earlier function desires, and what earlier
// templates made of it.
func (r *run) continued(c *composed) (bool, error) {
	earlier, ok := r.request.Desired().Resource(c.subject)
	if !ok && c.skipsMissing {
		return false, nil
	}
	if !ok {
		return false, fmt.Errorf("%s: it has no base, and no earlier function in the pipeline desires a resource named %q; "+
			"give it a base, or the name of one that an earlier step composes, or say ifMissing: Skip", c.at, c.subject)
	}
	c.earlier = earlier
	if made, ok := r.response.Resources[c.subject]; ok && made.Earlier != nil {
		c.desired.draft, c.before, c.shares = made.Object, made.Ready, true
		return true, nil
	}
	c.desired.view = earlier.Object()
	if _, err := c.desired.writer(); err != nil {
		return false, fmt.Errorf("%s: the desired resource of an earlier function: %w", c.at, err)
	}
	return true, nil
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
			return fmt.Errorf("observed resource %q: %w", c.subject, err)
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

// readiness tells whether a resource that exists is ready, or why that cannot be
// worked out.
func (c *composed) readiness() (proto.Ready, error) {
	for i, check := range c.checks {
		c.secret = c.isSecret
		ok, err := check(&c.scene)
		if err != nil {
			if c.secret {
				patch.HideValues(err)
			}
			return proto.ReadyUnspecified, fmt.Errorf("%s.readinessChecks[%d]: cannot check whether the resource is ready: %w", c.at, i, err)
		}
		if !ok {
			return proto.ReadyUnspecified, nil
		}
	}
	return proto.ReadyTrue, nil
}

// patch applies the patches of a resource, and tells whether it may be added to
// the desired state.
func (r *run) patch(c *composed) (bool, error) {
	if c.shares && c.observed == nil {
		// What it held back with patches half applied could not be taken back.
		if held, err := r.willHold(c, c.patches); err != nil || held {
			return false, err
		}
	}
	held, err := r.patches(c, c.patches)
	return !held, err
}

// willHold tells whether patches will hold a new resource back.
func (r *run) willHold(c *composed, patches []*patch.Patch) (bool, error) {
	for _, p := range patches {
		if p.Set == nil && (!p.Required || !c.holdsBack(p)) {
			continue
		}
		held, err := c.applies(p)
		switch {
		case err != nil || !held:
		case p.Set != nil:
			held, err = r.willHold(c, p.Set)
		default:
			held, err = r.lacks(c, p)
		}
		if err != nil || held {
			return held, err
		}
	}
	return false, nil
}

// lacks tells whether the source of a required patch is missing, and notes it.
func (r *run) lacks(c *composed, p *patch.Patch) (bool, error) {
	c.secret = false
	_, found, err := r.read(p, &c.scene)
	if err != nil && c.secret {
		patch.HideValues(err)
	}
	if err != nil || found {
		return false, err
	}
	r.missingSource(c, p)
	return true, nil
}

// patches applies patches, and tells whether the resource is held back.
func (r *run) patches(c *composed, patches []*patch.Patch) (bool, error) {
	for _, p := range patches {
		applies, err := c.applies(p)
		if err != nil {
			return false, err
		}
		held := false
		switch {
		case !applies:
		case p.Set != nil:
			held, err = r.patches(c, p.Set)
		default:
			held, err = r.applyOne(c, p)
		}
		if err != nil || held {
			return held, err
		}
	}
	return false, nil
}

// applyOne applies a patch, and tells whether the resource is held back.
func (r *run) applyOne(c *composed, p *patch.Patch) (bool, error) {
	found, err := r.apply(p, &c.scene, r.target(c, p))
	if err == nil && p.Unnames && c.observed != nil && p.To == patch.Composed {
		err = r.keepName(c)
	}
	if err != nil {
		return false, err
	}
	// There is nothing to say of a resource that does not exist yet.
	if found || !p.Required || p.From == patch.Composed && c.observed == nil {
		return false, nil
	}
	r.missingSource(c, p)
	return c.holdsBack(p), nil
}

// keepStatus applies those patches of a resource that is not added which keep
// what the composite resource has.
func (r *run) keepStatus(c *composed, patches []*patch.Patch) error {
	for _, p := range patches {
		if p.Set == nil && (!p.Keeps || p.To != patch.Composite) {
			continue
		}
		applies, err := c.applies(p)
		if err != nil {
			return err
		}
		switch {
		case !applies:
		case p.Set != nil:
			err = r.keepStatus(c, p.Set)
		default:
			_, err = r.apply(p, &c.scene, &r.desiredXR)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// holdsBack tells whether a resource is not added to the desired state without a
// patch: one that exists is never taken out.
func (c *composed) holdsBack(p *patch.Patch) bool { return p.To == patch.Composed && c.observed == nil }

// verb says what is not done to a resource that is held back.
func (c *composed) verb() string {
	if c.earlier != nil {
		return "patching"
	}
	return "creating"
}

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

// target returns what a patch of a resource writes to.
func (r *run) target(c *composed, p *patch.Patch) *document {
	switch p.To {
	case patch.Composite:
		return &r.desiredXR
	case patch.Environment:
		return &r.environment
	case patch.Context:
		return r.contextAt(p.ToKey)
	}
	return &c.desired
}

package fn

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/proto"
)

// dependency is a compiled dependency.
type dependency struct {
	at, resource string
	until        v1beta1.DependencyState
}

// waits notes what a new resource waits for, and tells whether it does.
func (r *run) waits(c *composed) (bool, error) {
	if c.observed != nil {
		return false, nil
	}
	waits := false
	for _, what := range r.awaited {
		r.hold(waiting{what: what, name: strconv.Quote(c.subject), verb: c.verb()})
		waits = true
	}
	for _, d := range c.dependsOn {
		what, err := r.unmet(c, d)
		if err != nil {
			return false, fmt.Errorf("%s: %w", d.at, err)
		}
		if what != "" {
			r.hold(waiting{what: what, name: strconv.Quote(c.subject), verb: c.verb()})
			waits = true
		}
	}
	return waits, nil
}

// unmet tells what a dependency still waits for, nothing if it is met.
func (r *run) unmet(c *composed, d dependency) (string, error) {
	name := patch.ForElement(d.resource, c.element)
	if t := r.program.template(name); t != nil && t.loop != nil {
		return r.unmetLoop(t, d.until)
	}
	t, e, err := r.maker(name)
	if err != nil {
		return "", err
	}
	if t == nil {
		c.noticeUnknown(d.at, name)
	}
	return r.unmetOne(name, t, e, d.until)
}

// unmetLoop tells what of a loop is still waited for.
func (r *run) unmetLoop(t *template, until v1beta1.DependencyState) (string, error) {
	elements, err := r.elements(t)
	if err != nil {
		return "", err
	}
	if elements.absent != "" {
		return fmt.Sprintf("%q, which waits for %s,", t.name, elements.wanted), nil
	}
	var unmet []string
	for i := range elements.all {
		e := &elements.all[i]
		what, err := r.unmetOne(member(t.name, e.Key), t, e, until)
		if err != nil {
			return "", err
		}
		if what != "" {
			unmet = append(unmet, what)
		}
	}
	return strings.Join(unmet, " and "), nil
}

// unmetOne tells whether a resource is still waited for. The template that makes
// it is nil if an earlier step does. One whose condition does not hold is not
// waited for.
func (r *run) unmetOne(name string, t *template, e *patch.Element, until v1beta1.DependencyState) (string, error) {
	observed, exists := r.request.Observed().Resource(name)
	c := &composed{template: t, scene: scene{run: r, subject: name, observed: observed, element: e}}
	if t != nil && t.condition != nil {
		if wanted, err := c.holds(*t.condition); err != nil || !wanted {
			return "", err
		}
	}
	switch {
	case !exists:
		if until == v1beta1.DependencyExists {
			return fmt.Sprintf("%q to exist", name), nil
		}
		return fmt.Sprintf("%q to be ready", name), nil
	case until == v1beta1.DependencyExists:
		return "", nil
	}
	ready, err := r.isReady(c)
	if err != nil || ready {
		return "", err
	}
	return fmt.Sprintf("%q to be ready", name), nil
}

// isReady tells whether a resource that exists is ready: by its checks, or by what
// an earlier step says.
func (r *run) isReady(c *composed) (bool, error) {
	earlier, ok := r.request.Desired().Resource(c.subject)
	if c.template == nil {
		return ok && earlier.Ready() == proto.ReadyTrue, nil
	}
	secret, err := isSecret(c.observed)
	if err != nil {
		return false, err
	}
	c.isSecret = secret
	if r.readiness(c) == proto.ReadyTrue {
		return true, nil
	}
	return ok && c.base == nil && !c.decides && earlier.Ready() == proto.ReadyTrue, nil
}

// maker returns the template that makes a resource, and for what element if it is
// of a loop; nil if none does.
func (r *run) maker(name string) (*template, *patch.Element, error) {
	if t := r.program.template(name); t != nil {
		return t, nil, nil
	}
	for i := range r.program.resources {
		t := &r.program.resources[i]
		key, ok := strings.CutPrefix(name, member(t.name, ""))
		if t.loop == nil || !ok {
			continue
		}
		elements, err := r.elements(t)
		if err != nil {
			return nil, nil, err
		}
		for n := range elements.all {
			if elements.all[n].Key == key {
				return t, &elements.all[n], nil
			}
		}
	}
	return nil, nil, nil
}

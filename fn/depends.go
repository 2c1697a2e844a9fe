package fn

import (
	"fmt"
	"slices"
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
	wanted := slices.Clone(r.awaited)
	names := make(map[v1beta1.DependencyState][]string)
	for _, d := range c.dependsOn {
		unmet, absent, err := r.unmet(c, d)
		if err != nil {
			return false, fmt.Errorf("%s: %w", d.at, err)
		}
		names[d.until] = append(names[d.until], unmet...)
		if absent != "" {
			wanted = append(wanted, absent)
		}
	}
	for _, state := range []struct {
		until v1beta1.DependencyState
		is    string
	}{{v1beta1.DependencyExists, "to exist"}, {v1beta1.DependencyReady, "to be ready"}} {
		if unmet := names[state.until]; len(unmet) > 0 {
			wanted = append(wanted, listed(unmet)+" "+state.is)
		}
	}
	for _, what := range wanted {
		r.hold(waiting{what: what, name: strconv.Quote(c.subject), verb: c.verb()})
	}
	return len(wanted) > 0, nil
}

// listed lists names in a sentence, each once.
func listed(names []string) string {
	var quoted []string
	for _, name := range names {
		if q := strconv.Quote(name); !slices.Contains(quoted, q) {
			quoted = append(quoted, q)
		}
	}
	last := len(quoted) - 1
	if last == 0 {
		return quoted[0]
	}
	return strings.Join(quoted[:last], ", ") + " and " + quoted[last]
}

// unmet returns the resources that a dependency still waits for, none if it is
// met. If it is not known which they are, it tells what is absent for that.
func (r *run) unmet(c *composed, d dependency) (names []string, absent string, err error) {
	name := patch.ForElement(d.resource, c.element)
	if t := r.program.template(name); t != nil && t.loop != nil {
		return r.unmetLoop(t, d.until)
	}
	t, e, err := r.maker(name)
	if err != nil {
		return nil, "", err
	}
	if t == nil {
		c.noticeUnknown(d.at, name)
	}
	if unmet, err := r.isUnmet(name, t, e, d.until); err != nil || !unmet {
		return nil, "", err
	}
	return []string{name}, "", nil
}

// unmetLoop is unmet for what a loop makes.
func (r *run) unmetLoop(t *template, until v1beta1.DependencyState) (names []string, absent string, err error) {
	elements, err := r.elements(t)
	if err != nil {
		return nil, "", err
	}
	if elements.absent != "" {
		return nil, fmt.Sprintf("%q, which waits for %s,", t.name, elements.wanted), nil
	}
	for i := range elements.all {
		e := &elements.all[i]
		name := member(t.name, e.Key)
		unmet, err := r.isUnmet(name, t, e, until)
		if err != nil {
			return nil, "", err
		}
		if unmet {
			names = append(names, name)
		}
	}
	return names, "", nil
}

// isUnmet tells whether a resource is still waited for. The template that makes
// it is nil if an earlier step does. One that is not wanted is not waited for.
func (r *run) isUnmet(name string, t *template, e *patch.Element, until v1beta1.DependencyState) (bool, error) {
	observed, exists := r.request.Observed().Resource(name)
	c := &composed{template: t, scene: scene{run: r, subject: name, observed: observed, element: e}}
	if wanted, err := c.wanted(); err != nil || !wanted {
		return false, err
	}
	if !exists || until == v1beta1.DependencyExists {
		return !exists, nil
	}
	ready, err := r.isReady(c)
	return !ready, err
}

// wanted tells whether any step makes a resource that may be waited for. One that
// this input only patches is made by an earlier step, if that desires it; its
// template does not count where the condition of that is false.
func (c *composed) wanted() (bool, error) {
	t := c.template
	if t == nil {
		return true, nil
	}
	holds := true
	if t.condition != nil {
		var err error
		if holds, err = c.holds(*t.condition); err != nil {
			return false, err
		}
	}
	if t.base != nil {
		return holds, nil
	}
	if !holds {
		c.template = nil
	}
	_, earlier := c.request.Desired().Resource(c.subject)
	return earlier || holds && !t.skipsMissing, nil
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
	// A check that fails is told where the resource itself is.
	if ready, err := c.readiness(); err == nil && ready == proto.ReadyTrue {
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

package health

import (
	"fmt"
	"strings"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Health of a resource. Reason is a short text that says why it is not healthy,
// as in "2 of 3 replicas are available"; it is empty of a healthy one.
type Health struct {
	Healthy bool
	Reason  string
}

// Of returns the health of an observed resource. Whatever its kind, it is not
// healthy while it is being deleted, or while what observes it has not seen its
// latest generation. A field of another type than it has to be counts as missing;
// an error is one of the reader's.
func Of(resource fieldpath.Reader) (Health, error) {
	o := &object{from: resource}
	h := o.health()
	if o.err != nil {
		return Health{}, o.err
	}
	return h, nil
}

func (o *object) health() Health {
	apiVersion, kind := o.text(pathAPIVersion), o.text(pathKind)
	if apiVersion == "" || kind == "" {
		return not("it has no apiVersion and kind")
	}
	if o.get(pathDeletion) != nil {
		return not("it is being deleted")
	}
	rule := ruleOf(group(apiVersion), kind)
	if h := o.observed(rule.observed); !h.Healthy {
		return h
	}
	return rule.check(o)
}

// group returns the API group of an apiVersion, empty for the core group.
func group(apiVersion string) string {
	if group, _, grouped := strings.Cut(apiVersion, "/"); grouped {
		return group
	}
	return ""
}

// observed tells whether the status is that of the latest generation. Without
// saying of which one it is, it counts as such unless its controller always says.
func (o *object) observed(always bool) Health {
	generation := o.generation()
	seen, found := o.number(pathObservedGeneration)
	switch {
	case !found && always && generation > 0:
		return not("no generation of it has been observed yet")
	case found && seen < generation:
		return not("its generation %d has not been observed yet, only %d", generation, seen)
	}
	return healthy
}

var healthy = Health{Healthy: true}

func not(format string, args ...any) Health {
	return Health{Reason: fmt.Sprintf(format, args...)}
}

// first returns the first that is not healthy, if there is one.
func first(all ...Health) Health {
	for _, h := range all {
		if !h.Healthy {
			return h
		}
	}
	return healthy
}

// counted is healthy if there are as many as are wanted of what is told in the
// plural, in a state.
func counted(have, want int64, what, state string) Health {
	if have >= want {
		return healthy
	}
	return not("%d of %d %s are %s", have, want, what, state)
}

// exists is the rule of kinds that are healthy as soon as they are there.
func exists(*object) Health { return healthy }

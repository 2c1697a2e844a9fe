package health

import (
	"errors"
	"strings"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Paths of fields that most kinds have.
var (
	pathAPIVersion         = fieldpath.Fields("apiVersion")
	pathKind               = fieldpath.Fields("kind")
	pathDeletion           = fieldpath.Fields("metadata", "deletionTimestamp")
	pathGeneration         = fieldpath.Fields("metadata", "generation")
	pathObservedGeneration = fieldpath.Fields("status", "observedGeneration")
	pathConditions         = fieldpath.Fields("status", "conditions")
	pathPhase              = fieldpath.Fields("status", "phase")
)

// object is a resource of which fields are read. The first error is kept: what is
// found after it does not matter.
type object struct {
	from fieldpath.Reader
	err  error

	conditions []any // once they are read
	read       bool
}

// get returns the value at a path, nil if there is none.
func (o *object) get(p fieldpath.Path) any {
	if o.err != nil {
		return nil
	}
	v, _, err := o.from.Get(p)
	if wrong := (*fieldpath.TypeError)(nil); errors.As(err, &wrong) {
		return nil
	}
	o.err = err
	return v
}

// text returns the text at a path, empty if there is none.
func (o *object) text(p fieldpath.Path) string {
	s, _ := o.get(p).(string)
	return s
}

// number returns the integer at a path, false if there is none.
func (o *object) number(p fieldpath.Path) (int64, bool) {
	n, ok := o.get(p).(int64)
	return n, ok
}

// count returns the integer at a path, 0 if there is none.
func (o *object) count(p fieldpath.Path) int64 {
	n, _ := o.number(p)
	return n
}

// list returns the array at a path, empty if there is none.
func (o *object) list(p fieldpath.Path) []any {
	l, _ := o.get(p).([]any)
	return l
}

func (o *object) generation() int64 { return o.count(pathGeneration) }

// condition is one of the conditions of a status. The zero condition is not there.
type condition struct {
	typ, status, reason, message string
	observed                     int64 // the generation that it is of, 0 if it does not say
}

// condition returns a condition of the resource by its type.
func (o *object) condition(typ string) condition {
	if !o.read {
		o.conditions, o.read = o.list(pathConditions), true
	}
	return conditionOf(o.conditions, typ)
}

// conditionOf returns a condition by its type, as far as it is one.
func conditionOf(conditions []any, typ string) condition {
	for _, v := range conditions {
		m, _ := v.(map[string]any)
		if m["type"] != typ {
			continue
		}
		c := condition{typ: typ}
		c.status, _ = m["status"].(string)
		c.reason, _ = m["reason"].(string)
		c.message, _ = m["message"].(string)
		c.observed, _ = m["observedGeneration"].(int64)
		return c
	}
	return condition{typ: typ}
}

// isTrue tells whether a condition is True, of the latest generation.
func (o *object) isTrue(c condition) Health {
	switch generation := o.generation(); {
	case c.status == "":
		return not("it has no condition %s yet", c.typ)
	case c.status != "True":
		return c.told()
	case c.observed > 0 && c.observed < generation:
		return not("condition %s is of generation %d, not yet of %d", c.typ, c.observed, generation)
	}
	return healthy
}

// told returns what a condition says of why the resource is not healthy.
func (c condition) told() Health {
	text := "condition " + c.typ + " is " + c.status
	for _, more := range []string{c.reason, c.message} {
		if more != "" {
			text += ": " + short(more)
		}
	}
	return Health{Reason: text}
}

// maxShown is how much is shown of a text of the resource's.
const maxShown = 200

func short(s string) string {
	if len(s) <= maxShown {
		return s
	}
	return strings.ToValidUTF8(s[:maxShown], "") + "…"
}

// allTrue is the rule of kinds that are healthy when these conditions are True.
func allTrue(types ...string) func(*object) Health {
	return func(o *object) Health {
		for _, typ := range types {
			if h := o.isTrue(o.condition(typ)); !h.Healthy {
				return h
			}
		}
		return healthy
	}
}

// inPhase is the rule of kinds that are healthy in one of these phases.
func inPhase(phases ...string) func(*object) Health {
	return func(o *object) Health {
		phase := o.text(pathPhase)
		for _, p := range phases {
			if p == phase {
				return healthy
			}
		}
		if phase == "" {
			return not("it has no phase yet")
		}
		return not("its phase is %s", short(phase))
	}
}

package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
)

// conditionTime stands in for the time at which a condition changed, so that
// rendering the same gives the same.
const conditionTime = "2024-01-01T00:00:00Z"

// systemConditions are those that Crossplane lets no function set.
func systemConditions() []string {
	return []string{"Ready", "Synced", "Healthy", "UpToDate", "Responsive"}
}

// addConditions keeps the conditions that a step returns, and says which of them
// Crossplane ignores.
func (o *outcome) addConditions(s step, conditions []*fnv1.Condition, log io.Writer) {
	for _, c := range conditions {
		if slices.Contains(systemConditions(), c.GetType()) {
			say(log, "NOTICE", s.Step, fmt.Sprintf("returns the condition %s, which Crossplane sets itself: it has no effect", c.GetType()))
			continue
		}
		o.conditions = append(o.conditions, c)
	}
}

// setConditions adds the conditions that the composite resource had, those of
// Crossplane and those of the functions, in the order of Crossplane.
func (in *inputs) setConditions(xr map[string]any, o *outcome) {
	conditions, _ := at(xr, "status", "conditions").([]any)
	observed, _ := at(in.xr.object, "status", "conditions").([]any)
	for _, c := range append(slices.Clone(observed), in.responsive()) {
		conditions = setCondition(conditions, c)
	}
	for _, c := range o.conditions {
		conditions = setCondition(conditions, condition(c.GetType(), statusOf(c), c.GetReason(), c.GetMessage()))
	}
	for _, c := range []map[string]any{condition("Synced", "True", "ReconcileSuccess", ""), ready(o.desired)} {
		conditions = setCondition(conditions, c)
	}
	for _, c := range conditions {
		if m, ok := c.(map[string]any); ok {
			m["lastTransitionTime"] = conditionTime
		}
	}
	set(xr, conditions, "status", "conditions")
	in.setClaimConditions(xr, o)
}

// setClaimConditions notes which conditions the claim of a classic composite
// resource gets as well.
func (in *inputs) setClaimConditions(xr map[string]any, o *outcome) {
	if modern, _ := in.isModern(); modern {
		return
	}
	var types []any
	for _, c := range o.conditions {
		if c.GetTarget() == fnv1.Target_TARGET_COMPOSITE_AND_CLAIM && !slices.Contains(types, any(c.GetType())) {
			types = append(types, c.GetType())
		}
	}
	if len(types) > 0 {
		set(xr, types, "status", "claimConditionTypes")
	}
}

// setCondition replaces the condition of the same type, or adds it. One that
// says the same already stays.
func setCondition(conditions []any, c any) []any {
	i := slices.IndexFunc(conditions, func(old any) bool { return same(old, c, "type") })
	if i < 0 {
		return append(conditions, clone(c))
	}
	if !saysSame(conditions[i], c) {
		conditions[i] = clone(c)
	}
	return conditions
}

// saysSame tells whether two conditions of a type say the same, of the same
// generation as far as they say of which.
func saysSame(a, b any) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	of, now := at(x, "observedGeneration"), at(y, "observedGeneration")
	return same(a, b, "status", "reason", "message") && (of == nil || now == nil || of == now)
}

// same tells whether fields of two conditions have the same texts.
func same(a, b any, fields ...string) bool {
	x, _ := a.(map[string]any)
	y, _ := b.(map[string]any)
	return !slices.ContainsFunc(fields, func(f string) bool { return stringAt(x, f) != stringAt(y, f) })
}

// responsive is the condition that Crossplane sets before it runs a pipeline.
// Crossplane's CLI knows the generation until it has run the pipeline.
func (in *inputs) responsive() map[string]any {
	c := condition("Responsive", "True", "WatchCircuitClosed", "")
	c["lastTransitionTime"] = conditionTime
	if generation := at(in.xr.object, "metadata", "generation"); generation != nil {
		c["observedGeneration"] = generation
	}
	return c
}

func condition(kind, status, reason, message string) map[string]any {
	c := map[string]any{"type": kind, "status": status, "reason": reason}
	if message != "" {
		c["message"] = message
	}
	return c
}

func statusOf(c *fnv1.Condition) string {
	switch c.GetStatus() {
	case fnv1.Status_STATUS_CONDITION_TRUE:
		return "True"
	case fnv1.Status_STATUS_CONDITION_FALSE:
		return "False"
	default:
		return "Unknown"
	}
}

// ready is the condition Ready of the composite resource: what the functions
// say of it, or else whether all composed resources are ready.
func ready(desired *fnv1.State) map[string]any {
	var unready []string
	for name, r := range desired.GetResources() {
		if r.GetReady() != fnv1.Ready_READY_TRUE {
			unready = append(unready, name)
		}
	}
	switch said := desired.GetComposite().GetReady(); {
	case said == fnv1.Ready_READY_FALSE:
		return condition("Ready", "False", "Creating", "")
	case said == fnv1.Ready_READY_TRUE || len(unready) == 0:
		return condition("Ready", "True", "Available", "")
	}
	slices.Sort(unready)
	return condition("Ready", "False", "Creating", "Unready resources: "+firstNames(unready))
}

// firstNames lists three names, as Crossplane does in its conditions.
func firstNames(names []string) string {
	switch {
	case len(names) > 3:
		return fmt.Sprintf("%s, and %d more", strings.Join(names[:3], ", "), len(names)-3)
	case len(names) == 3:
		return fmt.Sprintf("%s, %s, and %s", names[0], names[1], names[2])
	}
	return strings.Join(names, ", ")
}

package fn

import (
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/expression"
	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

// reservedConditions are the types of conditions that Crossplane sets itself, so
// that it ignores those that functions set; and that of this function.
var reservedConditions = []string{"Ready", "Synced", "Healthy", "UpToDate", "Responsive", ConditionWaiting}

// ReservedConditions returns the types of conditions that an input cannot set.
func ReservedConditions() []string { return slices.Clone(reservedConditions) }

var (
	conditionType   = regexp.MustCompile(`^[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?$`)
	conditionReason = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)
)

// statusConditions compiles the conditions of the composite resource.
func (c *compiler) statusConditions(in []v1beta1.StatusCondition) {
	for i := range in {
		at := field.NewPath("statusConditions").Index(i)
		c.program.status = append(c.program.status, c.statusCondition(at, in[i]))
	}
}

func (c *compiler) statusCondition(at *field.Path, in v1beta1.StatusCondition) statusCondition {
	c.conditionType(at.Child("type"), in.Type)
	switch {
	case in.Reason == "":
		c.required(at.Child("reason"), "a condition needs a reason, one word in PascalCase")
	case !conditionReason.MatchString(in.Reason):
		c.fail(field.Invalid(at.Child("reason"), in.Reason, ""), "must be one word in PascalCase: letters, digits, _ , and :")
	}
	out := statusCondition{
		typ: in.Type, reason: in.Reason,
		condition: c.condition(at.Child("condition"), in.Condition, expression.Scope{}),
		status:    condition{at: at.Child("status").String()},
		message:   c.patch.Message(at, in.Message, in.Variables),
	}
	if in.Status == "" {
		c.required(at.Child("status"), "a condition needs a status: an expression that comes to a bool, or to True, False or Unknown")
	} else {
		out.status.Expression = c.expression(at.Child("status"), in.Status, expression.Scope{}, expression.Status)
	}
	out.claim = c.target(at.Child("target"), in.Target)
	return out
}

func (c *compiler) conditionType(at *field.Path, typ string) {
	switch {
	case typ == "":
		c.required(at, "a condition needs a type")
	case slices.Contains(reservedConditions, typ):
		by := "Crossplane itself"
		if typ == ConditionWaiting {
			by = "this function, to tell what is held back"
		}
		c.fail(field.Invalid(at, typ, ""), "the condition "+typ+" is set by "+by+"; give it another type")
	case !conditionType.MatchString(typ) || len(typ) > 316:
		c.fail(field.Invalid(at, typ, ""), "must be letters, digits, -, _, . and /, in PascalCase: NetworkReady")
	}
}

func (c *compiler) target(at *field.Path, name v1beta1.ConditionTarget) bool {
	names := make([]string, len(conditionTargets))
	for i, t := range conditionTargets {
		if names[i] = string(t.Name); t.Name == name {
			return t.claim
		}
	}
	if name != "" {
		c.errs = append(c.errs, input.Unsupported(at, "target", string(name), names))
	}
	return false
}

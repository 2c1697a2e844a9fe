package fn

import (
	"fmt"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/proto"
)

// statusCondition is a compiled condition of the composite resource.
type statusCondition struct {
	typ, reason string
	claim       bool
	condition   *condition // nil: always
	status      condition
	message     *patch.Message
}

var statuses = map[string]proto.ConditionStatus{
	"True": proto.ConditionTrue, "False": proto.ConditionFalse, "Unknown": proto.ConditionUnknown,
}

// statusConditions sets the conditions of the composite resource.
func (r *run) statusConditions() error {
	done := make(map[string]bool, len(r.program.status))
	for i := range r.program.status {
		c := &r.program.status[i]
		if done[c.typ] {
			continue
		}
		set, err := r.statusCondition(c)
		if err != nil {
			return err
		}
		done[c.typ] = set
	}
	return nil
}

// statusCondition sets one condition, and tells whether it is to be set.
func (r *run) statusCondition(c *statusCondition) (bool, error) {
	s := &scene{run: r}
	if c.condition != nil {
		if holds, err := s.holds(*c.condition); err != nil || !holds {
			return false, err
		}
	}
	s.secret = false
	status, err := c.status.Status(s, r.budget)
	if err != nil {
		return false, s.placed(c.status, err)
	}
	s.secret, s.data = false, false
	message, err := c.message.Text(s, r.budget)
	if err != nil {
		if s.secret {
			patch.HideValues(err)
		}
		return false, err
	}
	if s.data {
		return false, fmt.Errorf("%s: reads a value of a Secret, which a condition would show to everybody", c.message.At)
	}
	r.response.Conditions = append(r.response.Conditions, proto.Condition{
		Type: c.typ, Status: statuses[status], Reason: c.reason, Message: cut(message), Claim: c.claim,
	})
	return true, nil
}

// compositeReadiness lets the input decide whether the composite resource is
// ready.
func (r *run) compositeReadiness() error {
	if r.program.ready == nil {
		return nil
	}
	ready, err := (&scene{run: r}).holds(*r.program.ready)
	if err != nil {
		return err
	}
	r.response.CompositeReady = proto.ReadyFalse
	if ready {
		r.response.CompositeReady = proto.ReadyTrue
	}
	return nil
}

// ConditionTarget is who is given a condition: a row of a table.
type ConditionTarget struct {
	Name v1beta1.ConditionTarget
	Doc  string

	claim bool
}

// ConditionTargets returns the table of who is given a condition. The first is the
// default.
func ConditionTargets() []ConditionTarget { return conditionTargets }

var conditionTargets = []ConditionTarget{
	{Name: v1beta1.ConditionTargetComposite, Doc: "The composite resource."},
	{Name: v1beta1.ConditionTargetCompositeAndClaim, claim: true, Doc: "The composite resource and its claim, if it has one."},
}

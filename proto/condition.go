package proto

import (
	"slices"
	"strings"
)

// Tags of the records of a Condition.
const (
	tagConditionType    = 1<<3 | wireBytes
	tagConditionStatus  = 2<<3 | wireVarint
	tagConditionReason  = 3<<3 | wireBytes
	tagConditionMessage = 4<<3 | wireBytes
	tagConditionTarget  = 5<<3 | wireVarint
)

// ConditionStatus is the status of a condition.
type ConditionStatus int32

// The statuses that a condition may have.
const (
	ConditionUnknown ConditionStatus = 1
	ConditionTrue    ConditionStatus = 2
	ConditionFalse   ConditionStatus = 3
)

// Condition is to be set on the composite resource and, with Claim, on its claim
// as well.
type Condition struct {
	Type            string
	Status          ConditionStatus
	Reason, Message string
	Claim           bool
}

// conditions writes conditions in their order.
func (w *writer) conditions(all []Condition) *fault {
	for _, c := range slices.Backward(all) {
		w.condition(c)
		if f := w.fits(0); f != nil {
			return f
		}
	}
	return nil
}

func (w *writer) condition(c Condition) {
	mark := w.written()
	target := uint64(targetComposite)
	if c.Claim {
		target = targetCompositeAndClaim
	}
	w.number(tagConditionTarget, target)
	w.textField(tagConditionMessage, strings.ToValidUTF8(c.Message, "\uFFFD"))
	w.textField(tagConditionReason, strings.ToValidUTF8(c.Reason, "\uFFFD"))
	if c.Status != 0 {
		w.number(tagConditionStatus, uint64(c.Status))
	}
	w.textField(tagConditionType, strings.ToValidUTF8(c.Type, "\uFFFD"))
	w.head(tagResponseConditions, mark)
}

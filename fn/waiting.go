package fn

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// ConditionWaiting is the type of the condition that tells what is held back and
// what it waits for.
const ConditionWaiting = "Waiting"

// The reasons of the condition.
const (
	reasonHeldBack = "HeldBack"        // something is not created yet
	reasonWithout  = "MissingFields"   // something is left without a field
	reasonNothing  = "NothingHeldBack" // neither
)

// waitingKey is the key of the context by which steps of a pipeline that use this
// function tell each other what they hold back: the condition is one for all.
const waitingKey = "pt.fn.crossplane.io/waiting"

// waiting is something that is held back, or left without a field.
type waiting struct {
	what string // is waited for
	name string // of the resource that waits
	// verb says what is not done to it before: "creating", "patching" or, if it is
	// only left without what is missing, nothing.
	verb string
}

// hold notes that something is held back, so that the composite resource is not
// ready; or left without something.
func (r *run) hold(w waiting) {
	r.held = append(r.held, w)
	if w.verb != "" {
		r.response.CompositeReady = proto.ReadyFalse
	}
}

// missingSource notes what a missing source of a required patch means.
func (r *run) missingSource(c *composed, p *patch.Patch) {
	if r.summarizes() {
		w := waiting{what: p.Wanted(&c.scene), name: strconv.Quote(c.subject)}
		switch {
		case c.holdsBack(p):
			w.verb = c.verb()
		case p.To != patch.Composed:
			w.name = p.To.String()
		}
		if w.verb == "" {
			w.what += ", which is missing"
		}
		r.hold(w)
		return
	}
	r.warn("%s: %s policy.fromFieldPath is Required: %s", p.At, c.without(p), p.Missing(&c.scene))
}

// summarizes tells whether what is held back is told by a condition, and by a
// warning only when it changes, which is what the function specification wants.
// Crossplane before 2.2 does not say whether it knows conditions: there, inputs
// that could do so before conditions were known warn each time.
func (r *run) summarizes() bool {
	return r.program.summarizes || r.request.HasCapability(capabilityConditions)
}

// tellWaiting sets the condition that tells what is held back.
func (r *run) tellWaiting() error {
	if !r.program.mayHold || !r.summarizes() {
		return r.tellNothingWaits(false)
	}
	texts, err := r.earlierWaiting()
	if err != nil {
		return err
	}
	r.tellAwaited()
	if len(r.held) == 0 {
		return r.tellNothingWaits(len(texts) > 0)
	}
	texts = append(texts, summarize(r.held)...)
	condition := proto.Condition{
		Type: ConditionWaiting, Status: proto.ConditionTrue, Reason: reasonWithout, Message: cut(strings.Join(texts, "; ")),
	}
	if slices.ContainsFunc(r.held, func(w waiting) bool { return w.verb != "" }) {
		condition.Reason = reasonHeldBack
	}
	r.response.Conditions = append(r.response.Conditions, condition)
	if _, told := r.toldWaiting(); told != condition.Message {
		r.warn("%s", condition.Message)
	}
	return r.leaveWaiting(texts)
}

// tellAwaited notes those required resources that must be there, and that nothing
// new waits for.
func (r *run) tellAwaited() {
	for _, what := range r.awaited {
		if !slices.ContainsFunc(r.held, func(w waiting) bool { return w.what == what }) {
			r.hold(waiting{what: what, name: "what exists"})
		}
	}
}

// tellNothingWaits takes back what the condition said, unless it is an earlier
// step of the pipeline that says it now, or a later one that may say it again: to
// change a condition twice in each call would make Crossplane call without end.
func (r *run) tellNothingWaits(earlier bool) error {
	status, message := r.toldWaiting()
	if !earlier && (status == "Unknown" && r.program.mayHold || status == "True" && r.isOurs(message)) {
		r.response.Conditions = append(r.response.Conditions, proto.Condition{
			Type: ConditionWaiting, Status: proto.ConditionFalse, Reason: reasonNothing,
		})
	}
	return nil
}

// isOurs tells whether summarize wrote a text of a resource of this input.
func (r *run) isOurs(message string) bool {
	held := heldNames(message)
	for _, q := range r.program.required {
		if strings.Contains(held, requiredNamed(q.name)) {
			return true
		}
	}
	for i := range r.program.resources {
		t := &r.program.resources[i]
		names := []string{t.name}
		if t.selector != nil {
			names = r.request.Desired().Names()
		}
		of := func(name string) bool {
			return strings.Contains(held, strconv.Quote(name)) || strings.Contains(held, `"`+name+".")
		}
		if slices.ContainsFunc(names, of) || t.loop != nil && strings.Contains(held, `"`+member(t.name, "")) {
			return true
		}
	}
	return false
}

// heldNames returns the part of a message that names what is held back, each in
// quotes: what summarize wrote after creating, patching and leaving; of a document
// that is left without a field, the field, which begins with the name.
func heldNames(message string) string {
	var names []string
	for text := range strings.SplitSeq(message, "; ") {
		if left, ok := strings.CutPrefix(text, "leaving "); ok {
			who, what, _ := strings.Cut(left, " without ")
			names = append(names, who, `"`+what)
		} else if i := strings.LastIndex(text, " before "); i >= 0 {
			names = append(names, text[i:])
		}
	}
	return strings.Join(names, " ")
}

// What is told of one call at most: things that are waited for, and resources that
// wait for the same.
const (
	maxTold  = 20
	maxNames = 10
)

// group is what waits for the same thing.
type group struct {
	waiting

	names []string
	seen  map[string]bool
}

// summarize tells what is waited for, each thing once.
func summarize(held []waiting) []string {
	var groups []*group
	byThing := make(map[waiting]*group)
	for _, w := range held {
		thing := waiting{what: w.what, verb: w.verb}
		g := byThing[thing]
		if g == nil {
			g = &group{waiting: thing, seen: make(map[string]bool)}
			byThing[thing] = g
			groups = append(groups, g)
		}
		if !g.seen[w.name] {
			g.seen[w.name] = true
			g.names = append(g.names, w.name)
		}
	}
	texts := make([]string, 0, min(len(groups), maxTold+1))
	for i, g := range groups {
		if i == maxTold {
			return append(texts, fmt.Sprintf("and %d more", len(groups)-maxTold))
		}
		texts = append(texts, g.text())
	}
	return texts
}

func (g *group) text() string {
	who := strings.Join(g.names[:min(len(g.names), maxNames)], ", ")
	if more := len(g.names) - maxNames; more > 0 {
		who += fmt.Sprintf(" and %d more", more)
	}
	if g.verb == "" {
		return fmt.Sprintf("leaving %s without %s", who, g.what)
	}
	return fmt.Sprintf("waiting for %s before %s %s", g.what, g.verb, who)
}

// earlierWaiting returns what earlier steps of the pipeline hold back.
func (r *run) earlierWaiting() ([]string, error) {
	v, _, err := r.contextAt(waitingKey).reader().Get(fieldpath.Path{})
	if err != nil {
		return nil, err
	}
	var texts []string
	array, _ := v.([]any)
	for _, v := range array {
		if text, ok := v.(string); ok {
			texts = append(texts, text)
		}
	}
	return texts, nil
}

// leaveWaiting tells later steps what is held back.
func (r *run) leaveWaiting(texts []string) error {
	array := make([]any, len(texts))
	for i, text := range texts {
		array[i] = text
	}
	d := &document{draft: fieldpath.NewDraft(nil, r.budget, r.memory)}
	r.contexts[waitingKey] = d
	return d.draft.Set(fieldpath.Path{}, array)
}

// waitingStatus and waitingMessage are read in each call, so that no more is
// decoded of the conditions than they need.
var (
	waitingStatus, _  = fieldpath.Parse("status.conditions[type=" + ConditionWaiting + "].status")
	waitingMessage, _ = fieldpath.Parse("status.conditions[type=" + ConditionWaiting + "].message")
)

// toldWaiting returns the status and the message of the condition that the
// composite resource has.
func (r *run) toldWaiting() (status, message string) {
	v, _, err := r.observedXR.Get(waitingStatus)
	if status, _ = v.(string); err != nil || status == "" {
		return "", ""
	}
	v, _, _ = r.observedXR.Get(waitingMessage)
	message, _ = v.(string)
	return status, message
}

package fn

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"time"

	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// environmentKey is the key of the context that holds the environment.
const environmentKey = "apiextensions.crossplane.io/environment"

// budgetUnits bounds the work of one request: far beyond what large compositions
// take, and done in a few seconds.
const budgetUnits = 256 << 20

// run is one run of a program. It is used once.
type run struct {
	program  *Program
	request  *proto.Request
	response *proto.Response
	budget   *fieldpath.Budget
	memory   *fieldpath.Memory

	observedXR  *proto.Struct
	desiredXR   document
	environment document

	// contexts is what is read or written of the context beside the environment.
	contexts map[string]*document

	// found are the required resources by name, and awaited tells which are
	// missing that must be there before anything is created.
	found   map[string]*found
	awaited []string

	// loops are those that were worked out, by the name of their template.
	loops map[string]*elements

	// held is what is held back, or left without something.
	held []waiting

	// current is the resource whose template is run. There is one at a time.
	current composed

	// shared are what patches read that read the same.
	shared []sharedRead

	// notices are what was found to be unusable, and unknown are the composed
	// resources among it that nobody makes.
	notices []Notice
	unknown map[string]bool
}

// sharedRead is what was read, once that is done.
type sharedRead struct {
	value       any
	found, done bool
}

// result is what a run came to.
type result struct {
	response *proto.Response
	notices  []Notice
}

// run runs the program for a request. An error fails the whole request. The TTL
// is that of the response unless the input has one. The response needs the memory
// until it is encoded.
func (p *Program) run(ctx context.Context, req *proto.Request, ttl time.Duration, m *fieldpath.Memory) (result, error) {
	b := fieldpath.NewBudget(budgetUnits)
	if p.ttl != 0 {
		ttl = p.ttl
	}
	r := &run{
		program: p, request: req, budget: b, memory: m,
		response:    &proto.Response{Request: req, TTL: ttl, MaxSize: MaxResponseBytes},
		observedXR:  req.Observed().Composite().Object(),
		desiredXR:   document{view: req.Desired().Composite().Object(), budget: b, memory: m},
		environment: document{budget: b, memory: m},
		shared:      make([]sharedRead, p.sharedReads),
	}
	err := r.all(ctx)
	return result{response: r.response, notices: r.notices}, err
}

func (r *run) all(ctx context.Context) error {
	r.environment.view, _ = r.request.Context(environmentKey)
	complete, err := r.require()
	if err != nil || !complete {
		return err
	}
	if r.program.condition != nil {
		holds, err := (&scene{run: r}).holds(*r.program.condition)
		if err != nil {
			return err
		}
		if !holds {
			r.awaited = nil
			return r.tellWaiting()
		}
	}
	for _, ref := range r.program.references {
		(&scene{run: r}).noticeUnknown(ref.at, ref.name)
	}
	if err := r.compose(ctx); err != nil {
		return err
	}
	if err := r.conclude(); err != nil {
		return err
	}
	r.response.Composite = r.desiredXR.draft
	r.response.Contexts = r.written()
	return nil
}

// compose applies the environment's patches, and runs the templates.
func (r *run) compose(ctx context.Context) error {
	for _, p := range r.program.environment {
		if err := r.environmentPatch(p); err != nil {
			return err
		}
	}
	r.response.Resources = make(map[string]*proto.Desired, len(r.program.resources)+1)
	for i := range r.program.resources {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("gave up: %w", err)
		}
		if err := r.template(&r.program.resources[i]); err != nil {
			return err
		}
	}
	return nil
}

// conclude adds what depends on all resources.
func (r *run) conclude() error {
	if err := r.connectionSecret(); err != nil {
		return err
	}
	if err := r.tellWaiting(); err != nil {
		return err
	}
	if err := r.statusConditions(); err != nil {
		return err
	}
	return r.compositeReadiness()
}

// written returns what was written to the context, by key.
func (r *run) written() map[string]*fieldpath.Draft {
	if r.environment.draft == nil && len(r.contexts) == 0 {
		return nil
	}
	out := map[string]*fieldpath.Draft{environmentKey: r.environment.draft}
	for key, d := range r.contexts {
		out[key] = d.draft
	}
	maps.DeleteFunc(out, func(_ string, d *fieldpath.Draft) bool { return d == nil })
	return out
}

func (r *run) environmentPatch(p *patch.Patch) error {
	s := &scene{run: r}
	if applies, err := s.applies(p); err != nil || !applies {
		return err
	}
	target := &r.environment
	switch p.To {
	case patch.Composite:
		target = &r.desiredXR
	case patch.Context:
		target = r.contextAt(p.ToKey)
	}
	found, err := r.apply(p, s, target)
	if err == nil && !found && p.Required {
		err = fmt.Errorf("%s: policy.fromFieldPath is Required: %s", p.At, p.Missing(s))
	}
	return err
}

// apply applies a patch to a document, and tells whether there was something to
// write. Errors about values of a Secret do not show them.
func (r *run) apply(p *patch.Patch, s *scene, target *document) (bool, error) {
	s.secret = false
	found, err := r.transfer(p, s, target)
	if s.secret {
		target.secret = true
		if err != nil {
			patch.HideValues(err)
		}
	}
	return found, err
}

func (r *run) transfer(p *patch.Patch, s *scene, target *document) (bool, error) {
	if p.Removes {
		draft, err := target.writer()
		if err != nil || p.Inert {
			return true, err
		}
		return true, p.Remove(draft, s.element)
	}
	v, found, err := r.read(p, s)
	if err != nil {
		return found, err
	}
	if !found && p.Keeps {
		if v, found, err = r.kept(p, s); err != nil {
			return false, err
		}
	}
	if !found || p.Inert {
		return found, nil
	}
	draft, err := target.writer()
	if err != nil {
		return false, fmt.Errorf("%s: cannot write to %s: %w", p.At, p.Target(), err)
	}
	return true, p.Write(draft, v, s.element)
}

// kept returns what the observed resource has in the field that a patch writes.
func (r *run) kept(p *patch.Patch, s *scene) (any, bool, error) {
	switch {
	case p.To == patch.Composite:
		return p.Kept(r.observedXR, s.element)
	case s.observed == nil:
		return nil, false, nil
	}
	s.secret = s.secret || s.isSecret
	return p.Kept(s.observed.Object(), s.element)
}

// read returns what a patch reads: what another one has read, if that is the same.
func (r *run) read(p *patch.Patch, s *scene) (any, bool, error) {
	if p.Shared < 0 {
		return p.Read(s, r.budget)
	}
	shared := &r.shared[p.Shared]
	if !shared.done {
		v, found, err := p.Read(s, r.budget)
		if err != nil {
			return nil, false, err
		}
		*shared = sharedRead{value: v, found: found, done: true}
	}
	return shared.value, shared.found, nil
}

func (r *run) warn(format string, args ...any) {
	message := cut(fmt.Sprintf(format, args...))
	r.response.Results = append(r.response.Results, proto.Result{Severity: proto.SeverityWarning, Message: message})
}

// maxMessageBytes bounds the text of a result.
const maxMessageBytes = 64 << 10

func cut(message string) string {
	if len(message) <= maxMessageBytes {
		return message
	}
	return strings.ToValidUTF8(message[:maxMessageBytes], "") + "…"
}

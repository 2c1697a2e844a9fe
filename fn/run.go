package fn

import (
	"context"
	"fmt"
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

	// shared are what patches read that read the same.
	shared []sharedRead

	// notices are what was found to be unusable.
	notices []Notice
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
		if err := r.resource(&r.program.resources[i]); err != nil {
			return err
		}
	}
	if err := r.connectionSecret(); err != nil {
		return err
	}
	r.response.Composite = r.desiredXR.draft
	if r.environment.draft != nil {
		r.response.Contexts = map[string]*fieldpath.Draft{environmentKey: r.environment.draft}
	}
	return nil
}

func (r *run) environmentPatch(p *patch.Patch) error {
	source, target := fieldpath.Reader(r.observedXR), &r.environment
	if p.From == patch.Environment {
		source, target = r.environment.reader(), &r.desiredXR
	}
	found, err := r.apply(p, source, target)
	if err == nil && !found && p.Required {
		err = fmt.Errorf("%s: policy.fromFieldPath is Required: %s", p.At, p.Missing(source))
	}
	return err
}

func (r *run) apply(p *patch.Patch, source fieldpath.Reader, target *document) (bool, error) {
	v, found, err := r.read(p, source)
	if err != nil || !found || p.Inert {
		return found, err
	}
	draft, err := target.writer()
	if err != nil {
		return false, fmt.Errorf("%s: cannot write to %s: %w", p.At, p.To, err)
	}
	return true, p.Write(draft, v)
}

// read returns what a patch reads: what another one has read, if that is the same.
func (r *run) read(p *patch.Patch, source fieldpath.Reader) (any, bool, error) {
	if p.Shared < 0 {
		return p.Read(source, r.budget)
	}
	s := &r.shared[p.Shared]
	if !s.done {
		v, found, err := p.Read(source, r.budget)
		if err != nil {
			return nil, false, err
		}
		*s = sharedRead{value: v, found: found, done: true}
	}
	return s.value, s.found, nil
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

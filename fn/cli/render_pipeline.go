package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/fn"
)

// outcome is what a pipeline gives.
type outcome struct {
	desired *fnv1.State
	context *structpb.Struct
	results []result

	conditions []*fnv1.Condition // in the order of the steps
}

// result is a result of a step that is not fatal.
type result struct {
	step     string
	severity string // Warning or Normal, as in an event
	message  string
}

// runPipeline runs the steps in order, each on what the one before it desires.
// Results and notices are written to log as they come; a fatal result ends it.
func (in *inputs) runPipeline(ctx context.Context, log io.Writer) (*outcome, error) {
	observed, err := in.observedState()
	if err != nil {
		return nil, err
	}
	fctx, err := structpb.NewStruct(in.context)
	if err != nil {
		return nil, fmt.Errorf("context: %w", err)
	}
	out := &outcome{desired: &fnv1.State{}, context: fctx}
	for _, s := range in.composition.Spec.Pipeline {
		req, err := in.request(s)
		if err != nil {
			return nil, err
		}
		req.Observed, req.Desired, req.Context = observed, out.desired, out.context
		rsp, err := in.runStep(ctx, s, function(s, log).RunFunction, req, log)
		if err != nil {
			return nil, err
		}
		if err := out.add(s, rsp.GetResults(), log); err != nil {
			return nil, err
		}
		out.addConditions(s, rsp.GetConditions(), log)
		out.desired, out.context = rsp.GetDesired(), rsp.GetContext()
	}
	return out, nil
}

// function is the one that a step runs. Each step has one of its own, so that
// its notices can say where they come from.
func function(s step, log io.Writer) *fn.Function {
	return fn.New(fn.Options{Notify: func(n fn.Notice) {
		say(log, "NOTICE", s.Step, n.Place+": "+n.Text)
	}})
}

// say writes what a step has to say.
func say(log io.Writer, severity, step, message string) {
	message = strings.ReplaceAll(message, "\n", "\n  ")
	_, _ = fmt.Fprintf(log, "%s step %q: %s\n", severity, step, message)
}

func (o *outcome) add(s step, results []*fnv1.Result, log io.Writer) error {
	fatal := false
	for _, r := range results {
		switch r.GetSeverity() {
		case fnv1.Severity_SEVERITY_FATAL:
			fatal = true
			say(log, "FATAL", s.Step, r.GetMessage())
		case fnv1.Severity_SEVERITY_NORMAL:
			say(log, "NORMAL", s.Step, r.GetMessage())
			o.results = append(o.results, result{s.Step, "Normal", r.GetMessage()})
		default:
			say(log, "WARNING", s.Step, r.GetMessage())
			o.results = append(o.results, result{s.Step, "Warning", r.GetMessage()})
		}
	}
	if fatal {
		return fmt.Errorf("step %q returned a fatal result: nothing is applied", s.Step)
	}
	return nil
}

// request makes the part of a step's request that is its own.
func (in *inputs) request(s step) (*fnv1.RunFunctionRequest, error) {
	req := &fnv1.RunFunctionRequest{
		Meta: &fnv1.RequestMeta{Tag: s.Step, Capabilities: []fnv1.Capability{
			fnv1.Capability_CAPABILITY_CAPABILITIES,
			fnv1.Capability_CAPABILITY_REQUIRED_RESOURCES,
			fnv1.Capability_CAPABILITY_CREDENTIALS,
			fnv1.Capability_CAPABILITY_CONDITIONS,
			fnv1.Capability_CAPABILITY_REQUIRED_SCHEMAS,
		}},
		Credentials: map[string]*fnv1.Credentials{},
	}
	if s.Input != nil {
		input, err := structpb.NewStruct(s.Input)
		if err != nil {
			return nil, in.composition.manifest.errorf("step %q: input: %w", s.Step, err)
		}
		req.Input = input
	}
	for _, c := range s.Credentials {
		if c.Source != "Secret" {
			continue
		}
		key := c.SecretRef.Namespace + "/" + c.SecretRef.Name
		data, ok := in.secrets[key]
		if !ok {
			return nil, in.composition.manifest.errorf("step %q: credentials %q: there is no Secret %s; give it with --function-credentials",
				s.Step, c.Name, key)
		}
		req.Credentials[c.Name] = &fnv1.Credentials{Source: &fnv1.Credentials_CredentialData{
			CredentialData: &fnv1.CredentialData{Data: data},
		}}
	}
	return req, nil
}

// observedState is what Crossplane would tell the functions that it observes.
func (in *inputs) observedState() (*fnv1.State, error) {
	xr, err := in.observedResource(in.xr, in.observedXR())
	if err != nil {
		return nil, err
	}
	state := &fnv1.State{Composite: xr, Resources: map[string]*fnv1.Resource{}}
	for _, name := range slices.Sorted(maps.Keys(in.observed)) {
		m := in.observed[name]
		if err := in.checkObserved(m); err != nil {
			return nil, err
		}
		r, err := in.observedResource(m, m.object)
		if err != nil {
			return nil, err
		}
		state.Resources[name] = r
	}
	return state, nil
}

func (in *inputs) observedResource(m manifest, object map[string]any) (*fnv1.Resource, error) {
	s, err := structpb.NewStruct(object)
	if err != nil {
		return nil, m.errorf("%w", err)
	}
	return &fnv1.Resource{Resource: s, ConnectionDetails: in.connectionDetails(object)}, nil
}

// connectionDetails are what is in the connection Secret of an observed
// resource, when that Secret was given.
func (in *inputs) connectionDetails(object map[string]any) map[string][]byte {
	ref := objectAt(object, "spec", "writeConnectionSecretToRef")
	namespace := namespaceOf(object)
	if namespace == "" {
		namespace = stringAt(ref, "namespace")
	}
	return in.secrets[namespace+"/"+stringAt(ref, "name")]
}

// checkObserved refuses resources that Crossplane would not take for composed
// resources of this composite resource.
func (in *inputs) checkObserved(m manifest) error {
	if owner := controllerOf(m.object); owner != nil && stringAt(owner, "uid") != in.uid() {
		return m.errorf("%s: is controlled by %s/%s with the uid %q, but the uid of the composite resource is %q; "+
			"give the composite resource its metadata.uid, or leave the owner references out",
			m, kindOf(owner), stringAt(owner, "name"), stringAt(owner, "uid"), in.uid())
	}
	if ns := namespaceOf(in.xr.object); ns != "" && namespaceOf(m.object) != ns {
		return m.errorf("%s: is in the namespace %q, but the composite resource, and so all it composes, is in %q",
			m, namespaceOf(m.object), ns)
	}
	return nil
}

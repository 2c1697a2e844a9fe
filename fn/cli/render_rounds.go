package cli

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
)

// maxFetches is how often Crossplane fetches what a step requires.
const maxFetches = 5

// runFunction runs a function, as Crossplane does over gRPC.
type runFunction func(context.Context, *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error)

// runStep runs a step, with what it requires, and says what of it is not there.
func (in *inputs) runStep(
	ctx context.Context, s step, run runFunction, req *fnv1.RunFunctionRequest, log io.Writer,
) (*fnv1.RunFunctionResponse, error) {
	f := in.fetcher()
	first, err := f.first(s.Requirements.RequiredResources)
	if err != nil {
		return nil, err
	}
	req.RequiredResources = first
	rsp, err := rounds(ctx, run, req, f)
	// What is missing may be why it failed.
	for _, text := range slices.Sorted(maps.Keys(f.missing)) {
		say(log, "NOTICE", s.Step, text)
	}
	if err != nil {
		return nil, fmt.Errorf("step %q: %w", s.Step, err)
	}
	return rsp, nil
}

// rounds runs a function again and again, each time with what it required the
// time before, until it requires nothing else, or fails. Its answer is the last
// one: of those before it, only the context goes on to the next round.
func rounds(
	ctx context.Context, run runFunction, req *fnv1.RunFunctionRequest, f *fetcher,
) (*fnv1.RunFunctionResponse, error) {
	first := req.GetRequiredResources()
	var required *fnv1.Requirements
	for range maxFetches + 1 {
		rsp, err := run(ctx, req)
		if err != nil {
			return nil, err
		}
		if isFatal(rsp) || proto.Equal(rsp.GetRequirements(), required) {
			return rsp, nil
		}
		required = rsp.GetRequirements()
		req.Context = rsp.GetContext()
		req.RequiredResources = maps.Clone(first)
		if err := f.fetchAll(req.RequiredResources, required.GetResources()); err != nil {
			return nil, err
		}
		extra := map[string]*fnv1.Resources{}
		if err := f.fetchAll(extra, required.GetExtraResources()); err != nil { //nolint:staticcheck // Functions may still ask this way.
			return nil, err
		}
		req.ExtraResources = extra //nolint:staticcheck // As above.
	}
	return nil, fmt.Errorf("what it requires changes from call to call, and has not settled after %d calls: Crossplane gives up", maxFetches+1)
}

func isFatal(rsp *fnv1.RunFunctionResponse) bool {
	return slices.ContainsFunc(rsp.GetResults(), func(r *fnv1.Result) bool {
		return r.GetSeverity() == fnv1.Severity_SEVERITY_FATAL
	})
}

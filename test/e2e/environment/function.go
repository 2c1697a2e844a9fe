package main

import (
	"context"
	"fmt"
	"maps"

	"github.com/crossplane/crossplane-runtime/v2/pkg/fieldpath"
	"github.com/crossplane/function-sdk-go/logging"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/request"
	"github.com/crossplane/function-sdk-go/response"
	"google.golang.org/protobuf/types/known/structpb"
)

// contextKey is where functions look for the environment.
const contextKey = "apiextensions.crossplane.io/environment"

// Function fills the environment.
type Function struct {
	fnv1.UnimplementedFunctionRunnerServiceServer

	log logging.Logger
}

// RunFunction requires the EnvironmentConfigs of its input. Once it is given
// them, it merges them into the environment. What it produces is always there.
func (f *Function) RunFunction(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	f.log.Debug("Running", "tag", req.GetMeta().GetTag())
	rsp := response.To(req, response.DefaultTTL)
	if err := run(req, rsp); err != nil {
		response.Fatal(rsp, err)
	}
	return rsp, nil
}

func run(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse) error {
	in, err := decode(req.GetInput())
	if err != nil {
		return err
	}
	if err := produce(rsp, in.Spec.Produce); err != nil {
		return err
	}
	xr := req.GetObserved().GetComposite().GetResource().AsMap()
	if rsp.Requirements, err = requirements(in.Spec.EnvironmentConfigs, xr); err != nil {
		return err
	}
	return fill(req, rsp, in.Spec)
}

// produce adds resources to the desired state.
func produce(rsp *fnv1.RunFunctionResponse, resources map[string]map[string]any) error {
	if len(resources) == 0 {
		return nil
	}
	if rsp.GetDesired() == nil {
		rsp.Desired = &fnv1.State{}
	}
	if rsp.GetDesired().GetResources() == nil {
		rsp.Desired.Resources = map[string]*fnv1.Resource{}
	}
	for name, manifest := range resources {
		s, err := structpb.NewStruct(manifest)
		if err != nil {
			return fmt.Errorf("input: spec.produce[%s]: %w", name, err)
		}
		rsp.Desired.Resources[name] = &fnv1.Resource{Resource: s}
	}
	return nil
}

// requirements asks Crossplane for the EnvironmentConfigs of each source.
func requirements(sources []Source, xr map[string]any) (*fnv1.Requirements, error) {
	out := &fnv1.Requirements{Resources: map[string]*fnv1.ResourceSelector{}}
	for i, s := range sources {
		selector := &fnv1.ResourceSelector{ApiVersion: "apiextensions.crossplane.io/v1beta1", Kind: "EnvironmentConfig"}
		if s.Type == "Selector" {
			labels, err := s.Selector.labels(xr)
			if err != nil {
				return nil, err
			}
			selector.Match = &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{Labels: labels}}
		} else {
			selector.Match = &fnv1.ResourceSelector_MatchName{MatchName: s.Ref.Name}
		}
		out.Resources[requirementName(i)] = selector
	}
	return out, nil
}

func requirementName(source int) string {
	return fmt.Sprintf("environment-config-%d", source)
}

func (s *Selector) labels(xr map[string]any) (map[string]string, error) {
	out := map[string]string{}
	for _, m := range s.MatchLabels {
		if m.Type == "Value" {
			out[m.Key] = m.Value
			continue
		}
		value, err := fieldpath.Pave(xr).GetString(m.ValueFromFieldPath)
		if err != nil {
			return nil, fmt.Errorf("label %s: composite resource: %w", m.Key, err)
		}
		out[m.Key] = value
	}
	return out, nil
}

// fill merges what is there already, the default data, and the
// EnvironmentConfigs: a later one wins. It waits until it was given the latter.
func fill(req *fnv1.RunFunctionRequest, rsp *fnv1.RunFunctionResponse, spec Spec) error {
	environment := map[string]any{}
	if before, ok := request.GetContextKey(req, contextKey); ok {
		environment = before.GetStructValue().AsMap()
	}
	merge(environment, spec.DefaultData)
	for i, source := range spec.EnvironmentConfigs {
		configs, ok := req.GetRequiredResources()[requirementName(i)]
		if !ok {
			return nil
		}
		if got := len(configs.GetItems()); !source.isMet(got) {
			return fmt.Errorf("spec.environmentConfigs[%d]: %d EnvironmentConfigs match", i, got)
		}
		for _, c := range configs.GetItems() {
			merge(environment, c.GetResource().GetFields()["data"].GetStructValue().AsMap())
		}
	}
	s, err := structpb.NewStruct(environment)
	if err != nil {
		return fmt.Errorf("environment: %w", err)
	}
	response.SetContextKey(rsp, contextKey, structpb.NewStructValue(s))
	return nil
}

// merge writes what is in from to into. Objects are merged, all else is replaced.
func merge(into, from map[string]any) {
	for key, v := range from {
		object, ok := v.(map[string]any)
		if !ok {
			into[key] = v
			continue
		}
		merged := map[string]any{}
		if before, ok := into[key].(map[string]any); ok {
			maps.Copy(merged, before)
		}
		merge(merged, object)
		into[key] = merged
	}
}

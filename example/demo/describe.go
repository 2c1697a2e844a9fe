package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"
)

func describeRequest(w io.Writer, example string, req *fnv1.RunFunctionRequest) {
	xr := req.GetObserved().GetComposite().GetResource()
	heading(w, "2. Crossplane asks what to compose for "+title(xr)+" ("+example+")",
		"spec:\n%s\nobserved: %s", indent(toYAML(xr.GetFields()["spec"])), names(req.GetObserved().GetResources()))
}

func describeResponse(w io.Writer, xr string, rsp *fnv1.RunFunctionResponse, first, second time.Duration) {
	desired := rsp.GetDesired()
	heading(w, fmt.Sprintf("3. The function composes %d resources", len(desired.GetResources())),
		"in %s, connecting and compiling the input included; in %s when asked again", round(first), round(second))
	for _, name := range slices.Sorted(maps.Keys(desired.GetResources())) {
		r := desired.GetResources()[name]
		heading(w, indent(name+readiness(r.GetReady())), "%s", indent(toYAML(structpb.NewStructValue(r.GetResource()))))
	}
	composite := desired.GetComposite()
	heading(w, "4. And it says of "+xr+readiness(composite.GetReady()), "status:\n%s\nconnection details: %s",
		indent(toYAML(composite.GetResource().GetFields()["status"])), names(composite.GetConnectionDetails()))
	for _, r := range rsp.GetResults() {
		severity := strings.ToLower(strings.TrimPrefix(r.GetSeverity().String(), "SEVERITY_"))
		_, _ = fmt.Fprintln(w, indent(severity+": "+r.GetMessage()))
	}
}

func readiness(r fnv1.Ready) string {
	switch r {
	case fnv1.Ready_READY_TRUE:
		return ": ready"
	case fnv1.Ready_READY_FALSE:
		return ": not ready"
	default:
		return ""
	}
}

func title(object *structpb.Struct) string {
	name := object.GetFields()["metadata"].GetStructValue().GetFields()["name"].GetStringValue()
	return object.GetFields()["kind"].GetStringValue() + " " + name
}

func toYAML(v *structpb.Value) string {
	data, err := yaml.Marshal(v.AsInterface())
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func names[V any](m map[string]V) string {
	return strings.Join(slices.Sorted(maps.Keys(m)), ", ")
}

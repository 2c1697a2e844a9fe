package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"
)

// request is what Crossplane would ask the function of the example's pipeline:
// the input of its first step, and what is observed.
func request(example string) (*fnv1.RunFunctionRequest, error) {
	composition, err := read(example, "composition.yaml")
	if err != nil {
		return nil, err
	}
	xr, err := read(example, "xr.yaml")
	if err != nil {
		return nil, err
	}
	observed, err := read(example, "observed.yaml")
	if err != nil {
		return nil, err
	}
	input := composition[0].GetFields()["spec"].GetStructValue().GetFields()["pipeline"].
		GetListValue().GetValues()[0].GetStructValue().GetFields()["input"].GetStructValue()
	req := &fnv1.RunFunctionRequest{
		Meta:  &fnv1.RequestMeta{Tag: "demo"},
		Input: input,
		Observed: &fnv1.State{
			Composite: &fnv1.Resource{Resource: xr[0]},
			Resources: map[string]*fnv1.Resource{},
		},
	}
	for _, o := range observed {
		// What a provider writes to the connection Secret of a resource.
		details := map[string][]byte{"username": []byte("app"), "attribute.password": []byte("not-a-real-password")}
		req.Observed.Resources[resourceName(o)] = &fnv1.Resource{Resource: o, ConnectionDetails: details}
	}
	return req, nil
}

// read decodes the documents of a file of the example.
func read(example, name string) ([]*structpb.Struct, error) {
	data, err := os.ReadFile(filepath.Join(example, name))
	if err != nil {
		return nil, err
	}
	var out []*structpb.Struct
	for doc := range strings.SplitSeq(string(data), "\n---\n") {
		var object map[string]any
		if err := yaml.Unmarshal([]byte(doc), &object); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s, err := structpb.NewStruct(object)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		out = append(out, s)
	}
	return out, nil
}

// resourceName is the name that an observed resource has in the composition.
func resourceName(o *structpb.Struct) string {
	return o.GetFields()["metadata"].GetStructValue().GetFields()["annotations"].
		GetStructValue().GetFields()["crossplane.io/composition-resource-name"].GetStringValue()
}

package main

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"
)

const classes = "../../../example/classes/namespaced"

// TestExample holds the environments that the example of classes is rendered
// with against what its step gives of its EnvironmentConfigs.
func TestExample(t *testing.T) {
	composition := read(t, "composition.yaml")[0]
	steps := composition.GetFields()["spec"].GetStructValue().GetFields()["pipeline"].GetListValue().GetValues()
	input := steps[0].GetStructValue().GetFields()["input"].GetStructValue()
	configs := read(t, "classes.yaml")
	for _, variant := range []string{"team-a", "team-b", "premium"} {
		t.Run(variant, func(t *testing.T) {
			req := &fnv1.RunFunctionRequest{Input: input, Observed: &fnv1.State{
				Composite: &fnv1.Resource{Resource: read(t, "xr-"+variant+".yaml")[0]},
			}}
			// The API server fills in the default.
			spec := req.GetObserved().GetComposite().GetResource().GetFields()["spec"].GetStructValue().GetFields()
			if spec["class"] == nil {
				spec["class"] = structpb.NewStringValue("standard")
			}
			req.RequiredResources = map[string]*fnv1.Resources{}
			for name, selector := range call(t, req).GetRequirements().GetResources() {
				req.RequiredResources[name] = matching(configs, selector.GetMatchLabels().GetLabels())
			}
			want := read(t, "environment-"+variant+".yaml")[0].AsMap()
			got := call(t, req).GetContext().GetFields()[contextKey].GetStructValue().AsMap()
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("environment (-want +got):\n%s", diff)
			}
		})
	}
}

// matching gives the objects that have labels, as Crossplane would.
func matching(objects []*structpb.Struct, labels map[string]string) *fnv1.Resources {
	out := &fnv1.Resources{}
	for _, o := range objects {
		has := map[string]string{}
		for key, v := range o.GetFields()["metadata"].GetStructValue().GetFields()["labels"].GetStructValue().GetFields() {
			has[key] = v.GetStringValue()
		}
		if maps.Equal(has, labels) {
			out.Items = append(out.Items, &fnv1.Resource{Resource: o})
		}
	}
	return out
}

func read(t *testing.T, name string) (out []*structpb.Struct) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(classes, name))
	if err != nil {
		t.Fatal(err)
	}
	for doc := range bytes.SplitSeq(data, []byte("\n---\n")) {
		object := map[string]any{}
		if err := yaml.Unmarshal(doc, &object); err != nil {
			t.Fatal(err)
		}
		s, err := structpb.NewStruct(object)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, s)
	}
	return out
}

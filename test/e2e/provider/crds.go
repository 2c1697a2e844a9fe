package provider

import (
	"embed"
	"fmt"
	"path"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/yaml"

	cluster "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/cluster/v1alpha1"
	namespaced "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/namespaced/v1alpha1"
	rival "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/rival/v1alpha1"
)

//go:embed crds/*.yaml
var crds embed.FS

// CRDs returns the definitions of all kinds of managed resources. They are the
// caller's to change. It panics if they were generated wrongly.
func CRDs() []*extv1.CustomResourceDefinition {
	files, err := crds.ReadDir("crds")
	if err != nil {
		panic(err)
	}
	out := make([]*extv1.CustomResourceDefinition, len(files))
	for i, f := range files {
		data, err := crds.ReadFile(path.Join("crds", f.Name()))
		if err != nil {
			panic(err)
		}
		out[i] = &extv1.CustomResourceDefinition{}
		if err := yaml.UnmarshalStrict(data, out[i]); err != nil {
			panic(fmt.Sprintf("%s: %v", f.Name(), err))
		}
	}
	return out
}

// AddToScheme registers all kinds of managed resources.
func AddToScheme(s *runtime.Scheme) error {
	return (&runtime.SchemeBuilder{cluster.AddToScheme, namespaced.AddToScheme, rival.AddToScheme}).AddToScheme(s)
}

package stub
import (
 _ "sigs.k8s.io/controller-runtime/pkg/envtest"
 _ "sigs.k8s.io/controller-runtime"
 _ "github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
 _ "github.com/google/go-containerregistry/pkg/registry"
 _ "github.com/google/go-containerregistry/pkg/v1/remote"
 _ "k8s.io/kubernetes/pkg/controller/garbagecollector"
 _ "github.com/crossplane/crossplane/apis/v2/apiextensions/v1"
 _ "golang.org/x/sys/unix"
 _ "sigs.k8s.io/yaml"
 _ "k8s.io/api/apps/v1"
 _ "k8s.io/client-go/restmapper"
 _ "github.com/google/go-cmp/cmp"
)

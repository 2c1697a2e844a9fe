package provider

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/crossplane/crossplane-runtime/v2/pkg/resource"
)

func TestEachKindHasADefinitionAndAnAdapter(t *testing.T) {
	s := runtime.NewScheme()
	if err := AddToScheme(s); err != nil {
		t.Fatal(err)
	}
	scopes := map[string]string{}
	for _, crd := range CRDs() {
		scopes[crd.Spec.Group+"/"+crd.Spec.Names.Kind] = string(crd.Spec.Scope)
	}
	if len(scopes) != len(kinds()) {
		t.Errorf("%d definitions of %d kinds", len(scopes), len(kinds()))
	}
	for _, k := range kinds() {
		o := k.object()
		gvk, err := apiutil.GVKForObject(o, s)
		if err != nil {
			t.Fatal(err)
		}
		scope := scopes[gvk.Group+"/"+gvk.Kind]
		_, modern := o.(resource.ModernManaged)
		_, legacy := o.(resource.LegacyManaged) //nolint:staticcheck // It is what cluster-scoped kinds still are.
		if modern != (scope == "Namespaced") || legacy != (scope == "Cluster") {
			t.Errorf("%s: scope %q, modern %t, legacy %t", gvk, scope, modern, legacy)
		}
	}
}

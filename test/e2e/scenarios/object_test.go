package scenarios

import (
	"errors"
	"fmt"
	"reflect"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/crossplane/crossplane-runtime/v2/pkg/fieldpath"
)

// An object is one of the cluster's, as it was when it was read.
type object struct{ *unstructured.Unstructured }

// kind has the apiVersion and the kind of objects.
type kind struct{ apiVersion, kind string }

// The kinds of Kubernetes and of the provider, and those of the provider that
// are cluster-scoped.
var (
	configMapKind       = kind{"v1", "ConfigMap"}
	databaseKind        = kind{"favourite.m.example.org/v1alpha1", "FavouriteDBInstance"}
	networkKind         = kind{"favourite.m.example.org/v1alpha1", "FavouriteNetwork"}
	clusterDatabaseKind = kind{"favourite.example.org/v1alpha1", "FavouriteDBInstance"}
	clusterNetworkKind  = kind{"favourite.example.org/v1alpha1", "FavouriteNetwork"}
	rivalDatabaseKind   = kind{"rival.m.example.org/v1alpha1", "RivalDatabase"}
)

// get reads an object. Its namespace is empty if it is cluster-scoped.
func (s *story) get(k kind, namespace, name string) (object, error) {
	o := &unstructured.Unstructured{}
	o.SetAPIVersion(k.apiVersion)
	o.SetKind(k.kind)
	err := here.Client.Get(s.Context(), client.ObjectKey{Namespace: namespace, Name: name}, o)
	return object{o}, err
}

// composed reads the resources that a composite resource refers to and that
// exist, by their names in the composition.
func (s *story) composed(xr object) (map[string]object, error) {
	refs, err := xr.array("spec.crossplane.resourceRefs")
	if err != nil {
		refs, err = xr.array("spec.resourceRefs")
	}
	if err != nil {
		return nil, nil //nolint:nilerr // It has none yet.
	}
	found := map[string]object{}
	for _, r := range refs {
		ref := object{&unstructured.Unstructured{Object: r.(map[string]any)}}
		namespace := xr.GetNamespace()
		if ns, err := ref.text("namespace"); err == nil {
			namespace = ns
		}
		name, _ := ref.text("name") // Without one it cannot be found.
		o, err := s.get(kind{ref.GetAPIVersion(), ref.GetKind()}, namespace, name)
		if apierrors.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		found[o.GetAnnotations()["crossplane.io/composition-resource-name"]] = o
	}
	return found, nil
}

// text reads a string at a field path.
func (o object) text(path string) (string, error) { return fieldpath.Pave(o.Object).GetString(path) }

// value reads what is at a field path, nil if nothing is.
func (o object) value(path string) any {
	v, err := fieldpath.Pave(o.Object).GetValue(path)
	if err != nil {
		return nil
	}
	return v
}

func (o object) array(path string) ([]any, error) {
	var out []any
	err := fieldpath.Pave(o.Object).GetValueInto(path, &out)
	return out, err
}

// has returns an error that names each field that is not as it should be.
func (o object) has(want map[string]any) error {
	var wrong []error
	for path, value := range want {
		if got := o.value(path); !reflect.DeepEqual(got, value) {
			wrong = append(wrong, fmt.Errorf("%s %s: %s is %#v, and not %#v", o.GetKind(), o.GetName(), path, got, value))
		}
	}
	return errors.Join(wrong...)
}

// condition returns an error unless a condition has a status.
func (o object) condition(kind, status string) error {
	conditions, _ := o.array("status.conditions") // It may have none.
	for _, c := range conditions {
		if c := c.(map[string]any); c["type"] == kind {
			if c["status"] == status {
				return nil
			}
			return fmt.Errorf("%s %s: condition %s is %v: %v: %v", o.GetKind(), o.GetName(), kind, c["status"], c["reason"], c["message"])
		}
	}
	return fmt.Errorf("%s %s has no condition %s", o.GetKind(), o.GetName(), kind)
}

// ready returns an error unless the object is ready, and synced.
func (o object) ready() error {
	return errors.Join(o.condition("Synced", "True"), o.condition("Ready", "True"))
}

// secret reads the data of a Secret as texts.
func (s *story) secret(namespace, name string) (map[string]string, error) {
	secret := &corev1.Secret{}
	if err := here.Client.Get(s.Context(), client.ObjectKey{Namespace: namespace, Name: name}, secret); err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for k, v := range secret.Data {
		texts[k] = string(v)
	}
	return texts, nil
}

// list reads all objects of a kind in a namespace, or everywhere if it is empty.
func (s *story) list(k kind, namespace string) ([]object, error) {
	l := &unstructured.UnstructuredList{}
	l.SetAPIVersion(k.apiVersion)
	l.SetKind(k.kind)
	if err := here.Client.List(s.Context(), l, client.InNamespace(namespace)); err != nil {
		return nil, err
	}
	out := make([]object, len(l.Items))
	for i := range l.Items {
		out[i] = object{&l.Items[i]}
	}
	return out, nil
}

// composite reads the composite resource of a claim, which is of another kind
// in the same group.
func (s *story) composite(claims kind, namespace, name, composite string) (object, error) {
	claim, err := s.get(claims, namespace, name)
	if err != nil {
		return object{}, err
	}
	xr, err := claim.text("spec.resourceRef.name")
	if err != nil {
		return object{}, err
	}
	return s.get(kind{claims.apiVersion, composite}, "", xr)
}

// Package v1alpha1 has the managed resources of the rival provider, which knows
// the same things by other names.
//
// +kubebuilder:object:generate=true
// +groupName=rival.m.example.org
// +versionName=v1alpha1
package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// GroupVersion of the kinds.
var GroupVersion = schema.GroupVersion{Group: "rival.m.example.org", Version: "v1alpha1"}

// AddToScheme registers the kinds.
func AddToScheme(s *runtime.Scheme) error {
	b := &scheme.Builder{GroupVersion: GroupVersion}
	return b.Register(&RivalDatabase{}, &RivalDatabaseList{}).AddToScheme(s)
}

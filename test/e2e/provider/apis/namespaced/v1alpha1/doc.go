// Package v1alpha1 has the namespaced managed resources of the favourite provider.
//
// +kubebuilder:object:generate=true
// +groupName=favourite.m.example.org
// +versionName=v1alpha1
package v1alpha1

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/scheme"
)

// GroupVersion of the kinds.
var GroupVersion = schema.GroupVersion{Group: "favourite.m.example.org", Version: "v1alpha1"}

// AddToScheme registers the kinds.
func AddToScheme(s *runtime.Scheme) error {
	b := &scheme.Builder{GroupVersion: GroupVersion}
	return b.Register(
		&FavouriteDBInstance{}, &FavouriteDBInstanceList{},
		&FavouriteNetwork{}, &FavouriteNetworkList{},
		&FavouriteSubnet{}, &FavouriteSubnetList{},
		&FavouriteRoute{}, &FavouriteRouteList{},
		&FavouriteMachine{}, &FavouriteMachineList{},
	).AddToScheme(s)
}

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/base"
)

// FavouriteRouteParameters are what a route shall be like.
type FavouriteRouteParameters struct {
	// Region that the route is in. It cannot be changed.
	Region string `json:"region"`

	// SubnetID is the id of the subnet that the route leads out of. It cannot be
	// changed.
	SubnetID string `json:"subnetID"`

	// CIDRBlock is the range of addresses that the route leads to.
	// +kubebuilder:validation:Pattern=`^([0-9]{1,3}\.){3}[0-9]{1,3}/[0-9]{1,2}$`
	CIDRBlock string `json:"cidrBlock"`

	// Gateway that the route goes through.
	// +optional
	Gateway *string `json:"gateway,omitempty"`
}

// FavouriteRouteInitParameters are what a route is created like, where
// forProvider does not say it. Later they mean nothing.
type FavouriteRouteInitParameters struct {
	// Gateway that the route goes through.
	// +optional
	Gateway *string `json:"gateway,omitempty"`
}

// FavouriteRouteObservation is what a route is like.
type FavouriteRouteObservation struct {
	// ID that the cloud knows the route by.
	// +optional
	ID *string `json:"id,omitempty"`

	// State is creating, available, updating or deleting.
	// +optional
	State *string `json:"state,omitempty"`
}

// A FavouriteRouteSpec is what a route shall be like.
type FavouriteRouteSpec struct {
	base.ModernSpec `json:",inline"`

	ForProvider  FavouriteRouteParameters     `json:"forProvider"`
	InitProvider FavouriteRouteInitParameters `json:"initProvider,omitempty"`
}

// A FavouriteRouteStatus is what a route is like.
type FavouriteRouteStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider FavouriteRouteObservation `json:"atProvider,omitempty"`
}

// A FavouriteRoute is a way out of a subnet in the cloud.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,favourite}
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
type FavouriteRoute struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	FavouriteRouteSpec   `json:"spec"`
	FavouriteRouteStatus `json:"status,omitempty"`
}

// Parts returns what the route shall be like, shall be created like, and is like.
func (r *FavouriteRoute) Parts() (forProvider, initProvider, atProvider any) {
	return &r.ForProvider, &r.InitProvider, &r.AtProvider
}

// A FavouriteRouteList is a list of routes.
// +kubebuilder:object:root=true
type FavouriteRouteList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []FavouriteRoute `json:"items"`
}

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/base"
	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/favourite"
)

// A FavouriteNetworkSpec is what a network shall be like.
type FavouriteNetworkSpec struct {
	base.ModernSpec `json:",inline"`

	ForProvider  favourite.NetworkParameters     `json:"forProvider"`
	InitProvider favourite.NetworkInitParameters `json:"initProvider,omitempty"`
}

// A FavouriteNetworkStatus is what a network is like.
type FavouriteNetworkStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider favourite.NetworkObservation `json:"atProvider,omitempty"`
}

// A FavouriteNetwork is a network in the cloud.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,favourite}
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="CIDR",type="string",JSONPath=".spec.forProvider.cidrBlock"
// +kubebuilder:printcolumn:name="STATE",type="string",JSONPath=".status.atProvider.state"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
type FavouriteNetwork struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	FavouriteNetworkSpec   `json:"spec"`
	FavouriteNetworkStatus `json:"status,omitempty"`
}

// Parts returns what the network shall be like, shall be created like, and is like.
func (r *FavouriteNetwork) Parts() (forProvider, initProvider, atProvider any) {
	return &r.ForProvider, &r.InitProvider, &r.AtProvider
}

// A FavouriteNetworkList is a list of networks.
// +kubebuilder:object:root=true
type FavouriteNetworkList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []FavouriteNetwork `json:"items"`
}

package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/base"
)

// FavouriteSubnetParameters are what a subnet shall be like.
type FavouriteSubnetParameters struct {
	// Region that the subnet is in. It cannot be changed.
	Region string `json:"region"`

	// NetworkID is the id of the network that the subnet is part of. It cannot be
	// changed.
	NetworkID string `json:"networkID"`

	// CIDRBlock is the range of the subnet's addresses, part of the network's. It
	// cannot be changed.
	// +kubebuilder:validation:Pattern=`^([0-9]{1,3}\.){3}[0-9]{1,3}/[0-9]{1,2}$`
	CIDRBlock string `json:"cidrBlock"`

	// Zone of the region that the subnet is in. It is chosen by the cloud unless it
	// is set, and cannot be changed.
	// +optional
	Zone *string `json:"zone,omitempty"`

	// Tags of the subnet.
	// +optional
	Tags map[string]string `json:"tags,omitempty"`
}

// FavouriteSubnetInitParameters are what a subnet is created like, where
// forProvider does not say it. Later they mean nothing.
type FavouriteSubnetInitParameters struct {
	// Zone of the region that the subnet is in.
	// +optional
	Zone *string `json:"zone,omitempty"`

	// Tags of the subnet.
	// +optional
	Tags map[string]string `json:"tags,omitempty"`
}

// FavouriteSubnetObservation is what a subnet is like.
type FavouriteSubnetObservation struct {
	// ID that the cloud knows the subnet by.
	// +optional
	ID *string `json:"id,omitempty"`

	// State is creating, available, updating or deleting.
	// +optional
	State *string `json:"state,omitempty"`

	// Zone of the region that the subnet is in.
	// +optional
	Zone *string `json:"zone,omitempty"`
}

// A FavouriteSubnetSpec is what a subnet shall be like.
type FavouriteSubnetSpec struct {
	base.ModernSpec `json:",inline"`

	ForProvider  FavouriteSubnetParameters     `json:"forProvider"`
	InitProvider FavouriteSubnetInitParameters `json:"initProvider,omitempty"`
}

// A FavouriteSubnetStatus is what a subnet is like.
type FavouriteSubnetStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider FavouriteSubnetObservation `json:"atProvider,omitempty"`
}

// A FavouriteSubnet is a part of a network in the cloud.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,favourite}
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="CIDR",type="string",JSONPath=".spec.forProvider.cidrBlock"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
type FavouriteSubnet struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	FavouriteSubnetSpec   `json:"spec"`
	FavouriteSubnetStatus `json:"status,omitempty"`
}

// Parts returns what the subnet shall be like, shall be created like, and is like.
func (r *FavouriteSubnet) Parts() (forProvider, initProvider, atProvider any) {
	return &r.ForProvider, &r.InitProvider, &r.AtProvider
}

// A FavouriteSubnetList is a list of subnets.
// +kubebuilder:object:root=true
type FavouriteSubnetList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []FavouriteSubnet `json:"items"`
}

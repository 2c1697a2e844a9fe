package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/base"
)

// FavouriteMachineParameters are what a machine shall be like.
type FavouriteMachineParameters struct {
	// Region that the machine is in. It cannot be changed.
	Region string `json:"region"`

	// NetworkID is the id of the network that the machine is in. It cannot be
	// changed.
	NetworkID string `json:"networkID"`

	// Class of the machine.
	// +kubebuilder:validation:Enum=small;medium;large;xlarge
	// +optional
	Class *string `json:"class,omitempty"`

	// AllowedFrom are the ranges of addresses that may connect to the machine.
	// +optional
	AllowedFrom []string `json:"allowedFrom,omitempty"`

	// Tags of the machine.
	// +optional
	Tags map[string]string `json:"tags,omitempty"`
}

// FavouriteMachineInitParameters are what a machine is created like, where
// forProvider does not say it. Later they mean nothing.
type FavouriteMachineInitParameters struct {
	// Class of the machine.
	// +kubebuilder:validation:Enum=small;medium;large;xlarge
	// +optional
	Class *string `json:"class,omitempty"`
}

// FavouriteMachineObservation is what a machine is like.
type FavouriteMachineObservation struct {
	// ID that the cloud knows the machine by.
	// +optional
	ID *string `json:"id,omitempty"`

	// State is creating, available, updating or deleting.
	// +optional
	State *string `json:"state,omitempty"`

	// Address of the machine, once it is available.
	// +optional
	Address *string `json:"address,omitempty"`
}

// A FavouriteMachineSpec is what a machine shall be like.
type FavouriteMachineSpec struct {
	base.ModernSpec `json:",inline"`

	ForProvider  FavouriteMachineParameters     `json:"forProvider"`
	InitProvider FavouriteMachineInitParameters `json:"initProvider,omitempty"`
}

// A FavouriteMachineStatus is what a machine is like.
type FavouriteMachineStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider FavouriteMachineObservation `json:"atProvider,omitempty"`
}

// A FavouriteMachine is a virtual machine in the cloud.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,favourite}
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
type FavouriteMachine struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	FavouriteMachineSpec   `json:"spec"`
	FavouriteMachineStatus `json:"status,omitempty"`
}

// Parts returns what the machine shall be like, shall be created like, and is like.
func (r *FavouriteMachine) Parts() (forProvider, initProvider, atProvider any) {
	return &r.ForProvider, &r.InitProvider, &r.AtProvider
}

// A FavouriteMachineList is a list of machines.
// +kubebuilder:object:root=true
type FavouriteMachineList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []FavouriteMachine `json:"items"`
}

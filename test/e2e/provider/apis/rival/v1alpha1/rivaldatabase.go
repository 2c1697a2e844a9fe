package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/base"
)

// RivalDatabaseParameters are what a database shall be like.
type RivalDatabaseParameters struct {
	// Flavour of the database. It cannot be changed.
	// +kubebuilder:validation:Enum=PostgreSQL;MySQL
	Flavour string `json:"flavour"`

	// DiskSize is a number of Gi. It cannot shrink.
	// +kubebuilder:validation:Pattern=`^[1-9][0-9]{0,8}Gi$`
	DiskSize string `json:"diskSize"`

	// Location of the database. It cannot be changed.
	Location string `json:"location"`

	// Labels of the database.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
}

// RivalDatabaseInitParameters are what a database is created like, where
// forProvider does not say it. Later they mean nothing.
type RivalDatabaseInitParameters struct {
	// Flavour of the database.
	// +kubebuilder:validation:Enum=PostgreSQL;MySQL
	// +optional
	Flavour *string `json:"flavour,omitempty"`

	// DiskSize is a number of Gi.
	// +kubebuilder:validation:Pattern=`^[1-9][0-9]{0,8}Gi$`
	// +optional
	DiskSize *string `json:"diskSize,omitempty"`

	// Location of the database.
	// +optional
	Location *string `json:"location,omitempty"`

	// Labels of the database.
	// +optional
	Labels map[string]string `json:"labels,omitempty"`
}

// RivalDatabaseObservation is what a database is like.
type RivalDatabaseObservation struct {
	// ID that the cloud knows the database by.
	// +optional
	ID *string `json:"id,omitempty"`

	// State is creating, available, updating or deleting.
	// +optional
	State *string `json:"state,omitempty"`

	// Address is host:port of the database, once it is available.
	// +optional
	Address *string `json:"address,omitempty"`

	// DiskSize is a number of Gi.
	// +optional
	DiskSize *string `json:"diskSize,omitempty"`
}

// A RivalDatabaseSpec is what a database shall be like.
type RivalDatabaseSpec struct {
	base.ModernSpec `json:",inline"`

	ForProvider  RivalDatabaseParameters     `json:"forProvider"`
	InitProvider RivalDatabaseInitParameters `json:"initProvider,omitempty"`
}

// A RivalDatabaseStatus is what a database is like.
type RivalDatabaseStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider RivalDatabaseObservation `json:"atProvider,omitempty"`
}

// A RivalDatabase is a database in the cloud.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Namespaced,categories={crossplane,managed,rival}
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="FLAVOUR",type="string",JSONPath=".spec.forProvider.flavour"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
type RivalDatabase struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	RivalDatabaseSpec   `json:"spec"`
	RivalDatabaseStatus `json:"status,omitempty"`
}

// Parts returns what the database shall be like, shall be created like, and is like.
func (r *RivalDatabase) Parts() (forProvider, initProvider, atProvider any) {
	return &r.ForProvider, &r.InitProvider, &r.AtProvider
}

// A RivalDatabaseList is a list of databases.
// +kubebuilder:object:root=true
type RivalDatabaseList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []RivalDatabase `json:"items"`
}

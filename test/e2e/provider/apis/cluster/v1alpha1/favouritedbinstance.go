package v1alpha1

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/base"
	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/favourite"
)

// A FavouriteDBInstanceSpec is what a database shall be like.
// +kubebuilder:validation:XValidation:rule="!('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies) || has(self.forProvider.engine) || (has(self.initProvider) && has(self.initProvider.engine))",message="spec.forProvider.engine is a required parameter"
// +kubebuilder:validation:XValidation:rule="!('*' in self.managementPolicies || 'Create' in self.managementPolicies || 'Update' in self.managementPolicies) || has(self.forProvider.storageGB) || (has(self.initProvider) && has(self.initProvider.storageGB))",message="spec.forProvider.storageGB is a required parameter"
type FavouriteDBInstanceSpec struct {
	base.LegacySpec `json:",inline"`

	ForProvider  favourite.DBInstanceParameters     `json:"forProvider"`
	InitProvider favourite.DBInstanceInitParameters `json:"initProvider,omitempty"`
}

// A FavouriteDBInstanceStatus is what a database is like.
type FavouriteDBInstanceStatus struct {
	xpv2.ManagedResourceStatus `json:",inline"`

	AtProvider favourite.DBInstanceObservation `json:"atProvider,omitempty"`
}

// A FavouriteDBInstance is a database in the cloud.
// +kubebuilder:object:root=true
// +kubebuilder:subresource:status
// +kubebuilder:resource:scope=Cluster,categories={crossplane,managed,favourite}
// +kubebuilder:printcolumn:name="SYNCED",type="string",JSONPath=".status.conditions[?(@.type=='Synced')].status"
// +kubebuilder:printcolumn:name="READY",type="string",JSONPath=".status.conditions[?(@.type=='Ready')].status"
// +kubebuilder:printcolumn:name="EXTERNAL-NAME",type="string",JSONPath=".metadata.annotations.crossplane\\.io/external-name"
// +kubebuilder:printcolumn:name="ENGINE",type="string",JSONPath=".spec.forProvider.engine"
// +kubebuilder:printcolumn:name="STATE",type="string",JSONPath=".status.atProvider.state"
// +kubebuilder:printcolumn:name="AGE",type="date",JSONPath=".metadata.creationTimestamp"
type FavouriteDBInstance struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`

	FavouriteDBInstanceSpec   `json:"spec"`
	FavouriteDBInstanceStatus `json:"status,omitempty"`
}

// Parts returns what the database shall be like, shall be created like, and is like.
func (r *FavouriteDBInstance) Parts() (forProvider, initProvider, atProvider any) {
	return &r.ForProvider, &r.InitProvider, &r.AtProvider
}

// A FavouriteDBInstanceList is a list of databases.
// +kubebuilder:object:root=true
type FavouriteDBInstanceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata,omitempty"`

	Items []FavouriteDBInstance `json:"items"`
}

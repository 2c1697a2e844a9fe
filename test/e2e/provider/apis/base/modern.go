// Package base has what managed resources have in common. Their kinds embed
// their spec and status, as they embed their metadata, and thereby have the
// methods that make them managed resources.
//
// +kubebuilder:object:generate=true
package base

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// A ModernSpec is part of the spec of namespaced managed resources.
type ModernSpec struct {
	xpv2.ManagedResourceSpec `json:",inline"`
}

// GetManagementPolicies returns what may be done to the external resource.
func (s *ModernSpec) GetManagementPolicies() xpv2.ManagementPolicies {
	return s.ManagementPolicies
}

// SetManagementPolicies sets what may be done to the external resource.
func (s *ModernSpec) SetManagementPolicies(p xpv2.ManagementPolicies) {
	s.ManagementPolicies = p
}

// GetProviderConfigReference returns the reference to the provider's configuration.
func (s *ModernSpec) GetProviderConfigReference() *xpv2.ProviderConfigReference {
	return s.ProviderConfigReference
}

// SetProviderConfigReference sets the reference to the provider's configuration.
func (s *ModernSpec) SetProviderConfigReference(r *xpv2.ProviderConfigReference) {
	s.ProviderConfigReference = r
}

// GetWriteConnectionSecretToReference returns where connection details go, nil for nowhere.
func (s *ModernSpec) GetWriteConnectionSecretToReference() *xpv2.LocalSecretReference {
	return s.WriteConnectionSecretToReference
}

// SetWriteConnectionSecretToReference sets where connection details go, nil for nowhere.
func (s *ModernSpec) SetWriteConnectionSecretToReference(r *xpv2.LocalSecretReference) {
	s.WriteConnectionSecretToReference = r
}

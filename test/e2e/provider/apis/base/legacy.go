package base

import (
	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
)

// A LegacySpec is part of the spec of cluster-scoped managed resources.
type LegacySpec struct {
	xpv2.ClusterManagedResourceSpec `json:",inline"`
}

// GetManagementPolicies returns what may be done to the external resource.
func (s *LegacySpec) GetManagementPolicies() xpv2.ManagementPolicies {
	return s.ManagementPolicies
}

// SetManagementPolicies sets what may be done to the external resource.
func (s *LegacySpec) SetManagementPolicies(p xpv2.ManagementPolicies) {
	s.ManagementPolicies = p
}

// GetDeletionPolicy returns what becomes of the external resource.
func (s *LegacySpec) GetDeletionPolicy() xpv2.DeletionPolicy {
	return s.DeletionPolicy
}

// SetDeletionPolicy sets what becomes of the external resource.
func (s *LegacySpec) SetDeletionPolicy(p xpv2.DeletionPolicy) {
	s.DeletionPolicy = p
}

// GetProviderConfigReference returns the reference to the provider's configuration.
func (s *LegacySpec) GetProviderConfigReference() *xpv2.Reference {
	return s.ProviderConfigReference
}

// SetProviderConfigReference sets the reference to the provider's configuration.
func (s *LegacySpec) SetProviderConfigReference(r *xpv2.Reference) {
	s.ProviderConfigReference = r
}

// GetWriteConnectionSecretToReference returns where connection details go, nil for nowhere.
func (s *LegacySpec) GetWriteConnectionSecretToReference() *xpv2.SecretReference {
	return s.WriteConnectionSecretToReference
}

// SetWriteConnectionSecretToReference sets where connection details go, nil for nowhere.
func (s *LegacySpec) SetWriteConnectionSecretToReference(r *xpv2.SecretReference) {
	s.WriteConnectionSecretToReference = r
}

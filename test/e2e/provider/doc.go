// Package provider is a Crossplane provider for the cloud of package cloud, to
// be run in a test's process: what has controllers like those of real
// providers, and no package, no ProviderConfig and no credentials.
package provider

//go:generate go tool controller-gen object crd paths=./apis/... output:crd:dir=crds

package world

import "context"

// InstallBare installs a version of this function under another name, or
// changes it to that, see Install. Crossplane installs no two functions from
// one repository, and so each name has its own.
func (w *World) InstallBare(ctx context.Context, name, version, runtimeConfig string) error {
	reference, err := w.pushTo(name, BarePackage, version)
	if err != nil {
		return err
	}
	return w.Install(ctx, name, reference, runtimeConfig)
}

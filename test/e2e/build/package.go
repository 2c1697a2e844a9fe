package build

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"runtime"
)

// Package builds the Crossplane package of a function, as make xpkg does, for
// this machine's platform, to the folder packages of Bin.
func (b *Builder) Package(ctx context.Context, module, packageRoot, version string) error {
	var report bytes.Buffer
	quiet := *b
	quiet.Log = &report
	if err := quiet.Go(ctx, "tools", "run", "./xpkg",
		"-module", filepath.Join(b.Root, module),
		"-package-root", filepath.Join(b.Root, packageRoot),
		"-out", filepath.Join(b.Bin, "packages"),
		"-version", version,
		"-platforms", "linux/"+runtime.GOARCH,
		"-cli", filepath.Join(b.Bin, "crossplane-cli"),
	); err != nil {
		return fmt.Errorf("%w: %s", err, report.Bytes())
	}
	return nil
}

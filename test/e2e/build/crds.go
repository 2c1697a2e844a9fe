package build

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// LinkCRDs makes Crossplane's own CRDs, which its module has, the folder
// crossplane-crds of Bin.
func (b *Builder) LinkCRDs(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", "github.com/crossplane/crossplane/v2")
	cmd.Dir = filepath.Join(b.Root, "test", "e2e")
	cmd.Stderr = b.Log
	module, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("cannot find Crossplane's module: %w", err)
	}
	link := filepath.Join(b.Bin, "crossplane-crds")
	_ = os.Remove(link) // It may not be there.
	return os.Symlink(filepath.Join(string(bytes.TrimSpace(module)), "cluster", "crds"), link)
}

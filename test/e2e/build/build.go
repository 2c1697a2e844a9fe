// Package build builds the programs that the tests run, from the Go module
// proxy alone, and keeps them in a cache.
package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Program is a program that is built from a module of this repository that
// pins it.
type Program struct {
	Name    string // of the file
	Module  string // folder of the module, from the root of the repository
	Package string
	LDFlags string
}

// Programs are those that are not the product's own.
func Programs() []Program {
	const (
		e2e     = "test/e2e"
		version = "-X github.com/crossplane/crossplane-runtime/v2/pkg/version.version="
	)
	return []Program{
		{"etcd", e2e, "go.etcd.io/etcd/server/v3", ""},
		{"kube-apiserver", e2e, "k8s.io/kubernetes/cmd/kube-apiserver", ""},
		{"kubectl", e2e, "k8s.io/kubernetes/cmd/kubectl", ""},
		{"crossplane", e2e, "github.com/crossplane/crossplane/v2/cmd/crossplane", version + "v2.3.4"},
		{"crossplane-cli", "tools/crossplane", "github.com/crossplane/cli/v2/cmd/crossplane", version + "v2.5.0"},
		{"crank-2.2", "test/e2e/modules/crank-2.2", "github.com/crossplane/crossplane/v2/cmd/crank", version + "v2.2.1"},
		{"crank-1.20", "test/e2e/modules/crank-1.20", "github.com/crossplane/crossplane/cmd/crank", ""},
	}
}

// Builder builds programs of the repository at Root, into the folder Bin, by
// way of Cache. Go leaves things in Temp when it is interrupted. It tells Log
// what it does.
type Builder struct {
	Root, Bin, Cache, Temp string
	Log                    io.Writer
}

// Build puts the program into the folder Bin. One that was built from the same
// go.mod and go.sum by the same Go is taken from the cache.
func (b *Builder) Build(ctx context.Context, p Program) error {
	key, err := b.key(p)
	if err != nil {
		return err
	}
	cached := filepath.Join(b.Cache, p.Name+"-"+key)
	if _, err := os.Stat(cached); err != nil {
		begin := time.Now()
		fmt.Fprintf(b.Log, "building %s ...\n", p.Name)
		// Without -trimpath, what go vet and go test have compiled is used again.
		args := []string{"build", "-ldflags", strings.TrimSpace("-s -w " + p.LDFlags), "-o", cached + ".new", p.Package}
		if err := b.Go(ctx, p.Module, args...); err != nil {
			return fmt.Errorf("cannot build %s: %w", p.Name, err)
		}
		if err := os.Rename(cached+".new", cached); err != nil {
			return err
		}
		fmt.Fprintf(b.Log, "built %s in %s\n", p.Name, time.Since(begin).Round(time.Second))
	}
	link := filepath.Join(b.Bin, p.Name)
	_ = os.Remove(link) // It may not be there.
	return os.Symlink(cached, link)
}

// Go runs the go command in a folder of the repository.
func (b *Builder) Go(ctx context.Context, folder string, args ...string) error {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = filepath.Join(b.Root, folder)
	cmd.Stdout, cmd.Stderr = b.Log, b.Log
	// A workspace of the user's would choose other versions.
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOTMPDIR="+b.Temp)
	interruptible(cmd)
	return cmd.Run()
}

// key is the same for what is built from the same.
func (b *Builder) key(p Program) (string, error) {
	hash := sha256.New()
	fmt.Fprintln(hash, runtime.Version(), runtime.GOARCH, p.Package, p.LDFlags)
	for _, name := range []string{"go.mod", "go.sum"} {
		content, err := os.ReadFile(filepath.Join(b.Root, p.Module, name))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(hash, "%d ", len(content))
		hash.Write(content)
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}

// interruptible has a command, and all that it runs, interrupted when its
// context is done, or this process ends.
func interruptible(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGINT) }
	cmd.WaitDelay = 10 * time.Second
}

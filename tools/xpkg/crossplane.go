package main

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// crossplane is a file with the crossplane CLI, which defines what a package is.
type crossplane string

// findCLI returns the CLI that the options name, or else the one that the module
// pins, for which Go keeps a binary once it is built.
func findCLI(ctx context.Context, o options) (crossplane, error) {
	if o.cli != "" {
		if _, err := os.Stat(o.cli); err != nil {
			return "", fmt.Errorf("-cli: %w", err)
		}
		return crossplane(o.cli), nil
	}
	fmt.Fprintln(os.Stderr, "xpkg: looking for the crossplane CLI, which takes some minutes to build the first time")
	tool := exec.CommandContext(ctx, "go", "tool", "-n", "crossplane")
	tool.Dir, tool.Stderr = o.cliModule, os.Stderr
	path, err := tool.Output()
	if err != nil {
		return "", fmt.Errorf("the crossplane CLI of %s cannot be built, -cli names one that is there: %w", o.cliModule, err)
	}
	return crossplane(bytes.TrimSpace(path)), nil
}

// build makes a package of a runtime image and of the files of the package's root.
// Examples, which the CLI looks for by itself, are no part of it.
func (c crossplane) build(ctx context.Context, o options, runtime, pkg string) error {
	args := []string{
		"--package-root=" + o.packageRoot,
		"--examples-root=" + filepath.Join(o.packageRoot, "no-examples"),
		"--embed-runtime-image-tarball=" + runtime,
		"--package-file=" + pkg,
	}
	if o.ignore != "" {
		args = append(args, "--ignore="+o.ignore)
	}
	return c.xpkg(ctx, "build", args...)
}

// push pushes packages for several platforms as one image. The annotations go
// where registries look for them, since the labels are those of each platform.
func (c crossplane) push(ctx context.Context, packages []string, image string, annotations map[string]string) error {
	args := []string{"--package-files=" + strings.Join(packages, ",")}
	for _, key := range slices.Sorted(maps.Keys(annotations)) {
		args = append(args, "--oci-annotation="+key+"="+annotations[key])
	}
	return c.xpkg(ctx, "push", append(args, image)...)
}

// xpkg runs a command of the CLI. What that prints is of interest only if it
// fails.
func (c crossplane) xpkg(ctx context.Context, command string, args ...string) error {
	args = append([]string{"xpkg", command}, args...)
	run := exec.CommandContext(ctx, string(c), args...) //nolint:gosec // It is the one that is pinned, or that the user names.
	if out, err := run.CombinedOutput(); err != nil {
		return fmt.Errorf("crossplane xpkg %s: %w\n%s", command, err, bytes.TrimSpace(out))
	}
	return nil
}

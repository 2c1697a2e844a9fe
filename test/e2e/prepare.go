package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/function-patchwork/function-patchwork/test/e2e/build"
	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// suites are the packages of tests that need a sandbox, in the order they run.
var suites = []string{"scenarios"}

// prepare builds everything, with the network that the sandbox will not have.
func prepare(ctx context.Context, o options) error {
	for _, folder := range []string{o.logs(), filepath.Join(o.bin(), "packages")} {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	for _, folder := range []string{o.logs(), o.bin(), o.cache} {
		if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // Functions run as other users.
			return err
		}
	}
	b := &build.Builder{Root: o.root, Bin: o.bin(), Cache: o.cache, Log: os.Stdout}
	for _, p := range build.Programs() {
		if err := b.Build(ctx, p); err != nil {
			return err
		}
	}
	if err := b.LinkCRDs(ctx); err != nil {
		return err
	}
	if err := packages(ctx, o, b); err != nil {
		return err
	}
	for _, suite := range suites {
		fmt.Fprintf(os.Stdout, "building the tests of %s ...\n", suite)
		if err := b.Go(ctx, "test/e2e", "test", "-c", "-o", filepath.Join(o.bin(), suite+".test"), "./"+suite); err != nil {
			return fmt.Errorf("cannot build the tests of %s: %w", suite, err)
		}
	}
	return nil
}

// packages builds this function for local use, two versions of its package,
// and the package of the function that sets environments.
func packages(ctx context.Context, o options, b *build.Builder) error {
	fmt.Fprintln(os.Stdout, "building the functions ...")
	if err := b.Go(ctx, ".", "build", "-trimpath", "-o", filepath.Join(o.bin(), world.Function), "."); err != nil {
		return err
	}
	for _, p := range []struct{ name, version, module, root string }{
		{world.Function, world.Version, ".", "package"},
		{world.Function, world.NextVersion, ".", "package"},
		{world.EnvironmentFunction, world.Version, "test/e2e/environment", "test/e2e/environment/package"},
	} {
		if err := b.Package(ctx, p.module, p.root, p.version); err != nil {
			return fmt.Errorf("cannot build the package %s %s: %w", p.name, p.version, err)
		}
	}
	return nil
}

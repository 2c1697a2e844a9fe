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
var suites = []string{"local", "scenarios"}

// prepare builds everything, with the network that the sandbox will not have.
func prepare(ctx context.Context, o options) error {
	for _, folder := range []string{o.logs(), o.temp(), filepath.Join(o.bin(), "packages")} {
		if err := os.RemoveAll(folder); err != nil {
			return err
		}
	}
	for _, folder := range []string{o.logs(), o.temp(), o.bin(), o.cache} {
		if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // Functions run as other users.
			return err
		}
	}
	defer os.RemoveAll(o.temp())
	b := &build.Builder{Root: o.root, Bin: o.bin(), Cache: o.cache, Temp: o.temp(), Log: os.Stdout}
	for _, p := range build.Programs() {
		if err := b.Build(ctx, p); err != nil {
			return err
		}
	}
	if err := b.LinkCRDs(ctx); err != nil {
		return err
	}
	if err := functions(ctx, o, b); err != nil {
		return err
	}
	if o.shell {
		return nil
	}
	for _, suite := range suites {
		fmt.Fprintf(os.Stdout, "building the tests of %s ...\n", suite)
		if err := b.Go(ctx, "test/e2e", "test", "-c", "-o", filepath.Join(o.bin(), suite+".test"), "./"+suite); err != nil {
			return fmt.Errorf("cannot build the tests of %s: %w", suite, err)
		}
	}
	return nil
}

// functions builds this function and the one that sets environments: for local
// use, and as packages, this one in two versions.
func functions(ctx context.Context, o options, b *build.Builder) error {
	fmt.Fprintln(os.Stdout, "building the functions ...")
	for name, module := range map[string]string{world.Function: ".", world.EnvironmentFunction: "test/e2e/environment"} {
		if err := b.Go(ctx, module, "build", "-o", filepath.Join(o.bin(), name), "."); err != nil {
			return fmt.Errorf("cannot build %s: %w", name, err)
		}
	}
	for _, p := range []struct{ name, version, module, root string }{
		{world.Function, world.Version, ".", "package"},
		{world.Function, world.NextVersion, ".", "package"},
		{world.BarePackage, world.Version, ".", "test/e2e/world/bare"},
		{world.BarePackage, world.NextVersion, ".", "test/e2e/world/bare"},
		{world.EnvironmentPackage, world.Version, "test/e2e/environment", "test/e2e/environment/package"},
	} {
		if err := b.Package(ctx, p.module, p.root, p.version); err != nil {
			return fmt.Errorf("cannot build the package %s %s: %w", p.name, p.version, err)
		}
	}
	return nil
}

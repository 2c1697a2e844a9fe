// Command xpkg builds the Crossplane package of a composition function with
// nothing but Go: for each platform an image from scratch with the function's
// static binary, and from it a package. What it writes depends on nothing but the
// sources, the flags, the version of Go and SOURCE_DATE_EPOCH, byte for byte.
//
// It is run from the folder tools, and builds function-patchwork unless its flags
// name something else:
//
//	go run -C tools ./xpkg -version v1.2.3
//	go run -C tools ./xpkg -version v1.2.3 -push registry.example.org/function-patchwork:v1.2.3
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:], os.Stdout)
	stop()
	if errors.Is(err, flag.ErrHelp) {
		return
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "xpkg:", err)
		os.Exit(1)
	}
}

// run builds the packages that the arguments ask for, pushes them if they ask for
// that as well, and writes what it made to out.
func run(ctx context.Context, args []string, out io.Writer) error {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	m, err := readMetadata(o.packageRoot)
	if err != nil {
		return err
	}
	// A mistake in the version is told before anything is built.
	if _, err := m.tag(o.version); err != nil {
		return err
	}
	cli, err := findCLI(ctx, o)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.out, 0o755); err != nil { //nolint:gosec // What is written is for everyone.
		return err
	}
	var files, packages []string
	for _, p := range o.platforms {
		runtime, pkg, err := buildPlatform(ctx, o, m, cli, p)
		if err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
		files, packages = append(files, runtime, pkg), append(packages, pkg)
	}
	if err := reportFiles(out, files); err != nil {
		return err
	}
	if o.push == "" {
		return nil
	}
	if err := cli.push(ctx, packages, o.push, m.labels(o)); err != nil {
		return err
	}
	return reportPushed(ctx, out, o)
}

// buildPlatform writes the image and the package for a platform, and returns the
// names of both files.
func buildPlatform(ctx context.Context, o options, m metadata, cli crossplane, p v1.Platform) (runtime, pkg string, err error) {
	tmp, err := os.MkdirTemp("", "xpkg-")
	if err != nil {
		return "", "", err
	}
	defer func() { _ = os.RemoveAll(tmp) }()
	binary := filepath.Join(tmp, m.Name)
	if err := buildBinary(ctx, o, p, binary); err != nil {
		return "", "", err
	}
	image, err := newImage(binary, m, o, p)
	if err != nil {
		return "", "", err
	}
	base := filepath.Join(o.out, fmt.Sprintf("%s-%s-%s-%s", m.Name, o.version, p.OS, p.Architecture))
	runtime, pkg = base+"-runtime.tar", base+".xpkg"
	if err := writeImage(runtime, image, m, o.version); err != nil {
		return "", "", err
	}
	return runtime, pkg, cli.build(ctx, o, runtime, pkg)
}

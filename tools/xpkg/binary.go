package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// settings of Go that change what is built. They are set, so that neither the
// environment nor go env -w does. GOFLAGS has a value because an empty one would
// count as none.
var settings = []string{
	"CGO_ENABLED=0",
	"GOFLAGS=-buildvcs=false",
	"GOWORK=off",
	"GOEXPERIMENT=",
	"GOFIPS140=off",
	"GOAMD64=v1",
	"GOARM64=v8.0",
}

// buildBinary builds a static binary for a platform, with the profile default.pgo
// if the package has one. It tells its version and commit, and has no path of this
// machine in it.
func buildBinary(ctx context.Context, o options, p v1.Platform, binary string) error {
	ldflags := "-s -w -X main.version=" + o.version
	if o.revision != "" {
		ldflags += " -X main.commit=" + o.revision
	}
	args := []string{"build", "-trimpath", "-ldflags", ldflags, "-o", binary, o.main}
	build := exec.CommandContext(ctx, "go", args...) //nolint:gosec // It builds what it is told to.
	build.Dir = o.module
	build.Env = append(os.Environ(), append(settings, "GOOS="+p.OS, "GOARCH="+p.Architecture)...)
	build.Stdout, build.Stderr = os.Stderr, os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("go build %s in %s: %w", o.main, o.module, err)
	}
	return nil
}

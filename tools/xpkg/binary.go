package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// settings of Go that change what is built are the same for everyone, whatever the
// environment has. GOFLAGS has a value, since with none Go takes that of go env -w.
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
// if the package has one. It has no path of this machine in it. Its version, its
// commit and the time of that are stamped on variables of the package main.
func buildBinary(ctx context.Context, o options, p v1.Platform, binary string) error {
	ldflags := "-s -w -X main.version=" + o.version
	if o.revision != "" {
		ldflags += " -X main.commit=" + o.revision
	}
	if o.created.Unix() != 0 {
		ldflags += " -X main.date=" + o.created.Format(time.RFC3339)
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

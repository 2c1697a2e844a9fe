// Package main is the function-patchwork command.
package main

import (
	"os"

	"github.com/alecthomas/kong"

	"github.com/function-patchwork/function-patchwork/fn/cli"
)

// These are stamped by the linker: -X main.version=v1.2.3 -X main.commit=0a1b2c3
// -X main.date=2026-01-02T15:04:05Z.
var version, commit, date string

type commands struct {
	Serve   cli.Serve   `cmd:"" default:"withargs" help:"Serve the function over gRPC. This is what is run if no command is named."`
	Render  cli.Render  `cmd:"" help:"Print what Crossplane would apply, without a cluster."`
	Version cli.Version `cmd:"" help:"Tell the version."`
}

const description = `A composition function for Crossplane: patches, transforms, connection details
and readiness checks, compiled once and run fast. For example:

  function-patchwork --insecure                        serve on this machine
  function-patchwork render xr.yaml composition.yaml   try a Composition`

func main() {
	c := kong.Parse(&commands{},
		kong.Name("function-patchwork"),
		kong.Description(description),
		kong.ShortUsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Exit(exit),
		kong.Bind(cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, cli.NewBuild(version, commit, date)),
	)
	c.FatalIfErrorf(c.Run())
}

// exit ends the process. Every error has the same status.
func exit(status int) {
	os.Exit(min(status, 1))
}

// Package main is the function-patchwork command.
package main

import (
	"os"

	"github.com/alecthomas/kong"

	"github.com/function-patchwork/function-patchwork/fn/cli"
)

// version is stamped by the linker: -X main.version=v1.2.3.
var version string

type commands struct {
	Serve   cli.Serve   `cmd:"" default:"withargs" help:"Serve the function over gRPC. This is what is run if no command is named."`
	Version cli.Version `cmd:"" help:"Tell the version."`
}

const description = `A composition function for Crossplane: patches, transforms, connection details
and readiness checks, compiled once and run fast.`

func main() {
	c := kong.Parse(&commands{},
		kong.Name("function-patchwork"),
		kong.Description(description),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
		kong.Bind(cli.Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr}, cli.NewBuild(version)),
	)
	c.FatalIfErrorf(c.Run())
}

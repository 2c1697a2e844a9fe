// Command load measures what requests cost the built server: how many it
// answers, how long that takes, and how much CPU and memory it needs. It starts
// the server, and to compare with a function that only decodes its requests with
// the standard library and returns the desired state, and they take turns.
//
//	go run ./test/load -server bin/function-patchwork -scenarios typical,large
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	err := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	if err != nil && ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "load: "+err.Error())
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	if len(args) > 1 && args[0] == asEcho {
		return serveEcho(ctx, args[1])
	}
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return nil // It has been printed.
	}
	if err != nil {
		return err
	}
	debug.SetGCPercent(400) // What this process does not need is left to those that are measured.
	if !supported {
		_, _ = fmt.Fprintln(stderr, "CPU and memory are measured on Linux only: they and the ratio are left out")
	}
	b := &bench{options: o, progress: stderr}
	_, _ = fmt.Fprintf(stdout, "%d CPUs, %s/%s, %s; the median of %d rounds of %s\n",
		runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), o.rounds, o.time)
	return b.report(ctx, stdout)
}

// report measures and prints everything that was asked for.
func (b *bench) report(ctx context.Context, w io.Writer) error {
	var rows []row
	for _, s := range b.scenarios {
		for _, n := range b.concurrency {
			r, err := b.measure(ctx, s, n)
			if err != nil {
				return err
			}
			rows = append(rows, r)
		}
	}
	if len(rows) > 0 {
		loadTable(rows).print(w, b.markdown)
	}
	if b.starts > 0 {
		starts, err := b.measureStarts(ctx)
		if err != nil {
			return err
		}
		startTable(starts).print(w, b.markdown)
	}
	if !b.growth {
		return nil
	}
	few, err := b.measure(ctx, shapes.Growing(20), 1)
	if err != nil {
		return err
	}
	many, err := b.measure(ctx, shapes.Growing(320), 1)
	if err != nil {
		return err
	}
	growthTable(few, many).print(w, b.markdown)
	return nil
}

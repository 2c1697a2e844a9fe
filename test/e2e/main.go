// Command e2e builds all that the end-to-end tests need, and runs them in a
// sandbox: make e2e.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/function-patchwork/function-patchwork/test/e2e/sandbox"
)

// options are the flags.
type options struct {
	run     string
	verbose bool
	shell   bool
	without bool
	root    string
	out     string
	cache   string
}

func main() {
	var o options
	flag.StringVar(&o.run, "run", "", "run only the tests that match, as go test's flag does")
	flag.BoolVar(&o.verbose, "v", false, "tell of each test, as go test's flag does")
	flag.BoolVar(&o.shell, "shell", false, "start everything, and a shell to look around in")
	flag.BoolVar(&o.without, "no-sandbox", false, "make no namespaces, as where the system does not allow them")
	flag.StringVar(&o.root, "root", "../..", "the root of the repository")
	flag.StringVar(&o.out, "out", "", "the folder to write programs and logs to (bin/e2e in the repository)")
	flag.StringVar(&o.cache, "cache", defaultCache(), "where programs are kept that were built")
	flag.Parse()
	status, err := run(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		status = 1
	}
	os.Exit(status)
}

func run(o options) (status int, err error) {
	if o.root, err = filepath.Abs(o.root); err != nil {
		return 0, err
	}
	if o.out == "" {
		o.out = filepath.Join(o.root, "bin", "e2e")
	}
	if o.out, err = filepath.Abs(o.out); err != nil {
		return 0, err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if sandbox.Inside() {
		return inside(ctx, o)
	}
	if err := prepare(ctx, o); err != nil {
		return 0, err
	}
	stop() // Signals are the sandbox's from here.
	if o.without {
		return sandbox.RunWithout()
	}
	return sandbox.Run()
}

func defaultCache() string {
	folder, err := os.UserCacheDir()
	if err != nil {
		folder = os.TempDir()
	}
	return filepath.Join(folder, "function-patchwork-e2e")
}

// The folders of a run.
func (o options) bin() string  { return filepath.Join(o.out, "bin") }
func (o options) logs() string { return filepath.Join(o.out, "logs") }
func (o options) temp() string { return filepath.Join(o.out, "temp") }

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/function-patchwork/function-patchwork/test/e2e/sandbox"
	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// inside runs the tests, or a shell, as the first process of the sandbox.
func inside(ctx context.Context, o options) (status int, err error) {
	memory, err := sandbox.Prepare()
	if err != nil {
		return 0, err
	}
	defer sandbox.Leave(memory)
	places := world.Places{Bin: o.bin(), Memory: memory, Logs: o.logs()}
	if o.shell {
		return shell(ctx, o, places)
	}
	for _, suite := range suites {
		failed, err := test(ctx, o, places, suite)
		if err != nil {
			return 0, err
		}
		status = max(status, failed)
		if ctx.Err() != nil {
			return 1, errors.New("interrupted, and everything stopped")
		}
	}
	if status != 0 {
		fmt.Fprintf(os.Stderr, "What the programs wrote, and the objects there were, is in %s\n", o.logs())
	}
	return status, nil
}

// test runs the tests of a suite, and waits until they have stopped what they
// started, also when the context is done.
func test(ctx context.Context, o options, places world.Places, suite string) (status int, err error) {
	args := []string{"-test.timeout=20m", "-test.parallel=32"}
	if o.verbose {
		args = append(args, "-test.v")
	}
	if o.run != "" {
		args = append(args, "-test.run="+o.run)
	}
	begin := time.Now()
	cmd := exec.CommandContext(ctx, filepath.Join(o.bin(), suite+".test"), args...)
	cmd.Dir = filepath.Join(o.root, "test", "e2e", suite)
	// What is left when it is interrupted goes with the memory.
	cmd.Env = append(append(os.Environ(), places.Environment()...), "TMPDIR="+places.Memory)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 2 * time.Minute
	err = cmd.Run()
	fmt.Printf("%s took %s\n", suite, time.Since(begin).Round(100*time.Millisecond))
	if cmd.ProcessState == nil {
		return 0, err // It did not even start.
	}
	if !cmd.ProcessState.Success() {
		return 1, nil
	}
	return 0, nil
}

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// shell starts everything, and a shell that has kubectl and Crossplane's
// programs on its path. What was started ends with the shell.
func shell(ctx context.Context, o options, places world.Places) (status int, err error) {
	fmt.Println("starting ...")
	w, err := world.Start(ctx, places)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, w.Stop()) }()
	fmt.Printf(`Crossplane runs, with %s and a provider for favourite.example.org.
This shell has KUBECONFIG, and kubectl, crossplane-cli and function-patchwork on its path.
Logs are in %s. Leave the shell to stop everything.
`, world.Function, places.Logs)
	program := os.Getenv("SHELL")
	if program == "" {
		program = "/bin/sh"
	}
	cmd := exec.CommandContext(ctx, program)
	cmd.Dir = o.root
	cmd.Env = append(os.Environ(), "KUBECONFIG="+w.Kubeconfig, "PATH="+places.Bin+":"+os.Getenv("PATH"), "PS1=e2e$ ")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		return 0, err
	}
	return 0, nil
}

// Package local tests what people do with the function on their own machine,
// without a cluster: they render compositions with the CLIs of Crossplane, and
// validate them. What those print is held against what function-patchwork render
// does, for every example.
package local

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/function-patchwork/function-patchwork/test/e2e/process"
)

// bin is the folder of the programs.
var bin string

// targets are the addresses where functions are served, by their names, which
// are those of their programs.
var targets = map[string]string{"function-patchwork": "", "function-environment-configs": ""}

func TestMain(m *testing.M) {
	status, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(status)
}

func run(m *testing.M) (int, error) {
	if bin = os.Getenv("E2E_BIN"); bin == "" {
		return 0, errors.New("E2E_BIN has to name the folder of the programs: run make e2e")
	}
	logs, err := os.MkdirTemp("", "local-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(logs)
	for name := range targets {
		server, target, err := serve(name, logs)
		if err != nil {
			return 0, err
		}
		defer server.Kill()
		targets[name] = target
	}
	return m.Run(), nil
}

// serve starts a function as one does to develop with it, and waits until it
// listens.
func serve(name, logs string) (server *process.Process, target string, err error) {
	if target, err = freeAddress(); err != nil {
		return nil, "", err
	}
	cmd := exec.Command(program(name), "--insecure", "--address", target, "--metrics-address=")
	if server, err = process.Start(logs, name, cmd); err != nil {
		return nil, "", err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for server.Running() && ctx.Err() == nil {
		if conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", target); err == nil {
			return server, target, conn.Close()
		}
	}
	server.Kill()
	said, err := os.ReadFile(filepath.Join(logs, name+".log"))
	return nil, "", errors.Join(fmt.Errorf("%s does not listen at %s:\n%s", name, target, said), err)
}

func freeAddress() (string, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func program(name string) string { return filepath.Join(bin, name) }

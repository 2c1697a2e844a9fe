// Package sandbox runs a program in namespaces of its own, where it may: a
// network with nothing but the loopback device, so that nothing reaches or is
// reached from outside; mounts of its own, so that names can be resolved by a
// private /etc/hosts; and processes of its own, so that the kernel ends all of
// them when the first one ends, however that came about.
package sandbox

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// marker tells a program that it is the first process of a sandbox, and of
// which kind.
const marker = "E2E_SANDBOX"

// The kinds of sandboxes.
const (
	namespaces = "namespaces"
	none       = "none"
)

// refused is the exit status of a program whose system did not let it set up
// its namespaces.
const refused = 125

// Inside tells whether this process runs in a sandbox, of either kind.
func Inside() bool { return os.Getenv(marker) != "" }

// Isolated tells whether that has namespaces of its own.
func Isolated() bool { return os.Getenv(marker) == namespaces }

// Run runs this program again, with the same arguments, in a sandbox. It
// returns the exit status. SIGINT and SIGTERM are handed on to it.
//
// Root makes the namespaces directly, others through a user namespace. Where
// the system allows neither, it says so to standard error, and the program runs
// without: on loopback addresses of the machine's own network.
func Run() (int, error) {
	kinds := []func(*exec.Cmd){withNamespaces, withUserNamespace, withNone}
	if os.Geteuid() != 0 {
		kinds = kinds[1:]
	}
	for i, kind := range kinds {
		status, err := start(kind)
		if i == len(kinds)-1 || err == nil && status != refused {
			return status, err
		}
	}
	return 0, nil
}

// RunWithout is Run without a sandbox.
func RunWithout() (int, error) { return start(withNone) }

func start(kind func(*exec.Cmd)) (int, error) {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...) //nolint:noctx // It is told to stop by signals.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM}
	kind(cmd)
	if err := cmd.Start(); err != nil {
		return 0, err
	}
	defer forward(cmd.Process)()
	err := cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

func withNamespaces(cmd *exec.Cmd) {
	cmd.Env = append(os.Environ(), marker+"="+namespaces)
	cmd.SysProcAttr.Cloneflags = unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID
}

// withUserNamespace makes the program root of its own.
func withUserNamespace(cmd *exec.Cmd) {
	withNamespaces(cmd)
	cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
}

func withNone(cmd *exec.Cmd) {
	fmt.Fprintln(os.Stderr, "no namespaces are made, and everything runs on loopback addresses of this machine")
	cmd.Env = append(os.Environ(), marker+"="+none)
}

// forward hands signals on to a process, until the returned function is called.
func forward(to *os.Process) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				_ = to.Signal(s) // It may have ended.
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// Package sandbox runs a program in namespaces of its own: a network with
// nothing but the loopback device, so that nothing reaches or is reached from
// outside; mounts of its own, so that names can be resolved by a private
// /etc/hosts; and processes of its own, so that the kernel ends all of them
// when the first one ends, however that came about.
package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/sys/unix"
)

// marker tells a program that it is the first process in a sandbox.
const marker = "E2E_SANDBOX"

// Inside tells whether this process runs in a sandbox.
func Inside() bool { return os.Getenv(marker) != "" }

// Run runs this program again, with the same arguments, in a sandbox. It
// returns the exit status. SIGINT and SIGTERM are handed on to it.
//
// Root makes the namespaces directly, others through a user namespace, which
// their system has to allow.
func Run(ctx context.Context) (int, error) {
	cmd := command()
	if os.Geteuid() != 0 {
		asRootOfItsOwn(cmd)
	}
	err := cmd.Start()
	if err != nil && os.Geteuid() == 0 {
		// A container's root may make user namespaces only.
		cmd = command()
		asRootOfItsOwn(cmd)
		err = cmd.Start()
	}
	if err != nil {
		return 0, fmt.Errorf("cannot make namespaces, which need Linux, and root or permission for user namespaces "+
			"(see kernel.apparmor_restrict_unprivileged_userns and user.max_user_namespaces): %w", err)
	}
	defer forward(ctx, cmd.Process)()
	err = cmd.Wait()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return max(exit.ExitCode(), 1), nil
	}
	return 0, err
}

func command() *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", os.Args[1:]...) //nolint:noctx // It is told to stop by signals.
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), marker+"=1")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: unix.CLONE_NEWNET | unix.CLONE_NEWNS | unix.CLONE_NEWPID,
		Pdeathsig:  syscall.SIGTERM,
	}
	return cmd
}

func asRootOfItsOwn(cmd *exec.Cmd) {
	cmd.SysProcAttr.Cloneflags |= unix.CLONE_NEWUSER
	cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Geteuid(), Size: 1}}
	cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getegid(), Size: 1}}
}

// forward hands signals on to a process, until the returned function is called.
func forward(ctx context.Context, to *os.Process) (stop func()) {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case s := <-signals:
				_ = to.Signal(s) // It may have ended.
			case <-ctx.Done():
				_ = to.Signal(syscall.SIGTERM)
				return
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

// Package child runs a server as a child process, on a free port of this
// machine, and makes sure that it does not outlive its parent.
package child

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// patience bounds how long a server may take to start, and to stop.
const patience = 20 * time.Second

// Process is a server that runs.
type Process struct {
	// Address is where it listens, and Took how long it needed to.
	Address string
	Took    time.Duration

	cmd    *exec.Cmd
	output *tail
	exited chan struct{}
	err    error // of the exit, once exited is closed
}

// Start starts a command, and waits until it listens at the address that it is
// told in its arguments. It is killed when the context is done.
func Start(ctx context.Context, command string, args func(address string) []string) (*Process, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	p := &Process{Address: address, output: &tail{}, exited: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, command, args(address)...) //nolint:gosec // It is the caller's.
	p.cmd.Stdout, p.cmd.Stderr = p.output, p.output
	dieWithParent(p.cmd)
	begin := time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		p.err = p.cmd.Wait()
		close(p.exited)
	}()
	if err := p.waitUntilItListens(ctx, begin.Add(patience)); err != nil {
		p.Kill()
		return nil, err
	}
	p.Took = time.Since(begin)
	return p, nil
}

func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (p *Process) waitUntilItListens(ctx context.Context, deadline time.Time) error {
	for time.Now().Before(deadline) {
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", p.Address)
		if err == nil {
			return conn.Close()
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-p.exited:
			return errors.Join(fmt.Errorf("%s exited at once:\n%s", p, p.Log()), p.err)
		case <-time.After(time.Millisecond):
		}
	}
	return fmt.Errorf("%s does not listen after %s", p, patience)
}

// PID is the process id.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Stop asks the server to stop, and returns an error unless it does, and well.
func (p *Process) Stop() error {
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case <-p.exited:
		if p.err != nil {
			return fmt.Errorf("%s did not stop well: %w\n%s", p, p.err, p.Log())
		}
		return nil
	case <-time.After(patience):
		p.Kill()
		return fmt.Errorf("%s had not stopped after %s", p, patience)
	}
}

// Kill ends a server that was not stopped, and waits until it has ended. It does
// nothing to one that was stopped.
func (p *Process) Kill() {
	_ = p.cmd.Process.Kill() // It may have exited already.
	<-p.exited
}

// Log is the last that the server wrote.
func (p *Process) Log() string { return strings.TrimSpace(p.output.String()) }

// String is the command that runs the server.
func (p *Process) String() string {
	words := make([]string, len(p.cmd.Args))
	for i, word := range p.cmd.Args {
		if words[i] = word; word == "" {
			words[i] = `""`
		}
	}
	return strings.Join(words, " ")
}

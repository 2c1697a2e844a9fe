package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// server is the built server, running.
type server struct {
	address string
	took    time.Duration
	cmd     *exec.Cmd
	output  bytes.Buffer
	exited  chan error
}

// patience bounds how long to wait for the server to start, and to stop.
const patience = 20 * time.Second

// start starts the server on a free port, and waits until it answers.
func start(ctx context.Context, binary string) (*server, error) {
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	s := &server{address: address, exited: make(chan error, 1)}
	s.cmd = exec.CommandContext(ctx, binary, "--insecure", "--address", address, "--metrics-address", "") //nolint:gosec // It is the user's.
	s.cmd.Stdout, s.cmd.Stderr = &s.output, &s.output
	begin := time.Now()
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go func() { s.exited <- s.cmd.Wait() }()
	if err := s.waitUntilItAnswers(ctx, begin.Add(patience)); err != nil {
		s.kill()
		return nil, err
	}
	s.took = time.Since(begin)
	return s, nil
}

func freeAddress(ctx context.Context) (string, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return l.Addr().String(), l.Close()
}

func (s *server) waitUntilItAnswers(ctx context.Context, deadline time.Time) error {
	for wait := 2 * time.Millisecond; time.Now().Before(deadline); wait = min(2*wait, 200*time.Millisecond) {
		conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", s.address)
		if err == nil {
			return conn.Close()
		}
		select {
		case err := <-s.exited:
			return errors.Join(errors.New("the server exited at once:\n"+s.log()), err)
		case <-time.After(wait):
		}
	}
	return fmt.Errorf("the server does not answer at %s after %s", s.address, patience)
}

// stop asks the server to stop, and checks that it does without an error.
func (s *server) stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	select {
	case err := <-s.exited:
		if err != nil {
			return fmt.Errorf("the server did not stop well: %w\n%s", err, s.log())
		}
		return nil
	case <-time.After(patience):
		return fmt.Errorf("the server has not stopped after %s", patience)
	}
}

// kill ends a server that was not stopped. It does nothing to one that was.
func (s *server) kill() { _ = s.cmd.Process.Kill() }

// log is what the server wrote. Only for one that has exited.
func (s *server) log() string { return strings.TrimSpace(s.output.String()) }

// String is the command that runs the server.
func (s *server) String() string {
	return strings.TrimSuffix(strings.Join(s.cmd.Args, " "), " ") + ` ""`
}

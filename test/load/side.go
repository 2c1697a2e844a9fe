package main

import (
	"context"
	"os"

	"github.com/function-patchwork/function-patchwork/test/child"
)

// side is a server that is measured.
type side struct {
	name   string
	client *client
	pid    int

	// composes tells whether it composes resources, or only returns those of
	// earlier functions.
	composes bool
	process  *child.Process
}

// kind of a side: how it is started.
type kind struct {
	name     string
	composes bool
	command  string
	args     func(address string) []string
}

// kinds returns the server and the echo.
func kinds(server string) ([]kind, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return []kind{
		{name: "function", composes: true, command: server, args: func(address string) []string {
			return []string{"--insecure", "--address", address, "--metrics-address", ""}
		}},
		{name: "echo", command: self, args: func(address string) []string { return []string{asEcho, address} }},
	}, nil
}

func (k kind) start(ctx context.Context) (*side, error) {
	p, err := child.Start(ctx, k.command, k.args)
	if err != nil {
		return nil, err
	}
	c, err := dial(p.Address)
	if err != nil {
		p.Kill()
		return nil, err
	}
	return &side{name: k.name, client: c, pid: p.PID(), composes: k.composes, process: p}, nil
}

func (s *side) stop() error {
	s.client.close()
	return s.process.Stop()
}

func (s *side) kill() {
	s.client.close()
	s.process.Kill()
}

package child_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/function-patchwork/function-patchwork/test/child"
)

// asChild makes this test binary the child.
const asChild = "PATCHWORK_TEST_AS_CHILD"

func TestMain(m *testing.M) {
	if os.Getenv(asChild) != "" {
		os.Exit(serve(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// serve listens until it is told to stop, and exits as it is told to.
func serve(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	fmt.Println(strings.Repeat("much is said. ", 10_000), "the child says something")
	if args[0] == "fail" {
		return 3
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", args[1])
	if err != nil {
		fmt.Println(err)
		return 1
	}
	defer func() { _ = l.Close() }()
	<-ctx.Done()
	if args[0] == "stop badly" {
		return 4
	}
	return 0
}

func start(t *testing.T, how string) (*child.Process, error) {
	t.Helper()
	t.Setenv(asChild, "1")
	return child.Start(t.Context(), os.Args[0], func(address string) []string { return []string{how, address} })
}

func TestStop(t *testing.T) {
	p, err := start(t, "stop well")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	if p.PID() == os.Getpid() || p.Took <= 0 || !strings.HasSuffix(p.String(), "stop well "+p.Address) {
		t.Errorf("process %d took %s: %s", p.PID(), p.Took, p)
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
}

func TestStopBadly(t *testing.T) {
	p, err := start(t, "stop badly")
	if err != nil {
		t.Fatal(err)
	}
	defer p.Kill()
	err = p.Stop()
	if err == nil || !strings.Contains(err.Error(), "exit status 4") || !strings.HasSuffix(err.Error(), "the child says something") {
		t.Errorf("got %v", err)
	}
	if len(p.Log()) > 16<<10 {
		t.Errorf("%d bytes are kept", len(p.Log()))
	}
}

func TestStartFails(t *testing.T) {
	_, err := start(t, "fail")
	if err == nil || !strings.Contains(err.Error(), "exit status 3") || !strings.Contains(err.Error(), "the child says something") {
		t.Errorf("got %v", err)
	}
}

// TestKill checks that nobody listens any more once Kill returns.
func TestKill(t *testing.T) {
	p, err := start(t, "stop well")
	if err != nil {
		t.Fatal(err)
	}
	p.Kill()
	p.Kill()
	if c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", p.Address); err == nil {
		_ = c.Close()
		t.Error("the child still listens")
	}
}

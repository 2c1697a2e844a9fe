package main

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/function-patchwork/function-patchwork/fn"
	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// TestMain lets this test binary be the echo.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == asEcho {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestCompare sends a few requests to the function and to the echo, which serve
// in this process.
func TestCompare(t *testing.T) {
	b := &bench{options: options{rounds: 2, time: 20 * time.Millisecond}, progress: io.Discard}
	s := shapes.Shape{Name: "few", Templates: 2, Patches: 3, Upstream: 1, Variants: 3, Compositions: 2}
	r, err := b.compare(t.Context(), s, 2, serveFunction(t), serveEchoHere(t))
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]result{"function": r.function, "echo": r.echo} {
		if of.rate <= 0 || of.p50 <= 0 || of.p99 < of.p50 || of.responseBytes == 0 || supported && of.peak == 0 {
			t.Errorf("%s: %+v", name, of)
		}
	}
	if r.shape != "few" || r.concurrency != 2 || r.requestBytes < 1000 || r.function.responseBytes <= r.echo.responseBytes {
		t.Errorf("%+v", r)
	}
}

// TestUnexpectedAnswers checks that what answers wrongly is not measured.
func TestUnexpectedAnswers(t *testing.T) {
	s := shapes.Shape{Name: "few", Templates: 2, Patches: 3, Variants: 1, Compositions: 1}
	r, err := requestsOf(s)
	if err != nil {
		t.Fatal(err)
	}
	echo := serveEchoHere(t)
	echo.composes = true
	if _, _, err := echo.check(t.Context(), r); err == nil || !strings.HasSuffix(err.Error(), "the answer has 0 resources, not 2") {
		t.Errorf("what composes nothing: %v", err)
	}
	r.messages[0].Input.Fields["resources"] = structpb.NewStringValue("none")
	if _, err := serveFunction(t).turn(t.Context(), r, 2, time.Millisecond); err == nil || !strings.Contains(err.Error(), "the answer is fatal") {
		t.Errorf("what is fatal: %v", err)
	}
}

// TestEchoProcess starts the echo as this command does it, and asks it.
func TestEchoProcess(t *testing.T) {
	all, err := kinds("no server")
	if err != nil {
		t.Fatal(err)
	}
	req, err := proto.Marshal(&fnv1.RunFunctionRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if took, idle, err := all[1].firstAnswer(t.Context(), req); err != nil || took <= 0 || supported && idle == 0 {
		t.Errorf("answers after %s, has %d bytes: %v", took, idle, err)
	}
	if _, err := all[0].start(t.Context()); err == nil {
		t.Error("a server that is not there is started")
	}
}

// serveFunction serves the function in this process.
func serveFunction(t *testing.T) *side {
	t.Helper()
	f := fn.New(fn.Options{})
	ctx, stop := context.WithCancel(t.Context())
	s, err := fn.Listen(ctx, f.Run, fn.ServerOptions{Address: "127.0.0.1:0", Insecure: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx) }()
	out := sideAt(t, s.Addr)
	out.composes = true
	t.Cleanup(func() {
		out.client.close()
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return out
}

// serveEchoHere serves the echo in this process.
func serveEchoHere(t *testing.T) *side {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newEcho()
	go func() { _ = s.Serve(l) }()
	t.Cleanup(s.Stop)
	return sideAt(t, l.Addr())
}

func sideAt(t *testing.T, a net.Addr) *side {
	t.Helper()
	c, err := dial(a.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.close)
	return &side{name: a.String(), client: c, pid: os.Getpid()}
}

package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/alecthomas/kong"
	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
)

// asCommand makes this test binary the command itself.
const asCommand = "FUNCTION_PATCHWORK_TEST_AS_COMMAND"

// patience is how long anything may take that should happen soon.
const patience = 20 * time.Second

func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

func command(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0], args...)
	c.Env = append(os.Environ(), asCommand+"=1", "TLS_SERVER_CERTS_DIR=")
	return c
}

// run runs the command to its end.
func run(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	c := command(t, args...)
	var out, errs strings.Builder
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

func TestCommands(t *testing.T) {
	cases := map[string]struct {
		args   []string
		status int
		stdout []string
		stderr []string
	}{
		"Help": {
			args:   []string{"--help"},
			stdout: []string{"serve", "render", "version", "function-patchwork render xr.yaml composition.yaml"},
		},
		"HelpOfServe": {
			args: []string{"serve", "--help"},
			stdout: []string{
				"-d, --debug", "--insecure", "--tls-certs-dir", "$TLS_SERVER_CERTS_DIR", `--network="tcp"`,
				`--address=":9443"`, "--max-recv-message-size", "--response-ttl", `--metrics-address=":8080"`, "grpcurl",
			},
		},
		"Version": {
			args:   []string{"version"},
			stdout: []string{"Version:", "Commit:", runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH},
		},
		"ServeIsTheDefaultAndNeedsCredentials": {
			status: 1,
			stderr: []string{"--tls-certs-dir", "TLS_SERVER_CERTS_DIR", "--insecure"},
		},
		"UnknownFlag":      {args: []string{"--insekure"}, status: 1, stderr: []string{"unknown flag --insekure"}},
		"MessageSizeOfNil": {args: []string{"--insecure", "--max-recv-message-size=0"}, status: 1, stderr: []string{"0 is not from 1 to 1024"}},
		"NegativeTTL":      {args: []string{"--insecure", "--response-ttl=-1s"}, status: 1, stderr: []string{"--response-ttl: -1s"}},
		"BadAddress":       {args: []string{"--insecure", "--address=127.0.0.1:99999"}, status: 1, stderr: []string{"127.0.0.1:99999"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			status, stdout, stderr := run(t, tc.args...)
			if status != tc.status {
				t.Errorf("got status %d, want %d", status, tc.status)
			}
			for _, want := range tc.stdout {
				if !strings.Contains(stdout, want) {
					t.Errorf("%q is not in the output:\n%s", want, stdout)
				}
			}
			for _, want := range tc.stderr {
				if !strings.Contains(stderr, want) {
					t.Errorf("%q is not in the error output:\n%s", want, stderr)
				}
			}
		})
	}
}

func TestDocsHaveEveryFlagOfServe(t *testing.T) {
	docs, err := os.ReadFile("docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range parser.Model.Children {
		if command.Name != "serve" {
			continue
		}
		for _, flag := range command.Flags {
			if want := "`--" + flag.Name + "`"; !strings.Contains(string(docs), want) {
				t.Errorf("docs/install.md does not have %s", want)
			}
		}
		return
	}
	t.Error("there is no command serve")
}

// served is a process that serves.
type served struct {
	*exec.Cmd

	socket string
	log    *bufio.Reader
	exited chan struct{} // closed once it did
}

// serve starts the command with no command named, which is to serve.
func serve(t *testing.T) *served {
	t.Helper()
	// The path of a socket is short, and that of a test's folder may be long.
	dir, err := os.MkdirTemp("", "fp")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &served{socket: filepath.Join(dir, "s"), exited: make(chan struct{})}
	s.Cmd = command(t, "--insecure", "--network=unix", "--address="+s.socket, "--metrics-address=")
	r, w := io.Pipe()
	s.Stderr, s.log = w, bufio.NewReader(r)
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = s.Wait() // Its state is looked at by the test.
		_ = w.Close()
		close(s.exited)
	}()
	t.Cleanup(func() {
		_ = s.Process.Kill()
		go func() { _, _ = io.Copy(io.Discard, r) }()
		<-s.exited
	})
	s.logs(t, "Serving")
	return s
}

// logs waits until the process logs a message.
func (s *served) logs(t *testing.T, msg string) {
	t.Helper()
	for {
		line, err := s.log.ReadString('\n')
		if strings.Contains(line, `"msg":"`+msg) {
			return
		}
		if err != nil {
			t.Fatalf("the log ended without %q", msg)
		}
	}
}

// ends waits until the process ended.
func (s *served) ends(t *testing.T, within time.Duration) *os.ProcessState {
	t.Helper()
	go func() { _, _ = io.Copy(io.Discard, s.log) }()
	select {
	case <-s.exited:
		return s.ProcessState
	case <-time.After(within):
		t.Fatalf("the process did not end within %s", within)
		return nil
	}
}

func (s *served) dial(t *testing.T) *grpc.ClientConn {
	t.Helper()
	conn, err := grpc.NewClient("unix:"+s.socket, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestSignalEndsServing(t *testing.T) {
	for _, signal := range []os.Signal{syscall.SIGTERM, os.Interrupt} {
		t.Run(signal.String(), func(t *testing.T) {
			t.Parallel()
			s := serve(t)
			rsp, err := fnv1.NewFunctionRunnerServiceClient(s.dial(t)).RunFunction(t.Context(),
				&fnv1.RunFunctionRequest{Meta: &fnv1.RequestMeta{Tag: "t"}})
			if err != nil || rsp.GetMeta().GetTag() != "t" {
				t.Errorf("got the tag %q, %v", rsp.GetMeta().GetTag(), err)
			}
			if err := s.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if state := s.ends(t, patience); state.ExitCode() != 0 {
				t.Errorf("it ended with %s", state)
			}
			if _, err := (&net.Dialer{}).DialContext(t.Context(), "unix", s.socket); err == nil {
				t.Error("something still listens")
			}
		})
	}
}

func TestSecondSignalEndsServingAtOnce(t *testing.T) {
	s := serve(t)
	// A stream that stays open is a call in flight.
	stream, err := grpc_reflection_v1.NewServerReflectionClient(s.dial(t)).ServerReflectionInfo(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Send(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{},
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	if err := s.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	s.logs(t, "Stopping")
	// One that comes at the very same time is still the first one.
	again := time.NewTicker(100 * time.Millisecond)
	defer again.Stop()
	go func() {
		for s.Process.Signal(syscall.SIGTERM) == nil {
			select {
			case <-again.C:
			case <-s.exited:
				return
			}
		}
	}()
	state := s.ends(t, patience)
	if state.Success() || time.Since(start) > 9*time.Second {
		t.Errorf("it ended with %s after %s, want it to end at once", state, time.Since(start))
	}
}

package fn_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/proto/v1beta1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"
	gproto "google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/function-patchwork/function-patchwork/fn"
)

const (
	serviceV1      = "apiextensions.fn.proto.v1.FunctionRunnerService"
	serviceV1beta1 = "apiextensions.fn.proto.v1beta1.FunctionRunnerService"
)

func TestServeBothVersions(t *testing.T) {
	conn := serve(t, respond).dial(t, nil)
	rsp, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), tagged("one"))
	if err != nil || rsp.GetMeta().GetTag() != "one" {
		t.Errorf("v1: got the tag %q, %v", rsp.GetMeta().GetTag(), err)
	}
	beta, err := v1beta1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(),
		&v1beta1.RunFunctionRequest{Meta: &v1beta1.RequestMeta{Tag: "two"}})
	if err != nil || beta.GetMeta().GetTag() != "two" {
		t.Errorf("v1beta1: got the tag %q, %v", beta.GetMeta().GetTag(), err)
	}
}

func TestServeReflection(t *testing.T) {
	conn := serve(t, respond).dial(t, nil)
	stream, err := grpc_reflection_v1.NewServerReflectionClient(conn).ServerReflectionInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ask := func(req *grpc_reflection_v1.ServerReflectionRequest) *grpc_reflection_v1.ServerReflectionResponse {
		t.Helper()
		if err := stream.Send(req); err != nil {
			t.Fatal(err)
		}
		rsp, err := stream.Recv()
		if err != nil {
			t.Fatal(err)
		}
		return rsp
	}
	var services []string
	for _, s := range ask(&grpc_reflection_v1.ServerReflectionRequest{
		MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{},
	}).GetListServicesResponse().GetService() {
		services = append(services, s.GetName())
	}
	for _, name := range []string{serviceV1, serviceV1beta1} {
		if !slices.Contains(services, name) {
			t.Errorf("%s is not among %v", name, services)
		}
		files := ask(&grpc_reflection_v1.ServerReflectionRequest{
			MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_FileContainingSymbol{FileContainingSymbol: name},
		}).GetFileDescriptorResponse().GetFileDescriptorProto()
		if len(files) == 0 {
			t.Fatalf("no file describes %s", name)
		}
		file := &descriptorpb.FileDescriptorProto{}
		if err := gproto.Unmarshal(files[0], file); err != nil {
			t.Fatal(err)
		}
		if got := file.GetPackage() + "." + file.GetService()[0].GetName(); got != name {
			t.Errorf("the file of %s describes %s", name, got)
		}
	}
}

func TestServeHealth(t *testing.T) {
	conn := serve(t, respond).dial(t, nil)
	for _, name := range []string{"", serviceV1, serviceV1beta1} {
		rsp, err := grpc_health_v1.NewHealthClient(conn).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{Service: name})
		if err != nil || rsp.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
			t.Errorf("%q: got %v, %v", name, rsp.GetStatus(), err)
		}
	}
}

func TestErrorsOfCalls(t *testing.T) {
	type want struct {
		code codes.Code
		text string
	}
	cases := map[string]struct {
		run  fn.RunFunc
		want want
	}{
		"BytesThatAreNoRequest": {
			run: func(context.Context, []byte, []byte) ([]byte, fn.Call, error) {
				return nil, fn.Call{}, errors.New("byte 7: meta: truncated")
			},
			want: want{code: codes.InvalidArgument, text: "byte 7: meta: truncated"},
		},
		"PanicInTheFunction": {
			run: func(context.Context, []byte, []byte) ([]byte, fn.Call, error) {
				return nil, fn.Call{}, &fn.PanicError{Value: "hunter2", Stack: []byte("the stack")}
			},
			want: want{code: codes.Internal, text: "defect"},
		},
		"Panic": {
			run:  func(context.Context, []byte, []byte) ([]byte, fn.Call, error) { panic("hunter2") },
			want: want{code: codes.Internal, text: "defect"},
		},
		"Deadline": {
			run: func(context.Context, []byte, []byte) ([]byte, fn.Call, error) {
				return nil, fn.Call{}, context.DeadlineExceeded
			},
			want: want{code: codes.DeadlineExceeded, text: "deadline"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			s := serve(t, tc.run)
			_, err := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil)).RunFunction(t.Context(), tagged("t"))
			if status.Code(err) != tc.want.code || !strings.Contains(err.Error(), tc.want.text) {
				t.Errorf("got %v, want %v with %q", err, tc.want.code, tc.want.text)
			}
			eventually(t, "a line of the call in the log", func() bool { return len(s.lines(t, "Call")) == 1 })
			if got := s.lines(t, "Call")[0]["outcome"]; got != "error" {
				t.Errorf("the log says that the outcome was %v", got)
			}
			if strings.Contains(s.log.String(), "hunter2") {
				t.Errorf("the log has what the panic was about:\n%s", s.log.String())
			}
			if _, body := s.get(t, "/metrics"); !strings.Contains(body, `calls_total{outcome="error",service="v1"} 1`) {
				t.Error("the metrics do not count the error")
			}
		})
	}
}

func TestPanicIsLoggedAndServingGoesOn(t *testing.T) {
	s := serve(t, func(ctx context.Context, b, _ []byte) ([]byte, fn.Call, error) {
		if strings.Contains(string(b), "bad") {
			return nil, fn.Call{}, errors.New(string(b[len(b)]))
		}
		return respond(ctx, b, nil)
	})
	client := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil))
	if _, err := client.RunFunction(t.Context(), tagged("bad")); status.Code(err) != codes.Internal {
		t.Errorf("got %v, want an internal error", err)
	}
	if _, err := client.RunFunction(t.Context(), tagged("good")); err != nil {
		t.Errorf("the next call failed: %v", err)
	}
	panics := s.lines(t, "Panic in a call; please report this defect")
	if len(panics) != 1 {
		t.Fatalf("got %d panics in the log:\n%s", len(panics), s.log.String())
	}
	if got, _ := panics[0]["panic"].(string); !strings.Contains(got, "index out of range") {
		t.Errorf("the log says that the panic was %q", got)
	}
	if got, _ := panics[0]["stack"].(string); !strings.Contains(got, "server_test.go") {
		t.Errorf("the log does not say where it was:\n%s", got)
	}
}

func TestBytesThatAreNoRequest(t *testing.T) {
	conn := serve(t, fn.New(fn.Options{}).Run).dial(t, nil)
	for name, b := range map[string]string{
		"Garbage":       "\xff\xff\xff\xff",
		"Truncated":     "\x0a\x10\x0a\x02ab",
		"WrongWireType": "\x08\x01\x07",
	} {
		t.Run(name, func(t *testing.T) {
			// A message keeps what it does not know, and sends it as it is.
			req := &fnv1.RunFunctionRequest{}
			req.ProtoReflect().SetUnknown([]byte(b))
			_, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), req)
			if status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), "byte ") {
				t.Errorf("got %v, want an invalid argument and its place", err)
			}
		})
	}
}

func TestRequestThatIsTooLarge(t *testing.T) {
	s := serve(t, respond, func(o *fn.ServerOptions) { o.MaxRequestBytes = 100 })
	client := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil))
	if _, err := client.RunFunction(t.Context(), tagged(strings.Repeat("x", 200))); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("got %v, want that the request is too large", err)
	}
	if _, err := client.RunFunction(t.Context(), tagged("small")); err != nil {
		t.Error(err)
	}
}

func TestStopLetsCallsFinish(t *testing.T) {
	started, finish := make(chan struct{}), make(chan struct{})
	s := serve(t, func(ctx context.Context, b, _ []byte) ([]byte, fn.Call, error) {
		close(started)
		<-finish
		return respond(ctx, b, nil)
	})
	if code, body := s.get(t, "/readyz"); code != http.StatusOK {
		t.Errorf("/readyz of a server that serves: %d %s", code, body)
	}
	conn := s.dial(t, nil)
	answered := make(chan error, 1)
	go func() {
		_, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(context.Background(), tagged("slow"))
		answered <- err
	}()
	<-started
	s.stop()

	eventually(t, "/readyz fails", func() bool {
		code, _ := s.get(t, "/readyz")
		return code == http.StatusServiceUnavailable
	})
	if code, _ := s.get(t, "/healthz"); code != http.StatusOK {
		t.Errorf("/healthz of a server that stops: %d", code)
	}
	eventually(t, "new connections are refused", func() bool {
		c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", s.Addr.String())
		if err == nil {
			_ = c.Close()
		}
		return err != nil
	})
	close(finish)
	if err := <-answered; err != nil {
		t.Errorf("the call in flight failed: %v", err)
	}
	if err := s.result(t); err != nil {
		t.Errorf("Serve returned %v", err)
	}
}

func TestStopDoesNotWaitForever(t *testing.T) {
	started := make(chan struct{})
	s := serve(t, func(ctx context.Context, _, _ []byte) ([]byte, fn.Call, error) {
		close(started)
		<-ctx.Done()
		return nil, fn.Call{}, ctx.Err()
	}, func(o *fn.ServerOptions) { o.Grace = time.Millisecond })
	client := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil))
	answered := make(chan error, 1)
	go func() {
		_, err := client.RunFunction(context.Background(), tagged("endless"))
		answered <- err
	}()
	<-started
	s.stop()
	if err := s.result(t); err != nil {
		t.Errorf("Serve returned %v", err)
	}
	if err := <-answered; err == nil {
		t.Error("the endless call was answered")
	}
}

func TestConnectionsEndSoThatClientsFindNewPods(t *testing.T) {
	s := serve(t, respond, func(o *fn.ServerOptions) { o.ConnectionAge = 20 * time.Millisecond })
	client := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil))
	seen := map[string]bool{}
	eventually(t, "the client connects anew", func() bool {
		var p peer.Peer
		if _, err := client.RunFunction(t.Context(), tagged("t"), grpc.Peer(&p), grpc.WaitForReady(true)); err != nil {
			t.Fatalf("a call failed: %v", err)
		}
		seen[p.LocalAddr.String()] = true
		return len(seen) > 2
	})
}

func TestListenErrors(t *testing.T) {
	busy, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = busy.Close() })
	taken := busy.Addr().String()
	cases := map[string]struct {
		options fn.ServerOptions
		want    []string
	}{
		"AddressInUse": {
			options: fn.ServerOptions{Insecure: true, Address: taken},
			want:    []string{"gRPC", taken, "in use"},
		},
		"MetricsAddressInUse": {
			options: fn.ServerOptions{Insecure: true, Address: "127.0.0.1:0", MetricsAddress: taken},
			want:    []string{"metrics", taken, "in use"},
		},
		"NoCredentials": {
			options: fn.ServerOptions{Address: "127.0.0.1:0"},
			want:    []string{"--tls-certs-dir", "TLS_SERVER_CERTS_DIR", "--insecure"},
		},
		"NoCertificates": {
			options: fn.ServerOptions{Address: "127.0.0.1:0", CertsDir: "testdata/nothing-here"},
			want:    []string{"tls.crt", "tls.key", "ca.crt", "no such file"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			tc.options.Log = fn.NewLogger(t.Output(), false)
			_, err := fn.Listen(t.Context(), respond, tc.options)
			if err == nil {
				t.Fatal("got no error")
			}
			for _, w := range tc.want {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q is not in %q", w, err)
				}
			}
		})
	}
}

func TestMetricsCanBeOff(t *testing.T) {
	s := serve(t, respond, func(o *fn.ServerOptions) { o.MetricsAddress = "" })
	if s.MetricsAddr != nil {
		t.Errorf("it listens at %v", s.MetricsAddr)
	}
	if _, err := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil)).RunFunction(t.Context(), tagged("t")); err != nil {
		t.Error(err)
	}
}

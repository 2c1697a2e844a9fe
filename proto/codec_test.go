package proto

import (
	"bytes"
	"context"
	"net"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/test/bufconn"
)

// echoing is a server that answers each request with its desired state.
func echoing(t *testing.T) *grpc.ClientConn {
	t.Helper()
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	handle := func(_ any, _ context.Context, read func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		f := &Frame{}
		if err := read(f); err != nil {
			return nil, err
		}
		defer f.Free()
		r, err := ParseRequest(f.Bytes())
		if err != nil {
			return nil, err
		}
		message, err := (&Response{Request: r}).Append(codec.Room())
		if err != nil {
			return nil, err
		}
		return codec.Send(message), nil
	}
	s := grpc.NewServer(grpc.ForceServerCodecV2(codec))
	s.RegisterService(&grpc.ServiceDesc{
		ServiceName: fnv1.FunctionRunnerService_ServiceDesc.ServiceName,
		HandlerType: (*any)(nil),
		Methods:     []grpc.MethodDesc{{MethodName: "RunFunction", Handler: handle}},
	}, nil)
	grpc_health_v1.RegisterHealthServer(s, health.NewServer())
	listener := bufconn.Listen(1 << 16)
	go func() { _ = s.Serve(listener) }()
	t.Cleanup(s.Stop)

	conn, err := grpc.NewClient("passthrough:///server", grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func TestFramesPassThroughGRPC(t *testing.T) {
	client := fnv1.NewFunctionRunnerServiceClient(echoing(t))
	for _, resources := range []int{0, 1, 10, 300} {
		req := usualRequest(resources)
		for range 3 {
			got, err := client.RunFunction(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(deterministic(t, got.GetDesired()), deterministic(t, req.GetDesired())) {
				t.Errorf("%d resources do not come back as they were", resources)
			}
		}
	}
}

func TestOtherMessagesHaveTheStandardCodec(t *testing.T) {
	got, err := grpc_health_v1.NewHealthClient(echoing(t)).Check(t.Context(), &grpc_health_v1.HealthCheckRequest{})
	if err != nil || got.GetStatus() != grpc_health_v1.HealthCheckResponse_SERVING {
		t.Errorf("status %v, error %v", got, err)
	}
}

func TestARoomIsUsedAgain(t *testing.T) {
	codec, err := NewCodec()
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1 << 20, 10, 0, 2 << 20} {
		long := strings.Repeat("x", n)
		message, err := (&Response{Results: []Result{{Severity: SeverityNormal, Message: long}}}).Append(codec.Room())
		if err != nil {
			t.Fatal(err)
		}
		f := codec.Send(message)
		if !strings.Contains(string(f.Bytes()), long) {
			t.Errorf("the message of %d bytes is not in the response", n)
		}
		f.Free()
		if f.Bytes() != nil {
			t.Error("there are bytes after Free")
		}
	}
}

package fn

import (
	"context"
	"errors"
	"log/slog"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/proto/v1beta1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/function-patchwork/function-patchwork/proto"
)

// service answers the calls of FunctionRunnerService, of whatever version.
type service struct {
	run     RunFunc
	codec   *proto.Codec
	log     *slog.Logger
	metrics *serverMetrics
}

// descs describe the versions of the service that are served. Their messages
// are the same, so that neither is decoded into the other.
func (s *service) descs() []*grpc.ServiceDesc {
	return []*grpc.ServiceDesc{
		describe("v1", fnv1.FunctionRunnerService_ServiceDesc),
		describe("v1beta1", v1beta1.FunctionRunnerService_ServiceDesc),
	}
}

// describe makes a generated description one that leaves messages encoded.
func describe(version string, d grpc.ServiceDesc) *grpc.ServiceDesc {
	method := d.Methods[0].MethodName
	full := "/" + d.ServiceName + "/" + method
	d.HandlerType = (*any)(nil)
	d.Methods = []grpc.MethodDesc{{
		MethodName: method,
		Handler: func(srv any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
			s := srv.(*service) //nolint:forcetypeassert // It is registered with one.
			in := &proto.Frame{}
			if err := decode(in); err != nil {
				return nil, err
			}
			return intercept(ctx, in, &grpc.UnaryServerInfo{Server: srv, FullMethod: full}, func(ctx context.Context, _ any) (any, error) {
				return s.answer(ctx, version, in)
			})
		},
	}}
	return &d
}

// answer runs the function, and says how that went in the log and the metrics,
// also if it panics.
func (s *service) answer(ctx context.Context, version string, in *proto.Frame) (*proto.Frame, error) {
	defer in.Free()
	r := record{version: version, start: time.Now(), outcome: outcomeError, call: Call{RequestBytes: len(in.Bytes())}}
	s.metrics.inFlight.Inc()
	defer func() {
		s.metrics.inFlight.Dec()
		r.duration = time.Since(r.start)
		s.metrics.observe(&r)
		r.log(ctx, s.log)
	}()
	room := s.codec.Room()
	rsp, call, err := s.run(ctx, in.Bytes(), room)
	r.call, r.err = call, err
	if err != nil {
		s.codec.Return(room)
		return nil, s.explain(ctx, err)
	}
	r.outcome = outcomeOf(call)
	return s.codec.Send(rsp), nil
}

// explain makes an error of the function one for its client.
func (s *service) explain(ctx context.Context, err error) error {
	var panicked *PanicError
	switch {
	case errors.As(err, &panicked):
		logPanic(ctx, s.log, panicked.Value, panicked.Stack)
		return status.Error(codes.Internal, err.Error())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return status.FromContextError(err).Err()
	default:
		return status.Error(codes.InvalidArgument, err.Error())
	}
}

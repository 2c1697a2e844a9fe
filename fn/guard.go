package fn

import (
	"context"
	"fmt"
	"log/slog"
	"runtime"
	"runtime/debug"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// guard makes a panic the error of the call that caused it.
type guard struct {
	log *slog.Logger
}

func (g guard) unary(ctx context.Context, req any, _ *grpc.UnaryServerInfo, h grpc.UnaryHandler) (rsp any, err error) {
	defer g.recovered(ctx, &err)
	return h(ctx, req)
}

func (g guard) stream(srv any, ss grpc.ServerStream, _ *grpc.StreamServerInfo, h grpc.StreamHandler) (err error) {
	defer g.recovered(ss.Context(), &err)
	return h(srv, ss)
}

func (g guard) recovered(ctx context.Context, err *error) {
	p := recover()
	if p == nil {
		return
	}
	logPanic(ctx, g.log, p, debug.Stack())
	*err = status.Error(codes.Internal, (&PanicError{}).Error())
}

// logPanic logs where a panic was. What it was about is logged only if it comes
// from Go itself: another one might quote the request.
func logPanic(ctx context.Context, log *slog.Logger, value any, stack []byte) {
	text := fmt.Sprintf("a value of type %T", value)
	if e, ok := value.(runtime.Error); ok {
		text = e.Error()
	}
	log.LogAttrs(ctx, slog.LevelError, "Panic in a call; please report this defect",
		slog.String("panic", text), slog.String("stack", string(stack)))
}

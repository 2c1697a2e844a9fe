package main

import (
	"context"
	"net"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/durationpb"
)

// asEcho is the argument, before an address, that makes this command the echo.
const asEcho = "echo"

// maxMessage is the size of the largest message that is sent or received.
const maxMessage = 64 << 20

// echo is a function that has its request decoded by the standard library, and
// returns the desired state. A function that does so can hardly do with less.
type echo struct {
	fnv1.UnimplementedFunctionRunnerServiceServer
}

// RunFunction returns what the earlier functions desire.
func (echo) RunFunction(_ context.Context, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, error) {
	return &fnv1.RunFunctionResponse{
		Meta:    &fnv1.ResponseMeta{Tag: req.GetMeta().GetTag(), Ttl: durationpb.New(time.Minute)},
		Desired: req.GetDesired(),
		Context: req.GetContext(),
	}, nil
}

func newEcho() *grpc.Server {
	s := grpc.NewServer(grpc.MaxRecvMsgSize(maxMessage))
	fnv1.RegisterFunctionRunnerServiceServer(s, echo{})
	return s
}

// serveEcho serves the echo until the context is done.
func serveEcho(ctx context.Context, address string) error {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return err
	}
	s := newEcho()
	context.AfterFunc(ctx, s.GracefulStop)
	return s.Serve(l)
}

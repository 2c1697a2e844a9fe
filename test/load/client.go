package main

import (
	"context"
	"errors"
	"fmt"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/mem"
	"google.golang.org/protobuf/encoding/protowire"
)

// client sends requests that are encoded already, so that the time that a call
// takes is not that of encoding and decoding here.
type client struct{ conn *grpc.ClientConn }

func dial(address string) (*client, error) {
	conn, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodecV2(encoded{}), grpc.MaxCallRecvMsgSize(maxMessage), grpc.WaitForReady(true)))
	return &client{conn: conn}, err
}

func (c *client) close() { _ = c.conn.Close() }

// call returns the response to a request. One with a fatal result is an error.
func (c *client) call(ctx context.Context, req []byte) ([]byte, error) {
	var rsp []byte
	if err := c.conn.Invoke(ctx, fnv1.FunctionRunnerService_RunFunction_FullMethodName, &req, &rsp); err != nil {
		return nil, err
	}
	return rsp, fatal(rsp)
}

// encoded is a codec for messages that are *[]byte.
type encoded struct{}

// Marshal takes the bytes as they are.
func (encoded) Marshal(v any) (mem.BufferSlice, error) {
	b, ok := v.(*[]byte)
	if !ok {
		return nil, fmt.Errorf("%T is not encoded", v)
	}
	return mem.BufferSlice{mem.SliceBuffer(*b)}, nil
}

// Unmarshal takes the bytes as they are.
func (encoded) Unmarshal(data mem.BufferSlice, v any) error {
	b, ok := v.(*[]byte)
	if !ok {
		return fmt.Errorf("%T is not for what is encoded", v)
	}
	*b = data.Materialize()
	return nil
}

// Name is what the messages are encoded as.
func (encoded) Name() string { return "proto" }

// Numbers of fields of a RunFunctionResponse and of a Result.
const (
	fieldResults  = 3
	fieldSeverity = 1
	fieldMessage  = 2
)

// fatal returns the first fatal result of an encoded response as an error. To
// decode all of each response would take longer than it took to make.
func fatal(rsp []byte) error {
	return eachField(rsp, func(number protowire.Number, result []byte, _ uint64) error {
		if number != fieldResults {
			return nil
		}
		var severity uint64
		var message string
		err := eachField(result, func(number protowire.Number, text []byte, n uint64) error {
			switch number {
			case fieldSeverity:
				severity = n
			case fieldMessage:
				message = string(text)
			}
			return nil
		})
		if err == nil && severity == uint64(fnv1.Severity_SEVERITY_FATAL) {
			err = errors.New("the answer is fatal: " + message)
		}
		return err
	})
}

// eachField calls do for each field of a message, with its bytes or its number.
func eachField(b []byte, do func(protowire.Number, []byte, uint64) error) error {
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		b = b[n:]
		n = protowire.ConsumeFieldValue(number, kind, b)
		if n < 0 {
			return protowire.ParseError(n)
		}
		var text []byte
		var value uint64
		switch kind {
		case protowire.BytesType:
			text, _ = protowire.ConsumeBytes(b)
		case protowire.VarintType:
			value, _ = protowire.ConsumeVarint(b)
		}
		if err := do(number, text, value); err != nil {
			return err
		}
		b = b[n:]
	}
	return nil
}

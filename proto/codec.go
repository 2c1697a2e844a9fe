package proto

import (
	"fmt"
	"sync"

	"google.golang.org/grpc/encoding"
	standard "google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
)

// Tiers of the pool that requests and responses lie in, as powers of two. A
// buffer is at most twice as large as what is in it.
const (
	smallestTier = 12
	largestTier  = 25
)

// Codec is a gRPC codec that hands *Frame through as bytes. Other messages, those
// of health checks and reflection, it leaves to the standard protobuf codec. It
// goes by the same name, and is to be forced on a server.
type Codec struct {
	pool     mem.BufferPool // of requests
	rooms    rooms          // of responses
	standard encoding.CodecV2
}

// NewCodec returns a codec with a pool of buffers.
func NewCodec() (*Codec, error) {
	tiers := []uint8{}
	for t := uint8(smallestTier); t <= largestTier; t++ {
		tiers = append(tiers, t)
	}
	pool, err := mem.NewBinaryTieredBufferPool(tiers...)
	if err != nil {
		return nil, fmt.Errorf("cannot make a pool of buffers: %w", err)
	}
	return &Codec{pool: pool, standard: encoding.GetCodecV2(standard.Name)}, nil
}

// Name is that of the standard codec.
func (*Codec) Name() string { return standard.Name }

// Marshal hands a frame's bytes over to gRPC, which frees them.
func (c *Codec) Marshal(v any) (mem.BufferSlice, error) {
	f, ok := v.(*Frame)
	if !ok {
		return c.standard.Marshal(v)
	}
	b := f.buffer
	f.buffer = nil
	if b == nil {
		return mem.BufferSlice{}, nil
	}
	return mem.BufferSlice{b}, nil
}

// Unmarshal makes data a frame's bytes. They are copied only if gRPC received
// them in several buffers. The frame has to be freed.
func (c *Codec) Unmarshal(data mem.BufferSlice, v any) error {
	f, ok := v.(*Frame)
	if !ok {
		return c.standard.Unmarshal(data, v)
	}
	f.buffer = data.MaterializeToBuffer(c.pool)
	return nil
}

// Room returns an empty buffer to append a message to. It goes back to the codec
// with Send or Return.
func (c *Codec) Room() []byte {
	if room, ok := c.rooms.Pool.Get().(*[]byte); ok {
		return (*room)[:0]
	}
	return nil
}

// Send returns a frame of a message that was appended to a Room. gRPC gives the
// buffer back once the frame is sent.
func (c *Codec) Send(message []byte) *Frame {
	return &Frame{buffer: mem.NewBuffer(&message, &c.rooms)}
}

// Return takes a Room back that is not sent.
func (c *Codec) Return(room []byte) { c.rooms.Put(&room) }

// rooms is a pool of buffers that are as large as their last message.
type rooms struct{ sync.Pool }

// Put takes a buffer back.
func (r *rooms) Put(b *[]byte) { r.Pool.Put(b) }

// Get returns a buffer of a length, for whom it is a mem.BufferPool.
func (r *rooms) Get(length int) *[]byte {
	b := make([]byte, length)
	return &b
}

// Frame is a message that is sent or was received, as bytes.
type Frame struct{ buffer mem.Buffer }

// Bytes returns the message, which must not be changed. The bytes are valid until
// the frame is freed or sent, and so is every view on them.
func (f *Frame) Bytes() []byte {
	if f.buffer == nil {
		return nil
	}
	return f.buffer.ReadOnlyData()
}

// Free gives the bytes back. Nothing may use them, or a view on them, after it.
func (f *Frame) Free() {
	if f.buffer != nil {
		f.buffer.Free()
		f.buffer = nil
	}
}

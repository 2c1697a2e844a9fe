package proto

import (
	"fmt"

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
	pool     mem.BufferPool
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

// Encode returns the response in a buffer of the pool. gRPC puts it back once
// the response is sent.
func (c *Codec) Encode(r *Response) (*Frame, error) {
	buffer := c.pool.Get(r.sizeHint())
	b, err := r.Append((*buffer)[:0])
	if err != nil {
		c.pool.Put(buffer)
		return nil, err
	}
	if cap(b) != cap(*buffer) {
		c.pool.Put(buffer)
		return NewFrame(b), nil
	}
	*buffer = b
	return &Frame{buffer: mem.NewBuffer(buffer, c.pool)}, nil
}

// Frame is a message that is sent or was received, as bytes.
type Frame struct{ buffer mem.Buffer }

// NewFrame returns a frame of bytes that must not be changed any more.
func NewFrame(b []byte) *Frame { return &Frame{buffer: mem.SliceBuffer(b)} }

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

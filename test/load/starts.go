package main

import (
	"context"
	"slices"
	"time"

	"google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// settle is how long after its first answer a server is idle.
const settle = 500 * time.Millisecond

// start of a side: when it first answered, and how many bytes it has when idle.
type start struct {
	name      string
	took      time.Duration
	slowest   time.Duration
	idleBytes int64
}

// measureStarts starts the sides again and again, in turns.
func (b *bench) measureStarts(ctx context.Context) ([]start, error) {
	b.say("starting each %d times", b.starts)
	kinds, err := kinds(b.server)
	if err != nil {
		return nil, err
	}
	msg, err := shapes.All()[0].Request(0)
	if err != nil {
		return nil, err
	}
	req, err := proto.Marshal(msg)
	if err != nil {
		return nil, err
	}
	times, idle := make([][]time.Duration, len(kinds)), make([][]int64, len(kinds))
	for range b.starts {
		for i, k := range kinds {
			took, bytes, err := k.firstAnswer(ctx, req)
			if err != nil {
				return nil, err
			}
			times[i], idle[i] = append(times[i], took), append(idle[i], bytes)
		}
	}
	out := make([]start, len(kinds))
	for i, k := range kinds {
		out[i] = start{name: k.name, took: median(times[i]), slowest: slices.Max(times[i]), idleBytes: median(idle[i])}
	}
	return out, nil
}

// firstAnswer starts a side, asks it once, and stops it.
func (k kind) firstAnswer(ctx context.Context, req []byte) (took time.Duration, idle int64, err error) {
	begin := time.Now()
	s, err := k.start(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer s.kill()
	if _, err := s.client.call(ctx, req); err != nil {
		return 0, 0, err
	}
	took = time.Since(begin)
	select {
	case <-ctx.Done():
		return 0, 0, ctx.Err()
	case <-time.After(settle):
	}
	if idle, _, err = memoryOf(s.pid); err != nil {
		return 0, 0, err
	}
	return took, idle, s.stop()
}

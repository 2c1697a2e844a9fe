package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// requests of a shape, which are sent one after another.
type requests struct {
	shape    shapes.Shape
	messages []*fnv1.RunFunctionRequest
}

func requestsOf(s shapes.Shape) (*requests, error) {
	messages, err := s.Requests()
	return &requests{shape: s, messages: messages}, err
}

// encode returns the bytes of a request. They are made anew each time, as
// Crossplane does it: with another order of the entries of maps.
func (r *requests) encode(i int) ([]byte, error) { return proto.Marshal(r.messages[i%len(r.messages)]) }

// check sends each request once, and checks that the answer has the resources
// that it should have. It returns the mean sizes in bytes.
func (s *side) check(ctx context.Context, r *requests) (request, response int, err error) {
	want := r.shape.Upstream
	if s.composes {
		want += r.shape.Templates
	}
	for i := range r.messages {
		req, err := r.encode(i)
		if err != nil {
			return 0, 0, err
		}
		b, err := s.client.call(ctx, req)
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", s.name, err)
		}
		var rsp fnv1.RunFunctionResponse
		if err := proto.Unmarshal(b, &rsp); err != nil {
			return 0, 0, err
		}
		if got := len(rsp.GetDesired().GetResources()); got < want {
			return 0, 0, fmt.Errorf("%s: the answer has %d resources, not %d", s.name, got, want)
		}
		request, response = request+len(req), response+len(b)
	}
	return request / len(r.messages), response / len(r.messages), nil
}

// warmUp checks the side, and sends requests for a second, or a turn if that is
// shorter. It returns the mean sizes in bytes.
func (s *side) warmUp(ctx context.Context, r *requests, concurrency int, turn time.Duration) (request, response int, err error) {
	request, response, err = s.check(ctx, r)
	if err == nil {
		_, err = s.turn(ctx, r, concurrency, min(turn, time.Second))
	}
	return request, response, err
}

// turn sends requests for a while, so many at a time.
func (s *side) turn(ctx context.Context, r *requests, concurrency int, d time.Duration) (figures, error) {
	before, err := cpuOf(s.pid)
	if err != nil {
		return figures{}, err
	}
	begin := time.Now()
	latencies, err := s.drive(ctx, r, concurrency, begin.Add(d))
	took := time.Since(begin)
	if err != nil {
		return figures{}, err
	}
	after, err := cpuOf(s.pid)
	return figuresOf(latencies, took, after-before), err
}

// drive returns how long each call took. Each of those at a time begins one at
// least.
func (s *side) drive(ctx context.Context, r *requests, concurrency int, until time.Time) ([]time.Duration, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var (
		next   atomic.Int64
		wg     sync.WaitGroup
		times  = make([][]time.Duration, concurrency)
		errs   = make([]error, concurrency)
		merged []time.Duration
	)
	for i := range concurrency {
		wg.Go(func() {
			if times[i], errs[i] = s.worker(ctx, r, &next, until); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	for _, t := range times {
		merged = append(merged, t...)
	}
	return merged, errors.Join(errs...)
}

func (s *side) worker(ctx context.Context, r *requests, next *atomic.Int64, until time.Time) ([]time.Duration, error) {
	var times []time.Duration
	for len(times) == 0 || time.Now().Before(until) {
		req, err := r.encode(int(next.Add(1)))
		if err != nil {
			return nil, err
		}
		begin := time.Now()
		if _, err := s.client.call(ctx, req); err != nil {
			return nil, fmt.Errorf("%s: %w", s.name, err)
		}
		times = append(times, time.Since(begin))
	}
	return times, nil
}

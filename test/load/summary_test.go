package main

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestFigures(t *testing.T) {
	latencies := make([]time.Duration, 200)
	for i := range latencies {
		latencies[i] = time.Duration(200-i) * time.Millisecond // 200 ms to 1 ms
	}
	got := figuresOf(latencies, 4*time.Second, time.Second)
	want := figures{rate: 50, p50: 100 * time.Millisecond, p99: 198 * time.Millisecond, cpu: 5 * time.Millisecond}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(figures{})); diff != "" {
		t.Error(diff)
	}
	if got := figuresOf(nil, time.Second, 0); got != (figures{}) {
		t.Errorf("of no calls: %v", got)
	}
}

func TestPercentile(t *testing.T) {
	cases := map[string]struct {
		sorted  []time.Duration
		percent int
		want    time.Duration
	}{
		"of one":            {[]time.Duration{7}, 99, 7},
		"half of two":       {[]time.Duration{1, 2}, 50, 1},
		"half of three":     {[]time.Duration{1, 2, 3}, 50, 2},
		"99 of 100 of four": {[]time.Duration{1, 2, 3, 4}, 99, 4},
		"none of three":     {[]time.Duration{1, 2, 3}, 0, 1},
	}
	for name, c := range cases {
		if got := percentile(c.sorted, c.percent); got != c.want {
			t.Errorf("%s: got %d, want %d", name, got, c.want)
		}
	}
}

func TestMedian(t *testing.T) {
	cases := []struct {
		values []int64
		want   int64
	}{{nil, 0}, {[]int64{5}, 5}, {[]int64{9, 1, 5}, 5}, {[]int64{8, 2, 4, 100}, 6}}
	for _, c := range cases {
		if got := median(c.values); got != c.want {
			t.Errorf("of %v: got %d, want %d", c.values, got, c.want)
		}
	}
}

// TestMedians checks that each figure has a median of its own.
func TestMedians(t *testing.T) {
	got := medians([]figures{{rate: 1, p50: 30, p99: 5, cpu: 2}, {rate: 3, p50: 10, p99: 7, cpu: 1}, {rate: 2, p50: 20, p99: 6, cpu: 3}})
	if want := (figures{rate: 2, p50: 20, p99: 6, cpu: 2}); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

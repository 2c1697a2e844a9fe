package main

import (
	"slices"
	"time"
)

// figures of a turn, or medians of those of several.
type figures struct {
	// rate is in requests a second.
	rate float64

	// p50 and p99 are how long half of the calls, and 99 of 100, took at most.
	p50, p99 time.Duration

	// cpu is the CPU time for one request, 0 if it is not known.
	cpu time.Duration
}

// figuresOf a turn in which calls took these times.
func figuresOf(latencies []time.Duration, took, cpu time.Duration) figures {
	if len(latencies) == 0 {
		return figures{}
	}
	sorted := slices.Sorted(slices.Values(latencies))
	return figures{
		rate: float64(len(sorted)) / took.Seconds(),
		p50:  percentile(sorted, 50),
		p99:  percentile(sorted, 99),
		cpu:  cpu / time.Duration(len(sorted)),
	}
}

// ratio of the CPU time to that of another side, 0 if there is none.
func (f figures) ratio(of figures) float64 {
	if of.cpu == 0 {
		return 0
	}
	return float64(f.cpu) / float64(of.cpu)
}

// percentile returns the least of the sorted values that so many of 100 do not
// exceed.
func percentile(sorted []time.Duration, percent int) time.Duration {
	rank := (len(sorted)*percent + 99) / 100
	return sorted[max(rank, 1)-1]
}

// medians returns the median of each figure.
func medians(all []figures) figures {
	return figures{
		rate: median(each(all, func(f figures) float64 { return f.rate })),
		p50:  median(each(all, func(f figures) time.Duration { return f.p50 })),
		p99:  median(each(all, func(f figures) time.Duration { return f.p99 })),
		cpu:  median(each(all, func(f figures) time.Duration { return f.cpu })),
	}
}

// median returns the value in the middle, or the mean of the two that are there.
func median[T time.Duration | int64 | float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}

func each[A, B any](list []A, of func(A) B) []B {
	out := make([]B, len(list))
	for i, item := range list {
		out[i] = of(item)
	}
	return out
}

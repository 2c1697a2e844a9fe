package scenarios

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A histogram has how many values were at most so much, by that.
type histogram map[float64]float64

// histogram reads one that has no labels.
func (all samples) histogram(name string) histogram {
	h := histogram{}
	for _, s := range all {
		if s.name != name+"_bucket" {
			continue
		}
		_, label, _ := strings.Cut(s.labels, `le="`)
		text, _, _ := strings.Cut(label, `"`)
		if limit, err := strconv.ParseFloat(text, 64); err == nil { // +Inf is one as well.
			h[limit] = s.value
		}
	}
	return h
}

func (h histogram) minus(o histogram) histogram {
	out := histogram{}
	for limit, n := range h {
		out[limit] = n - o[limit]
	}
	return out
}

// quantile tells what a share of the values are at most.
func (h histogram) quantile(share float64) string {
	var limits []float64
	for limit := range h {
		limits = append(limits, limit)
	}
	slices.Sort(limits)
	for _, limit := range limits {
		if last := limits[len(limits)-1]; h[limit] >= share*h[last] {
			if limit == last {
				break
			}
			return fmt.Sprintf("up to %s", time.Duration(limit*float64(time.Second)))
		}
	}
	return "more than is counted"
}

func TestHistogram(t *testing.T) {
	all, err := parseMetrics(strings.NewReader(`# HELP x_bucket Durations.
x_bucket{le="0.001"} 50
x_bucket{le="0.0025"} 99
x_bucket{le="+Inf"} 100
`))
	if err != nil {
		t.Fatal(err)
	}
	h := all.histogram("x")
	if a, b, c := h.quantile(.5), h.quantile(.99), h.quantile(1); a != "up to 1ms" || b != "up to 2.5ms" || c != "more than is counted" {
		t.Errorf("the quantiles are %s, %s and %s", a, b, c)
	}
}

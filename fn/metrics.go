package fn

import (
	"runtime"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
)

const metricsNamespace = "function_patchwork"

// serverMetrics count calls, in a registry of their own.
type serverMetrics struct {
	registry *prometheus.Registry

	calls         *prometheus.CounterVec
	results       *prometheus.CounterVec
	inFlight      prometheus.Gauge
	seconds       prometheus.Histogram
	requestBytes  prometheus.Histogram
	responseBytes prometheus.Histogram
}

func newMetrics(version string, cache func() CacheStats) *serverMetrics {
	sizes := prometheus.ExponentialBuckets(1<<10, 4, 8) // 1 KiB to 16 MiB
	m := &serverMetrics{
		registry: prometheus.NewRegistry(),
		calls: counter("calls_total", "Calls of RunFunction, by the version of the service and by outcome: "+
			"ok, warning, fatal, or error if there was no response.", "service", "outcome"),
		results: counter("results_total", "Results in responses, by severity.", "severity"),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Namespace: metricsNamespace, Name: "calls_in_flight", Help: "Calls that are being answered.",
		}),
		seconds: histogram("call_duration_seconds", "Time it took to answer a call.",
			.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5),
		requestBytes:  histogram("request_size_bytes", "Size of requests.", sizes...),
		responseBytes: histogram("response_size_bytes", "Size of responses.", sizes...),
	}
	m.registry.MustRegister(m.calls, m.results, m.inFlight, m.seconds, m.requestBytes, m.responseBytes,
		buildInfo(version), collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	if cache != nil {
		m.registry.MustRegister(newCacheCollector(cache))
	}
	m.start()
	return m
}

// start makes every series there from the beginning, so that a rate has a zero
// to start from.
func (m *serverMetrics) start() {
	for _, version := range []string{"v1", "v1beta1"} {
		for _, outcome := range []string{outcomeOK, outcomeWarning, outcomeFatal, outcomeError} {
			m.calls.WithLabelValues(version, outcome)
		}
	}
	for _, severity := range []string{"fatal", "warning", "normal"} {
		m.results.WithLabelValues(severity)
	}
}

func (m *serverMetrics) observe(r *record) {
	c := &r.call
	m.calls.WithLabelValues(r.version, r.outcome).Inc()
	m.seconds.Observe(r.duration.Seconds())
	m.requestBytes.Observe(float64(c.RequestBytes))
	if r.outcome != outcomeError {
		m.responseBytes.Observe(float64(c.ResponseBytes))
	}
	add := func(severity string, n int) {
		if n > 0 {
			m.results.WithLabelValues(severity).Add(float64(n))
		}
	}
	add("fatal", c.Fatal)
	add("warning", c.Warnings)
	add("normal", c.Normals)
}

func counter(name, help string, labels ...string) *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: metricsNamespace, Name: name, Help: help}, labels)
}

func histogram(name, help string, buckets ...float64) prometheus.Histogram {
	return prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: metricsNamespace, Name: name, Help: help, Buckets: buckets})
}

func buildInfo(version string) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Namespace:   metricsNamespace,
		Name:        "build_info",
		Help:        "Always 1; its labels say what is running.",
		ConstLabels: prometheus.Labels{"version": version, "go": runtime.Version()},
	}, func() float64 { return 1 })
}

// cacheCollector reads the statistics of the program cache once for a scrape.
type cacheCollector struct {
	stats                         func() CacheStats
	hits, misses, programs, bytes *prometheus.Desc
}

func newCacheCollector(stats func() CacheStats) *cacheCollector {
	desc := func(name, help string) *prometheus.Desc {
		return prometheus.NewDesc(prometheus.BuildFQName(metricsNamespace, "cache", name), help, nil, nil)
	}
	return &cacheCollector{
		stats:    stats,
		hits:     desc("hits_total", "Calls whose input was compiled already."),
		misses:   desc("misses_total", "Calls whose input had to be compiled."),
		programs: desc("programs", "Compiled inputs that are kept."),
		bytes:    desc("bytes", "Size of the inputs whose programs are kept."),
	}
}

// Describe implements prometheus.Collector.
func (c *cacheCollector) Describe(ch chan<- *prometheus.Desc) {
	prometheus.DescribeByCollect(c, ch)
}

// Collect implements prometheus.Collector.
func (c *cacheCollector) Collect(ch chan<- prometheus.Metric) {
	s := c.stats()
	ch <- prometheus.MustNewConstMetric(c.hits, prometheus.CounterValue, float64(s.Hits))
	ch <- prometheus.MustNewConstMetric(c.misses, prometheus.CounterValue, float64(s.Misses))
	ch <- prometheus.MustNewConstMetric(c.programs, prometheus.GaugeValue, float64(s.Programs))
	ch <- prometheus.MustNewConstMetric(c.bytes, prometheus.GaugeValue, float64(s.Bytes))
}

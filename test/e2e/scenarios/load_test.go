package scenarios

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/function-patchwork/function-patchwork/test/e2e/process"
	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// The size of the load: a tenth of what is composed are managed resources,
// which need a provider and a cloud; the others are ConfigMaps.
const (
	loadComposites = 200
	loadConfigs    = 9
)

// Two hundred composite resources of ten resources each get ready. What that
// costs is printed. It is a measurement, and nothing else runs beside it.
func TestLoad(t *testing.T) {
	s := tellAlone(t, "load")
	var configs strings.Builder
	for i := range loadConfigs {
		fmt.Fprintf(&configs, `
      - name: config-%d
        base: {apiVersion: v1, kind: ConfigMap, data: {index: "%d"}}
        patches:
        - {type: PatchSet, patchSetName: config}
        readinessChecks: [{type: None}]`, i, i)
	}
	s.apply("fleet.yaml", "configs", configs.String())
	before, begin := s.measure(), time.Now()
	xrs := kind{"load.example.org/v1", "Service"}
	for i := range loadComposites {
		s.apply("service.yaml", "name", fmt.Sprintf("service-%03d", i), "team", fmt.Sprint(i%7))
	}
	s.eventually("all are ready", func() error { return s.allReady(xrs, loadComposites) })
	took, after := time.Since(begin), s.measure()
	configMaps, err := s.list(configMapKind, s.namespace)
	s.must(err)
	if len(configMaps) != loadComposites*loadConfigs {
		s.Errorf("there are %d ConfigMaps", len(configMaps))
	}
	after.minus(before).print(took)
	if failed := after.failed - before.failed; failed > 0 {
		s.Errorf("%g calls had no response, or a fatal result", failed)
	}
	s.pause(xrs)
}

// allReady returns an error unless there are n of a kind, and all are ready.
func (s *story) allReady(k kind, n int) error {
	all, err := s.list(k, s.namespace)
	if err != nil {
		return err
	}
	if len(all) != n {
		return fmt.Errorf("there are %d of %d", len(all), n)
	}
	for i, o := range all {
		if err := o.ready(); err != nil {
			return fmt.Errorf("%d of %d are ready: %w", i, n, err)
		}
	}
	return nil
}

// pause keeps Crossplane from looking at any of a kind again, so that they cost
// those nothing that come after. It is a lot quicker than to delete them.
func (s *story) pause(k kind) {
	s.Helper()
	all, err := s.list(k, s.namespace)
	s.must(err)
	patch := client.RawPatch(types.MergePatchType, []byte(`{"metadata": {"annotations": {"crossplane.io/paused": "true"}}}`))
	for _, o := range all {
		s.must(here.Client.Patch(s.Context(), o.Unstructured, patch))
	}
}

// A measurement is what programs have done since they were started.
type measurement struct {
	function, core, apiserver time.Duration // on processors
	calls, failed             float64
	seconds, requests         float64 // in all calls
	memory                    float64 // the most of the function, in bytes
	durations                 histogram
}

// measure measures the function's pod, Crossplane and the API server.
func (s *story) measure() measurement {
	s.Helper()
	pods := here.Kubelet.Pods("pkg.crossplane.io/function", world.Function)
	if len(pods) != 1 {
		s.Fatalf("there are %d pods", len(pods))
	}
	metrics, err := readMetrics(s.Context(), pods[0])
	s.must(err)
	var m measurement
	for at, cpu := range map[*time.Duration]func() (time.Duration, error){
		&m.function: pods[0].CPU, &m.core: here.Core.CPU, &m.apiserver: func() (time.Duration, error) { return process.ChildCPU("kube-apiserver") },
	} {
		*at, err = cpu()
		s.must(err)
	}
	const calls = "function_patchwork_calls_total"
	m.calls = metrics.sum(calls, "")
	m.failed = metrics.sum(calls, `outcome="fatal"`) + metrics.sum(calls, `outcome="error"`)
	m.seconds = metrics.sum("function_patchwork_call_duration_seconds_sum", "")
	m.requests = metrics.sum("function_patchwork_request_size_bytes_sum", "")
	m.durations = metrics.histogram("function_patchwork_call_duration_seconds")
	m.memory, err = pods[0].PeakMemory()
	s.must(err)
	return m
}

func (m measurement) minus(o measurement) measurement {
	m.function, m.core, m.apiserver = m.function-o.function, m.core-o.core, m.apiserver-o.apiserver
	m.calls, m.seconds, m.requests = m.calls-o.calls, m.seconds-o.seconds, m.requests-o.requests
	m.durations = m.durations.minus(o.durations)
	return m
}

func (m measurement) print(took time.Duration) {
	fmt.Printf(`load: %d composite resources of %d resources each were ready after %.1f s
load: the function answered %.0f calls (%.0f a second), of %.1f KB on average, in %.2f ms each (p50 %s, p99 %s)
load: time on processors: function %.2f s (%.2f ms a call), Crossplane %.1f s, API server %.1f s
load: the most memory of the function was %.0f MB
`, loadComposites, loadConfigs+1, took.Seconds(),
		m.calls, m.calls/took.Seconds(), m.requests/m.calls/1e3, m.seconds/m.calls*1e3, m.durations.quantile(.5), m.durations.quantile(.99),
		m.function.Seconds(), m.function.Seconds()/m.calls*1e3, m.core.Seconds(), m.apiserver.Seconds(), m.memory/1e6)
}

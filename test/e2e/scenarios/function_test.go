package scenarios

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/function-patchwork/function-patchwork/test/e2e/kubelet"
	"github.com/function-patchwork/function-patchwork/test/e2e/sandbox"
	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// A function is an installation of ours that a test may do as it likes with.
type function struct {
	*story

	name string
}

// install installs the first version of our function under another name, with
// a DeploymentRuntimeConfig unless its name is empty.
func (s *story) install(name, runtimeConfig string) *function {
	s.Helper()
	f := &function{s, name}
	f.change(world.Version, runtimeConfig)
	return f
}

// change installs a version, with a DeploymentRuntimeConfig unless its name is
// empty.
func (f *function) change(version, runtimeConfig string) {
	f.Helper()
	f.must(here.InstallBare(f.Context(), f.name, version, runtimeConfig))
}

// pods are those of the function that run, the newest last.
func (f *function) pods() []*kubelet.Pod {
	return here.Kubelet.Pods("pkg.crossplane.io/function", f.name)
}

// serves waits until pods take calls: n, of a version, other than some. Where
// there are no namespaces Crossplane comes by way of a proxy, which has one
// connection to one of the pods: that one has to take calls.
func (f *function) serves(n int, version string, except ...*kubelet.Pod) {
	f.Helper()
	before := map[*kubelet.Pod]float64{}
	f.eventually(fmt.Sprintf("%d pods of %s %s take calls", n, f.name, version), func() error {
		pods := f.pods()
		if len(pods) != n {
			return fmt.Errorf("there are %d pods", len(pods))
		}
		var idle []error
		for _, p := range pods {
			for _, e := range except {
				if p == e {
					return fmt.Errorf("%s is still there", p.Name)
				}
			}
			metrics, err := readMetrics(f.Context(), p)
			if err != nil {
				return err
			}
			if !metrics.has("function_patchwork_build_info", fmt.Sprintf("version=%q", version)) {
				return fmt.Errorf("%s is not of %s", p.Name, version)
			}
			now := metrics.sum("function_patchwork_calls_total", `outcome="ok"`)
			if was, seen := before[p]; !seen {
				before[p] = now
				return errors.New("just begun to count")
			} else if now <= was {
				idle = append(idle, fmt.Errorf("%s has answered %g calls, and no more since", p.Name, now))
			}
		}
		if sandbox.Isolated() || len(idle) == n {
			return errors.Join(idle...)
		}
		return nil
	})
}

// A sample is one of a series of a Prometheus metric.
type sample struct {
	name, labels string
	value        float64
}

type samples []sample

// readMetrics reads the metrics of a pod.
func readMetrics(ctx context.Context, p *kubelet.Pod) (samples, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+p.Address+":8080/metrics", nil)
	if err != nil {
		return nil, err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	return parseMetrics(response.Body)
}

func parseMetrics(text io.Reader) (samples, error) {
	var all samples
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		series, value, ok := strings.Cut(lines.Text(), " ")
		if !ok || series == "#" {
			continue
		}
		name, labels, _ := strings.Cut(series, "{")
		number, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", lines.Text(), err)
		}
		all = append(all, sample{name, labels, number})
	}
	return all, lines.Err()
}

// has tells whether there is a series of a name with a label.
func (all samples) has(name, label string) bool {
	for _, s := range all {
		if s.name == name && strings.Contains(s.labels, label) {
			return true
		}
	}
	return false
}

// sum adds the series of a name that have a label; each has the empty one.
func (all samples) sum(name, label string) float64 {
	var sum float64
	for _, s := range all {
		if s.name == name && strings.Contains(s.labels, label) {
			sum += s.value
		}
	}
	return sum
}

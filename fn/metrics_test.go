package fn_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"github.com/crossplane/function-sdk-go/proto/v1beta1"

	"github.com/function-patchwork/function-patchwork/fn"
)

// outcomes is a function whose calls end as their tag says.
func outcomes(ctx context.Context, b, _ []byte) ([]byte, fn.Call, error) {
	rsp, call, err := respond(ctx, b, nil)
	switch call.Tag {
	case "fatal":
		call.Fatal, call.Warnings, call.Messages = 1, 1, []string{"watch out", "no such field"}
	case "warning":
		call.Warnings, call.Messages = 2, []string{"watch out", "watch out"}
	case "normal":
		call.Normals, call.Messages = 1, []string{"all is well"}
	}
	call.APIVersion, call.Kind, call.Namespace, call.Name = "example.org/v1", "XBucket", "team-a", "my-bucket"
	return rsp, call, err
}

func TestMetrics(t *testing.T) {
	s := serve(t, outcomes, func(o *fn.ServerOptions) {
		o.CacheStats = func() fn.CacheStats { return fn.CacheStats{Hits: 7, Misses: 3, Programs: 2, Bytes: 1234} }
	})
	conn := s.dial(t, nil)
	for _, tag := range []string{"fatal", "warning", "normal", "quiet"} {
		if _, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), tagged(tag)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := v1beta1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), &v1beta1.RunFunctionRequest{}); err != nil {
		t.Fatal(err)
	}
	code, body := s.get(t, "/metrics")
	if code != http.StatusOK {
		t.Fatalf("got status %d:\n%s", code, body)
	}
	for _, want := range []string{
		`function_patchwork_calls_total{outcome="ok",service="v1"} 2`,
		`function_patchwork_calls_total{outcome="warning",service="v1"} 1`,
		`function_patchwork_calls_total{outcome="fatal",service="v1"} 1`,
		`function_patchwork_calls_total{outcome="error",service="v1"} 0`,
		`function_patchwork_calls_total{outcome="ok",service="v1beta1"} 1`,
		`function_patchwork_results_total{severity="fatal"} 1`,
		`function_patchwork_results_total{severity="warning"} 3`,
		`function_patchwork_results_total{severity="normal"} 1`,
		`function_patchwork_call_duration_seconds_bucket{le="0.0005"}`,
		`function_patchwork_call_duration_seconds_count 5`,
		`function_patchwork_request_size_bytes_count 5`,
		`function_patchwork_response_size_bytes_count 5`,
		`function_patchwork_calls_in_flight 0`,
		`function_patchwork_cache_hits_total 7`,
		`function_patchwork_cache_misses_total 3`,
		`function_patchwork_cache_programs 2`,
		`function_patchwork_cache_bytes 1234`,
		`version="v1.2.3"`,
		`go_goroutines`,
		`process_cpu_seconds_total`,
	} {
		if !strings.Contains(body, want) {
			t.Errorf("the metrics do not have %s", want)
		}
	}
}

func TestDocsHaveEveryMetric(t *testing.T) {
	docs, err := os.ReadFile("../docs/install.md")
	if err != nil {
		t.Fatal(err)
	}
	s := serve(t, outcomes, func(o *fn.ServerOptions) {
		o.CacheStats = func() fn.CacheStats { return fn.CacheStats{} }
	})
	_, body := s.get(t, "/metrics")
	for line := range strings.Lines(body) {
		name, ok := strings.CutPrefix(line, "# TYPE ")
		name, _, _ = strings.Cut(name, " ")
		if ok && strings.HasPrefix(name, "function_patchwork_") && !strings.Contains(string(docs), "`"+name) {
			t.Errorf("docs/install.md does not have %s", name)
		}
	}
}

package fn_test

import (
	"context"
	"strings"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"

	"github.com/function-patchwork/function-patchwork/fn"
)

func TestLogOfCalls(t *testing.T) {
	cases := map[string]struct {
		tag      string
		debug    bool
		level    string
		outcome  string
		messages int
	}{
		"Quiet":          {tag: "quiet", level: "INFO", outcome: "ok"},
		"Normal":         {tag: "normal", level: "INFO", outcome: "ok"},
		"Warning":        {tag: "warning", level: "INFO", outcome: "warning"},
		"WarningInDebug": {tag: "warning", debug: true, level: "INFO", outcome: "warning", messages: 2},
		"Fatal":          {tag: "fatal", level: "WARN", outcome: "fatal", messages: 2},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var s *testServer
			log := &syncBuffer{}
			s = serve(t, outcomes, func(o *fn.ServerOptions) { o.Log = fn.NewLogger(log, tc.debug) })
			s.log = log
			if _, err := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil)).RunFunction(t.Context(), tagged(tc.tag)); err != nil {
				t.Fatal(err)
			}
			lines := s.lines(t, "Call")
			if len(lines) != 1 {
				t.Fatalf("got %d lines:\n%s", len(lines), log.String())
			}
			for key, want := range map[string]any{
				"level": tc.level, "tag": tc.tag, "outcome": tc.outcome,
				"apiVersion": "example.org/v1", "kind": "XBucket", "namespace": "team-a", "name": "my-bucket",
			} {
				if lines[0][key] != want {
					t.Errorf("%s is %v, want %v", key, lines[0][key], want)
				}
			}
			for _, key := range []string{"cacheHit", "milliseconds", "requestBytes", "responseBytes", "fatal", "warnings", "normals"} {
				if _, ok := lines[0][key]; !ok {
					t.Errorf("the line has no %s", key)
				}
			}
			messages, _ := lines[0]["messages"].([]any)
			if len(messages) != tc.messages {
				t.Errorf("got the messages %v, want %d of them", messages, tc.messages)
			}
		})
	}
}

func TestLogOfManyLongMessagesIsBounded(t *testing.T) {
	s := serve(t, func(ctx context.Context, b, _ []byte) ([]byte, fn.Call, error) {
		rsp, call, err := respond(ctx, b, nil)
		call.Fatal = 1000
		for range call.Fatal {
			call.Messages = append(call.Messages, strings.Repeat("x", 100_000))
		}
		return rsp, call, err
	})
	if _, err := fnv1.NewFunctionRunnerServiceClient(s.dial(t, nil)).RunFunction(t.Context(), tagged("t")); err != nil {
		t.Fatal(err)
	}
	if n := len(s.log.String()); n > 64<<10 {
		t.Errorf("one call wrote %d bytes to the log", n)
	}
}

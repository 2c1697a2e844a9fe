package expression

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
)

// FuzzCompileRun compiles and runs any text. It never panics or takes long, what
// it says is a line, and it comes to what cel-go's own interpreter comes to.
func FuzzCompileRun(f *testing.F) {
	for text := range cases {
		f.Add(text)
	}
	s := Scope{Loop: true, Self: true}
	f.Fuzz(func(t *testing.T, text string) {
		start := time.Now()
		e, err := Compile(text, s, Bool)
		if err != nil {
			line(t, err)
			return
		}
		got, err := e.Bool(sample(), nil)
		if err != nil {
			line(t, err)
		}
		if took := time.Since(start); took > time.Second {
			t.Errorf("took %s", took)
		}
		if err != nil && different(err) || defective(text) {
			return
		}
		// It goes through the entries of a map in any order.
		for range 20 {
			want, ok, reference := interpreted(t, s, text)
			if !ok || (err != nil) == (reference != nil) && got == want {
				return
			}
		}
		want, _, reference := interpreted(t, s, text)
		t.Errorf("%s\n got %v, %v\nwant %v, %v", text, got, err, want, reference)
	})
}

// different tells whether an error is one of those that cel-go does not have: of
// a limit, or that a list or map is the key of a map, which nothing would find.
func different(err error) bool {
	return errors.Is(err, errLimit) || strings.Contains(err.Error(), "cannot be the key of a map")
}

// defective tells whether cel-go may be wrong: optMap changes a list that is empty
// at first, and has() of an optional value comes to one where ?: chooses it.
func defective(text string) bool {
	return strings.Contains(text, "optMap") || strings.Contains(text, "optFlatMap") ||
		strings.Contains(text, "has(") && strings.Contains(text, "?") && strings.Contains(text, ":")
}

func line(t *testing.T, err error) {
	t.Helper()
	if text := err.Error(); len(text) > 1200 || strings.ContainsAny(text, "\n\r") {
		t.Errorf("not a line: %q", text)
	}
}

// interpreted evaluates with cel-go, if it does not take too long.
func interpreted(t *testing.T, s Scope, text string) (v, ok bool, err error) {
	t.Helper()
	env, err := environments[s]()
	if err != nil {
		t.Fatal(err)
	}
	checked, issues := env.cel.Compile(text)
	if issues.Err() != nil {
		t.Fatal(issues.Err())
	}
	program, err := env.cel.Program(checked, cel.CostLimit(100_000))
	if err != nil {
		return false, true, err
	}
	data := map[string]any{}
	for name, value := range sample() {
		data[name] = eager(value, name == "observed" || name == "context" || name == "desired")
	}
	out, _, err := program.Eval(data)
	if err != nil {
		known := !strings.Contains(err.Error(), "cost limit") && !strings.Contains(err.Error(), "internal error")
		return false, known, err
	}
	b, isBool := out.(types.Bool)
	if !isBool {
		return false, true, errMissing
	}
	return bool(b), true, nil
}

// eager returns a value as plain as cel-go takes it.
func eager(v any, doubles bool) any {
	switch t := v.(type) {
	case counted:
		return eager(t.object, doubles)
	case map[string]any:
		all := map[string]any{}
		for k, e := range t {
			all[k] = eager(e, doubles)
		}
		return all
	case []any:
		all := make([]any, len(t))
		for i, e := range t {
			all[i] = eager(e, doubles)
		}
		return all
	case int64:
		if doubles {
			return float64(t)
		}
	}
	return v
}

package transforms_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// conformanceRow is a line of the recorded behaviour.
type conformanceRow struct {
	Name       string `json:"name"`
	In         any    `json:"in"`
	Transforms []any  `json:"transforms"`
	Out        any    `json:"out"`
	Error      bool   `json:"error"`
}

func TestConformance(t *testing.T) {
	for file, rows := range map[string]int{"numbers.jsonl": 52, "transforms.jsonl": 729} {
		t.Run(file, func(t *testing.T) {
			lines := readLines(t, filepath.Join("testdata", "conformance", file))
			if len(lines) != rows {
				t.Errorf("%d rows, want %d", len(lines), rows)
			}
			for _, line := range lines {
				var row conformanceRow
				mustUnmarshal(t, line, &row)
				t.Run(row.Name, func(t *testing.T) { checkRow(t, row) })
			}
		})
	}
}

func checkRow(t *testing.T, row conformanceRow) {
	got, err := run(t, row.Transforms, row.In)
	switch {
	case row.Error && err == nil:
		t.Errorf("got %s, want an error", fieldpath.Preview(got))
	case row.Error:
	case err != nil:
		t.Errorf("error: %v", err)
	default:
		if diff := cmp.Diff(plain(t, row.Out), got); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// run decodes, compiles and applies transforms.
func run(t testing.TB, list []any, in any) (any, error) {
	t.Helper()
	chain, errs := transforms.Compile(field.NewPath("transforms"), decode(t, list), transforms.NewExpressions())
	if len(errs) > 0 {
		return nil, errs.ToAggregate()
	}
	return chain.Apply(plain(t, in), nil)
}

// decode decodes a list of transforms as the input of the function does.
func decode(t testing.TB, list []any) []v1beta1.Transform {
	t.Helper()
	resources, errs := input.Decode(plain(t, map[string]any{
		"apiVersion": v1beta1.APIVersion,
		"kind":       v1beta1.Kind,
		"resources": []any{map[string]any{
			"name":    "test",
			"patches": []any{map[string]any{"fromFieldPath": "spec.in", "transforms": list}},
		}},
	}))
	if len(errs) > 0 {
		t.Logf("decoding: %v", errs.ToAggregate())
	}
	if len(resources.Resources) == 0 || len(resources.Resources[0].Patches) == 0 {
		return nil
	}
	return resources.Resources[0].Patches[0].Transforms
}

// parseTransforms decodes the YAML-like JSON of a list of transforms.
func parseTransforms(t testing.TB, text string) []v1beta1.Transform {
	t.Helper()
	var list []any
	mustUnmarshal(t, []byte(text), &list)
	return decode(t, list)
}

// plain turns decoded JSON to plain values.
func plain(t testing.TB, v any) any {
	t.Helper()
	switch x := v.(type) {
	case json.Number:
		return plainNumber(t, x)
	case []any:
		out := make([]any, len(x))
		for i := range x {
			out[i] = plain(t, x[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(x))
		for k := range x {
			out[k] = plain(t, x[k])
		}
		return out
	}
	return v
}

func plainNumber(t testing.TB, text json.Number) any {
	t.Helper()
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
		return int64(f)
	}
	return f
}

func mustUnmarshal(t testing.TB, text []byte, to any) {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(to); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
}

func readLines(t testing.TB, file string) [][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines [][]byte
	scanner := bufio.NewScanner(strings.NewReader(string(text)))
	for scanner.Scan() {
		lines = append(lines, []byte(scanner.Text()))
	}
	return lines
}

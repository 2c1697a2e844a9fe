package transforms_test

import (
	"encoding/json"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// FuzzFormat formats any values with any format string. Either that is an error,
// or the text has no complaint of package fmt in it.
func FuzzFormat(f *testing.F) {
	for _, seed := range []string{"%s", "port-%d", "%[2]q %[1]v", "%-05.2f|%x", "% x%#x%+q", "%c%U%t", "%*d", "%", "%!", "%.[1]s", "%1024s", "%😀"} {
		f.Add(seed, "text", int64(42), 1.5, true)
	}
	f.Fuzz(func(t *testing.T, format, s string, n int64, x float64, b bool) {
		if math.IsNaN(x) || math.IsInf(x, 0) || strings.Contains(s, "%") {
			return // no plain value, or one that has its own percent sign
		}
		all := []any{s, n, x, b, []any{s, n, []any{}}, map[string]any{s: b, "x": x}, nil}
		for count := range 3 {
			for first := range all {
				values := make([]any, count)
				for i := range values {
					values[i] = all[(first+i)%len(all)]
				}
				checkFormat(t, format, values)
			}
		}
	})
}

func checkFormat(t *testing.T, format string, values []any) {
	t.Helper()
	f, errs := transforms.CompileFormat(field.NewPath("f"), format, len(values))
	if len(errs) > 0 {
		for _, e := range errs {
			checkNoComplaint(t, format, format, e.Detail)
		}
		return
	}
	text, err := f.Apply(values, fieldpath.NewBudget(1<<20))
	if err != nil {
		return
	}
	if len(text) > transforms.MaxText {
		t.Errorf("%q: a text of %d bytes", format, len(text))
	}
	checkNoComplaint(t, format, strings.ReplaceAll(format, "%%", "%"), text)
}

// checkNoComplaint looks for what package fmt writes for a value that does not fit
// its verb. A percent sign that the format has in writing is none.
func checkNoComplaint(t *testing.T, format, source, text string) {
	t.Helper()
	for _, complaint := range []string{"%!", "(MISSING)", "(EXTRA", "(BADINDEX)", "(NOVERB)"} {
		if strings.Contains(text, complaint) && !strings.Contains(source, complaint) {
			t.Errorf("%q: %q", format, text)
		}
	}
}

// FuzzTransforms compiles any list of transforms, and applies what compiles to
// any value. Nothing panics, takes long or makes a text that is too long.
func FuzzTransforms(f *testing.F) {
	addRows(f)
	f.Add(`[{"type":"string","string":{"type":"RegexpReplace","regexpReplace":{"match":"(a+)|b","replace":"${1}x$$"}}}]`, `"aabc"`)
	f.Add(`[{"type":"string","string":{"type":"Truncate","truncate":{"length":8,"hashLength":3}}}]`, `"a long name"`)
	f.Add(`[{"type":"math","math":{"type":"Divide","divide":0.1}},{"type":"convert","convert":{"toType":"int64","format":"quantity"}}]`, `1e300`)
	f.Fuzz(func(t *testing.T, list, in string) {
		var document []any
		var value any
		if json.Unmarshal([]byte(list), &document) != nil || json.Unmarshal([]byte(in), &value) != nil {
			return
		}
		chain, errs := transforms.Compile(field.NewPath("t"), decode(t, fromFloats(document).([]any)), transforms.NewExpressions())
		if len(errs) > 0 {
			return
		}
		v := fromFloats(value)
		for _, step := range chain {
			out, err := step.Apply(v, fieldpath.NewBudget(1<<20))
			if err != nil {
				return
			}
			checkPlain(t, step.Type, out)
			if s, ok := out.(string); ok && len(s) > transforms.MaxText {
				t.Errorf("%s: a text of %d bytes", step.Type, len(s))
			}
			v = out
		}
	})
}

// addRows adds one recorded row of each list of transforms.
func addRows(f *testing.F) {
	seen := map[string]bool{}
	for _, file := range []string{"numbers.jsonl", "transforms.jsonl"} {
		for _, line := range readLines(f, filepath.Join("testdata", "conformance", file)) {
			var row struct{ In, Transforms json.RawMessage }
			mustUnmarshal(f, line, &row)
			if list := string(row.Transforms); !seen[list] {
				seen[list] = true
				f.Add(list, string(row.In))
			}
		}
	}
}

// fromFloats makes plain values of JSON decoded with floats, in place.
func fromFloats(v any) any {
	switch x := v.(type) {
	case float64:
		if x == math.Trunc(x) && x >= -1<<63 && x < 1<<63 {
			return int64(x)
		}
	case []any:
		for i := range x {
			x[i] = fromFloats(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = fromFloats(x[k])
		}
	}
	return v
}

// checkPlain checks that a value is one that a resource can have.
func checkPlain(t *testing.T, step string, v any) {
	t.Helper()
	switch x := v.(type) {
	case nil, bool, string, int64:
	case float64:
		if math.IsNaN(x) || math.IsInf(x, 0) || x == math.Trunc(x) && x >= -1<<63 && x < 1<<63 {
			t.Errorf("%s: %v is no plain value", step, x)
		}
	case []any:
		for i := range x {
			checkPlain(t, step, x[i])
		}
	case map[string]any:
		for k := range x {
			checkPlain(t, step, x[k])
		}
	default:
		t.Errorf("%s: %T is no plain value", step, v)
	}
}

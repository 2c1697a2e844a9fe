package input

import (
	"encoding/json"
	"strings"
	"testing"
)

// FuzzDecode decodes any JSON document: it never panics, and what it says of a
// document is bounded.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`null`, `{}`, `{"apiVersion":"pt.fn.crossplane.io/v1beta1","kind":"Resources"}`,
		`{"resources":[null,{"name":"a","base":{"a":[1]},"patches":[{"combine":{"variables":[null]}}]}],"patchsets":5}`,
		`{"environment":{"patches":[{"transforms":[{"type":"map","map":{"a":null}},{"math":{"multiply":1.5}}]}]}}`,
		`{"writeConnectionSecretToRef":{"patches":[{"patchSetName":"x"}]},"a\nb":1}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var doc any
		if json.Unmarshal([]byte(text), &doc) != nil {
			return
		}
		out, errs := Decode(doc)
		if out == nil && len(errs) == 0 {
			t.Error("neither a result nor a problem")
		}
		lines := Describe(errs)
		if len(lines) > maxProblems+1 {
			t.Errorf("%d lines", len(lines))
		}
		for _, line := range lines {
			if len(line) > maxLine+len("…") || strings.ContainsAny(line, "\n\r") {
				t.Errorf("not a line: %q", line)
			}
		}
	})
}

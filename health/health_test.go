package health_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sigs.k8s.io/yaml"

	"github.com/function-patchwork/function-patchwork/health"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// exampleOf is a resource of testdata: healthy unless there is a reason.
type exampleOf struct {
	Says     string         `json:"says"`
	Reason   string         `json:"reason"`
	Resource map[string]any `json:"resource"`
}

func examples(t testing.TB) []exampleOf {
	t.Helper()
	files, err := filepath.Glob("testdata/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, error %v", len(files), err)
	}
	var all []exampleOf
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var some []exampleOf
		if err := yaml.UnmarshalStrict(b, &some); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		all = append(all, some...)
	}
	return all
}

// plain makes the numbers integers, as they are in requests.
func plain(v any) any {
	switch t := v.(type) {
	case float64:
		return int64(t)
	case []any:
		for i := range t {
			t[i] = plain(t[i])
		}
	case map[string]any:
		for k := range t {
			t[k] = plain(t[k])
		}
	}
	return v
}

func reader(resource map[string]any) fieldpath.Reader { return fieldpath.Value{Any: plain(resource)} }

func TestExamples(t *testing.T) {
	for _, e := range examples(t) {
		t.Run(e.Says, func(t *testing.T) {
			got, err := health.Of(reader(e.Resource))
			if want := (health.Health{Healthy: e.Reason == "", Reason: e.Reason}); err != nil || got != want {
				t.Errorf("got %+v, error %v, want %+v", got, err, want)
			}
		})
	}
}

// Every rule but those of what needs only exist has an example of a resource that
// is healthy, and one of a resource that is not.
func TestEveryRuleHasExamples(t *testing.T) {
	seen := map[string][]bool{}
	for _, e := range examples(t) {
		version, _ := e.Resource["apiVersion"].(string)
		kind, _ := e.Resource["kind"].(string)
		group, _, grouped := strings.Cut(version, "/")
		if !grouped {
			group = ""
		}
		for _, key := range []string{group + "/" + kind, health.Any + "/" + kind, health.Any + "/" + health.Any} {
			seen[key] = append(seen[key], e.Reason == "")
		}
	}
	for _, r := range health.Rules() {
		if strings.HasPrefix(r.Doc, "Healthy as soon as it exists") && !strings.Contains(r.Doc, ";") {
			continue
		}
		var outcomes []bool
		for _, kind := range r.Kinds {
			outcomes = append(outcomes, seen[r.Group+"/"+kind]...)
		}
		if !slices.Contains(outcomes, true) || !slices.Contains(outcomes, false) {
			t.Errorf("%s %s: the examples are healthy: %v", r.Group, r.Kinds, outcomes)
		}
	}
}

func TestWhatExistsIsHealthy(t *testing.T) {
	n := 0
	for _, r := range health.Rules() {
		if !strings.HasPrefix(r.Doc, "Healthy as soon as it exists") {
			continue
		}
		version := strings.TrimPrefix(strings.ReplaceAll(r.Group, health.Any, "example.org")+"/v1", "/")
		for _, kind := range r.Kinds {
			n++
			if h, err := health.Of(reader(map[string]any{"apiVersion": version, "kind": kind})); !h.Healthy || err != nil {
				t.Errorf("%s %s: %+v, error %v", version, kind, h, err)
			}
		}
	}
	if n < 20 {
		t.Errorf("there are %d kinds that only have to exist", n)
	}
}

// The rules are documentation as well: each kind has one, in a sentence or two.
func TestRulesAreDocumented(t *testing.T) {
	kinds := map[string]bool{}
	for _, r := range health.Rules() {
		if !strings.HasPrefix(r.Doc, "Healthy ") || !strings.HasSuffix(r.Doc, ".") || len(r.Kinds) == 0 {
			t.Errorf("%s %s: %q", r.Group, r.Kinds, r.Doc)
		}
		for _, kind := range r.Kinds {
			if key := r.Group + "/" + kind; kinds[key] {
				t.Errorf("%s has two rules", key)
			} else {
				kinds[key] = true
			}
		}
	}
	if last := health.Rules()[len(health.Rules())-1]; last.Group != health.Any || last.Kinds[0] != health.Any {
		t.Errorf("the last rule is that of %s %s", last.Group, last.Kinds)
	}
}

var errBroken = errors.New("broken")

// broken is a reader that has an error at a path.
type broken struct {
	fieldpath.Value
	at string
}

func (b broken) Get(p fieldpath.Path) (any, bool, error) {
	if p.String() == b.at {
		return nil, false, errBroken
	}
	return b.Value.Get(p)
}

func TestErrorsOfTheReader(t *testing.T) {
	resource := map[string]any{"apiVersion": "v1", "kind": "Node"}
	for _, at := range []string{"kind", "metadata.deletionTimestamp", "metadata.generation", "status.conditions"} {
		h, err := health.Of(broken{Value: fieldpath.Value{Any: resource}, at: at})
		if !errors.Is(err, errBroken) || h != (health.Health{}) {
			t.Errorf("%s: %+v, error %v", at, h, err)
		}
	}
}

func TestLongMessagesAreCut(t *testing.T) {
	ready := map[string]any{"type": "Ready", "status": "False", "message": strings.Repeat("é€", 1000)}
	h, err := health.Of(reader(map[string]any{
		"apiVersion": "example.org/v1", "kind": "Thing", "status": map[string]any{"conditions": []any{ready}},
	}))
	if err != nil || h.Healthy || len(h.Reason) > 300 || !utf8.ValidString(h.Reason) {
		t.Errorf("got %+v, error %v", h, err)
	}
}

func FuzzOf(f *testing.F) {
	for _, e := range examples(f) {
		b, err := json.Marshal(e.Resource)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var resource any
		if json.Unmarshal(b, &resource) != nil {
			return
		}
		h, err := health.Of(fieldpath.Value{Any: plain(resource)})
		if err != nil || h.Healthy == (h.Reason != "") {
			t.Errorf("%s: %+v, error %v", b, h, err)
		}
	})
}

func BenchmarkOf(b *testing.B) {
	for _, e := range examples(b) {
		if e.Says != "a Deployment that is rolled out" && e.Says != "a managed resource that is ready" {
			continue
		}
		b.Run(e.Says, func(b *testing.B) {
			from := reader(e.Resource)
			b.ReportAllocs()
			for b.Loop() {
				if h, err := health.Of(from); !h.Healthy || err != nil {
					b.Fatal(h, err)
				}
			}
		})
	}
}

// Package example holds complete compositions, and a test that renders them.
package example_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/function-patchwork/function-patchwork/fn/cli"
)

var update = flag.Bool("update", false, "write expected.yaml and expected.txt of the examples")

// TestExamples renders each example as its README says, and compares what is
// printed to expected.yaml, and what is said on standard error to expected.txt,
// when the example has one.
func TestExamples(t *testing.T) {
	definitions, err := filepath.Glob("*/definition.yaml")
	if err != nil || len(definitions) < 3 {
		t.Fatalf("examples: %v, %v", definitions, err)
	}
	for _, d := range definitions {
		dir := filepath.Dir(d)
		t.Run(dir, func(t *testing.T) {
			stdout, stderr := render(t, command(dir))
			expect(t, filepath.Join(dir, "expected.yaml"), stdout)
			expect(t, filepath.Join(dir, "expected.txt"), stderr)
		})
		t.Run(dir+" for the first time", func(t *testing.T) {
			c := command(dir)
			c.ObservedResources = ""
			if stdout, _ := render(t, c); !strings.Contains(stdout, "reason: Creating") {
				t.Errorf("want a composite resource that is not ready, got:\n%s", stdout)
			}
		})
	}
}

// command is the command that an example's README shows.
func command(dir string) *cli.Render {
	c := &cli.Render{
		XR:                filepath.Join(dir, "xr.yaml"),
		Composition:       filepath.Join(dir, "composition.yaml"),
		XRD:               filepath.Join(dir, "definition.yaml"),
		ObservedResources: filepath.Join(dir, "observed.yaml"),
		Output:            "yaml",
	}
	if path := filepath.Join(dir, "secrets.yaml"); exists(path) {
		c.FunctionCredentials = path
	}
	if path := filepath.Join(dir, "environment.yaml"); exists(path) {
		c.ContextFiles = map[string]string{"apiextensions.crossplane.io/environment": path}
	}
	return c
}

func render(t *testing.T, c *cli.Render) (stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	if err := c.Run(cli.Streams{Out: &out, Err: &log}); err != nil {
		t.Fatalf("%v\n%s", err, log.String())
	}
	return out.String(), log.String()
}

func expect(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		write(t, path, got)
		return
	}
	var want []byte
	if exists(path) {
		var err error
		if want, err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if text == "" {
		_ = os.Remove(path)
		return
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// Package example holds complete compositions, and a test that renders them.
package example_test

import (
	"bytes"
	"cmp"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/function-patchwork/function-patchwork/fn/cli"
)

var update = flag.Bool("update", false, "write expected.yaml and expected.txt of the examples, and what their READMEs show")

// TestExamples renders each example as its README says, and compares what is
// printed to expected.yaml, and what is said on standard error to expected.txt,
// when the example has one.
func TestExamples(t *testing.T) {
	xrs := examples(t)
	if len(xrs) < 10 {
		t.Fatalf("examples: %v", xrs)
	}
	for _, e := range xrs {
		t.Run(e.String(), func(t *testing.T) {
			stdout, stderr := render(t, e.command())
			expect(t, e.path("expected.yaml"), stdout)
			expect(t, e.path("expected.txt"), stderr)
		})
		t.Run(e.String()+" for the first time", func(t *testing.T) {
			c := e.command()
			c.ObservedResources = ""
			if stdout, _ := render(t, c); !strings.Contains(stdout, "reason: Creating") {
				t.Errorf("want a composite resource that is not ready, got:\n%s", stdout)
			}
		})
	}
}

// example is a composite resource in a folder with a definition: xr.yaml, or
// xr-VARIANT.yaml, which goes with other files of that variant.
type example struct{ dir, variant string }

func examples(t *testing.T) (out []example) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, _ os.DirEntry, err error) error {
		variant, ok := strings.CutPrefix(filepath.Base(path), "xr")
		variant, yaml := strings.CutSuffix(variant, ".yaml")
		if ok && yaml && exists(filepath.Join(filepath.Dir(path), "definition.yaml")) {
			out = append(out, example{filepath.Dir(path), variant})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (e example) String() string { return e.dir + e.variant }

// path is that of the variant's own file, such as expected-VARIANT.yaml.
func (e example) path(name string) string {
	ext := filepath.Ext(name)
	return filepath.Join(e.dir, strings.TrimSuffix(name, ext)+e.variant+ext)
}

// find gives the path of the variant's own file, when it has one.
func (e example) find(name string) string {
	if path := e.path(name); exists(path) {
		return path
	}
	return ""
}

// command is the command that an example's README shows.
func (e example) command() *cli.Render {
	c := &cli.Render{
		XR:                  e.path("xr.yaml"),
		Composition:         cmp.Or(e.find("composition.yaml"), filepath.Join(e.dir, "composition.yaml")),
		XRD:                 filepath.Join(e.dir, "definition.yaml"),
		ObservedResources:   e.find("observed.yaml"),
		FunctionCredentials: e.find("secrets.yaml"),
		Output:              "yaml",
	}
	if path := e.find("environment.yaml"); path != "" {
		c.ContextFiles = map[string]string{"apiextensions.crossplane.io/environment": path}
	}
	// A step that fills the environment is left out.
	if data, _ := os.ReadFile(c.Composition); bytes.Contains(data, []byte("- step: environment\n")) {
		c.Skip = []string{"environment"}
	}
	if path := e.find("classes.yaml"); path != "" {
		c.RequiredResources = []string{path}
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
	if diff := gocmp.Diff(string(want), got); diff != "" {
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

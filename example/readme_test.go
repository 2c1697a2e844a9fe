package example_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	gocmp "github.com/google/go-cmp/cmp"

	"github.com/function-patchwork/function-patchwork/fn/cli"
)

// session is a block of a README that shows a command and what it prints.
var session = regexp.MustCompile("(?s)```console\n\\$ (.*?[^\\\\])\n(.*?)```\n")

// TestReadmes runs the commands that the READMEs of the examples show, and
// compares what they print to what is shown.
func TestReadmes(t *testing.T) {
	paths, err := filepath.Glob("*/README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := session.ReplaceAllStringFunc(string(text), func(block string) string {
			shown++
			command := session.FindStringSubmatch(block)[1]
			return fmt.Sprintf("```console\n$ %s\n%s```\n", command, printed(t, filepath.Dir(path), command))
		})
		if *update {
			write(t, path, got)
		} else if diff := gocmp.Diff(string(text), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
	}
	if shown < 3 {
		t.Errorf("the READMEs show %d commands", shown)
	}
}

// printed is what a terminal shows of a command in a folder: function-patchwork
// render, and a grep of its standard output.
func printed(t *testing.T, dir, command string) string {
	t.Helper()
	pipe, pattern, found := strings.Cut(strings.ReplaceAll(command, "\\\n", " "), " | grep ")
	args, is := strings.CutPrefix(pipe, "function-patchwork render ")
	if !is || !found {
		t.Fatalf("cannot run %q", command)
	}
	c := &cli.Render{}
	parser, err := kong.New(c)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := parser.Parse(strings.Fields(args)); err != nil {
		t.Fatalf("%s: %v", command, err)
	}
	// The paths are those of the folder.
	for _, p := range []*string{&c.XR, &c.Composition, &c.XRD, &c.ObservedResources} {
		if *p != "" {
			*p = filepath.Join(dir, filepath.Base(*p))
		}
	}
	for i, p := range c.RequiredResources {
		c.RequiredResources[i] = filepath.Join(dir, filepath.Base(p))
	}
	stdout, out := render(t, c)
	for line := range strings.Lines(stdout) {
		if strings.Contains(line, strings.TrimSpace(pattern)) {
			out += line
		}
	}
	return out
}

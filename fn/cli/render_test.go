package cli_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/google/go-cmp/cmp"

	"github.com/function-patchwork/function-patchwork/fn/cli"
)

var update = flag.Bool("update", false, "write what the cases of testdata give as what they expect")

// TestRender runs the cases of testdata/render. A case is a file: a comment that
// says what it shows, then sections. The section args has the arguments, stdin
// what is on standard input, stdout and stderr what is expected there; any other
// section is a file. Files that a case does not have are those of
// testdata/render/files.
func TestRender(t *testing.T) {
	paths, err := filepath.Glob("testdata/render/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	shared, err := filepath.Abs("testdata/render/files")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range paths {
		abs, err := filepath.Abs(path)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			runCase(t, shared, abs)
		})
	}
}

func runCase(t *testing.T, shared, path string) {
	t.Helper()
	comment, sections := readCase(t, path)
	if strings.TrimSpace(comment) == "" {
		t.Errorf("%s: has no comment that says what it shows", path)
	}
	t.Chdir(t.TempDir())
	if err := os.CopyFS(".", os.DirFS(shared)); err != nil {
		t.Fatal(err)
	}
	for _, s := range sections {
		switch s.name {
		case "args", "stdin", "stdout", "stderr":
		default:
			writeFile(t, s.name, s.text)
		}
	}
	want := map[string]string{}
	for _, s := range sections {
		want[s.name] = s.text
	}
	stdout, stderr := render(strings.Fields(want["args"]), want["stdin"])
	if *update {
		updateCase(t, path, comment, sections, stdout, stderr)
		return
	}
	if diff := cmp.Diff(want["stdout"], stdout); diff != "" {
		t.Errorf("standard output (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want["stderr"], stderr); diff != "" {
		t.Errorf("standard error (-want +got):\n%s", diff)
	}
}

// render runs the command as main does: an error ends on standard error.
func render(args []string, stdin string) (stdout, stderr string) {
	var out, log bytes.Buffer
	std := cli.Streams{In: strings.NewReader(stdin), Out: &out, Err: &log}
	if err := parseAndRun(args, std); err != nil {
		log.WriteString("error: " + err.Error() + "\n")
	}
	return out.String(), log.String()
}

func parseAndRun(args []string, std cli.Streams) error {
	var grammar struct {
		Render cli.Render `cmd:""`
	}
	parser, err := kong.New(&grammar, kong.Bind(std))
	if err != nil {
		return err
	}
	kctx, err := parser.Parse(append([]string{"render"}, args...))
	if err != nil {
		return err
	}
	return kctx.Run()
}

type section struct{ name, text string }

var sectionMark = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

func readCase(t *testing.T, path string) (comment string, sections []section) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	marks := sectionMark.FindAllStringSubmatchIndex(text, -1)
	if len(marks) == 0 {
		t.Fatalf("%s: no sections", path)
	}
	for i, m := range marks {
		end := len(text)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		sections = append(sections, section{text[m[2]:m[3]], text[m[1]:end]})
	}
	return text[:marks[0][0]], sections
}

func updateCase(t *testing.T, path, comment string, sections []section, stdout, stderr string) {
	t.Helper()
	var b strings.Builder
	b.WriteString(comment)
	for _, s := range sections {
		if s.name != "stdout" && s.name != "stderr" {
			b.WriteString("-- " + s.name + " --\n" + s.text)
		}
	}
	if stdout != "" {
		b.WriteString("-- stdout --\n" + stdout)
	}
	if stderr != "" {
		b.WriteString("-- stderr --\n" + stderr)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

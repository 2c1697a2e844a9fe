package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// workedCase is a worked case as text: fn/cases_test.go, which runs it, says
// what is in it.
type workedCase struct {
	section    string
	name       string
	doc, about string
	transforms bool

	// in is what goes in, without doc and about, and out is what comes out.
	in, out string
}

// outcome is what comes out of transforms for one value.
type outcome struct {
	In    any    `json:"in"`
	Out   any    `json:"out"`
	Error string `json:"error"`
}

func readCases(root string) ([]workedCase, error) {
	var cases []workedCase
	folder := filepath.Join(root, "fn/testdata/cases")
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		c, err := readCase(path)
		cases = append(cases, c)
		return err
	})
	slices.SortStableFunc(cases, func(a, b workedCase) int { return cmp.Or(order(a.failed(), b.failed()), cmp.Compare(a.name, b.name)) })
	return cases, err
}

// failed tells whether nothing came out.
func (c workedCase) failed() bool {
	return strings.HasPrefix(c.out, "error:") || strings.HasPrefix(c.out, "- error: 'invalid input") || strings.HasPrefix(c.out, "- error: |-")
}

// order puts what is false before what is true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func readCase(path string) (workedCase, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return workedCase{}, err
	}
	in, out, _ := strings.Cut(string(text), "\n---\n")
	head := struct {
		Doc        string `json:"doc"`
		About      string `json:"about"`
		Transforms any    `json:"transforms"`
	}{}
	if err := yaml.Unmarshal([]byte(in), &head); err != nil {
		return workedCase{}, fmt.Errorf("%s: %w", path, err)
	}
	return workedCase{
		section: filepath.Base(filepath.Dir(path)), name: strings.TrimSuffix(filepath.Base(path), ".yaml"), doc: head.Doc, about: head.About, transforms: head.Transforms != nil,
		in: withoutHead(in), out: out,
	}, nil
}

// withoutHead returns the lines of a case but those of doc and about.
func withoutHead(text string) string {
	var lines []string
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "doc:") && !strings.HasPrefix(line, "about:") {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return strings.Join(lines, "\n")
}

// cases writes the cases of a section that are about something: the first open,
// the others folded.
func (r *writer) cases(section, about string) {
	first := true
	for i, c := range r.all {
		if c.section != section || c.about != about {
			continue
		}
		r.used[i] = true
		if first {
			r.line(c.doc)
			r.body(c)
		} else {
			r.line("<details><summary>" + escapeHTML(c.doc) + "</summary>")
			r.body(c)
			r.line("</details>")
		}
		first = false
	}
	r.found = !first
}

func (r *writer) body(c workedCase) {
	if c.transforms {
		r.transformCase(c)
		return
	}
	r.block("yaml", c.in)
	r.outcome(c.out)
}

// outcome writes what comes out: an error as plain text.
func (r *writer) outcome(out string) {
	failed := struct {
		Error string `json:"error"`
	}{}
	if err := yaml.Unmarshal([]byte(out), &failed); err != nil {
		r.fail(err)
	}
	if failed.Error != "" {
		r.line("fails with")
		r.block("text", failed.Error)
		return
	}
	r.line("gives")
	r.block("yaml", strings.TrimSpace(out))
}

func (r *writer) transformCase(c workedCase) {
	transforms, _, _ := strings.Cut(c.in, "\nvalues:")
	r.block("yaml", transforms)
	var outcomes []outcome
	if err := yaml.Unmarshal([]byte(c.out), &outcomes); err != nil {
		r.fail(err)
	}
	if len(outcomes) == 1 && strings.HasPrefix(outcomes[0].Error, "invalid input") {
		r.line("fails with")
		r.block("text", outcomes[0].Error)
		return
	}
	rows := make([][]string, len(outcomes))
	for i, o := range outcomes {
		rows[i] = []string{code(asJSON(o.In)), code(asJSON(o.Out))}
		if o.Error != "" {
			rows[i][1] = "error: " + code(o.Error)
		}
	}
	r.table([]string{"in", "out"}, rows)
}

func asJSON(v any) string {
	b := strings.Builder{}
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err.Error()
	}
	return strings.TrimSpace(b.String())
}

package main

import (
	"fmt"

	"github.com/function-patchwork/function-patchwork/fn"
	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

var transformPath = []string{"resources", "patches", "transforms"}

// group is a list of variants of a transform, which a field chooses from.
type group struct {
	transform, heading string
	variants           []transforms.Variant
}

// groups in the order of the reference.
func groups() []group {
	return []group{
		{"match", "match: pattern of type %s", transforms.MatchPatternTypes()},
		{"match", "match: fallbackTo %s", transforms.MatchFallbacks()},
		{"math", "math: %s", transforms.MathTypes()},
		{"string", "string: %s", transforms.StringTypes()},
		{"string", "string: Convert %s", transforms.StringConversions()},
		{"convert", "convert: to %s", transforms.ConvertTypes()},
		{"convert", "convert: format %s", transforms.ConvertFormats()},
	}
}

// details are the fields of a transform whose own fields have a table.
var details = map[string][]string{
	"match":  {"patterns"},
	"string": {"regexp", "join", "replace", "regexpReplace", "truncate"},
}

func (r *writer) transforms(crd *schema) {
	r.heading(2, "Transforms")
	r.line("The value of a patch goes through its `transforms` in order.")
	r.fields(crd, transformPath...)
	r.line("In the cases below, each value goes in on its own. The place of the patch, with which every error begins, is left out.")
	r.cases("transforms", "")
	for _, t := range transforms.Types() {
		r.heading(3, t.Name)
		r.line(t.Doc)
		r.transformFields(crd, t.Name)
		r.cases("transforms", t.Name)
		for _, g := range groups() {
			if g.transform == t.Name {
				r.group(g)
			}
		}
	}
}

func (r *writer) transformFields(crd *schema, name string) {
	if name == "map" {
		return // Its keys are the user's.
	}
	path := append(transformPath[:len(transformPath):len(transformPath)], name)
	r.fields(crd, path...)
	for _, field := range details[name] {
		r.line(fmt.Sprintf("In `%s.%s`:", name, field))
		r.fields(crd, append(path[:len(path):len(path)], field)...)
	}
}

func (r *writer) group(g group) {
	for _, v := range g.variants {
		r.heading(4, fmt.Sprintf(g.heading, v.Name))
		r.line(v.Doc)
		if v.Name != "Convert" {
			r.row1("transforms", v.Name)
		} else {
			r.cases("transforms", v.Name)
		}
	}
}

func (r *writer) numbers() {
	r.heading(2, "Numbers")
	r.line("Resources have one kind of number. One without a fraction is an integer wherever that matters: in formats, for matching, and in " +
		"readiness checks.")
	r.row1("numbers", "")
}

func (r *writer) formats() {
	r.heading(2, "Format strings")
	r.line("Format strings are those of Go's package fmt. Every verb must have a value, and every value must be used, " +
		"unless a verb names its value by number: `%[2]s` takes the second. " +
		"Flags, width and precision work as in Go, but `*` cannot be used, and neither may be greater than 1024. `%%` is a percent sign.")
	var rows [][]string
	for _, v := range transforms.FormatVerbs() {
		rows = append(rows, []string{code(v.Name), v.Doc})
	}
	r.table([]string{"verbs", "take"}, rows)
}

func (r *writer) limits() {
	r.heading(2, "Limits")
	r.line("No request may take more than its share of the server, whatever is in it. Beyond a limit a request has a fatal result that says so.")
	r.table([]string{"what", "at most"}, [][]string{
		{"a text that a transform takes or makes", fmt.Sprintf("%d MiB", transforms.MaxText>>20)},
		{"an index that is written to", fmt.Sprint(fieldpath.MaxIndex)},
		{"segments of a field path", fmt.Sprint(fieldpath.MaxSegments)},
		{"width and precision in a format string", "1024"},
		{"resources that one `forEach` makes", fmt.Sprint(fn.MaxElements)},
		{"patches that patch sets stand for, in one input", fmt.Sprint(patch.MaxIncluded)},
		{"instructions that a regular expression compiles to", fmt.Sprint(transforms.MaxInstructions)},
		{"the same for all regular expressions of one input, equal ones counted once", fmt.Sprint(transforms.MaxAllInstructions)},
		{"a response, because Crossplane accepts no larger one", fmt.Sprintf("%d MiB", fn.MaxResponseBytes>>20)},
		{"a request", fmt.Sprintf("%d MiB, or what `--max-recv-message-size` says", fn.DefaultMaxRequestBytes>>20)},
		{"the work for one request, in values written and bytes of text handled", "far more than large compositions take"},
	})
	r.row1("limits", "Index")
	r.row1("limits", "Text")
}

package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"
)

// manifest is one object of a file, and where it stands there.
type manifest struct {
	file   string
	line   int
	object map[string]any
}

// errorf makes an error that says where the manifest is.
func (m manifest) errorf(format string, args ...any) error {
	return fmt.Errorf("%s: %w", m.place(), fmt.Errorf(format, args...))
}

func (m manifest) place() string {
	if m.line <= 1 {
		return m.file
	}
	return m.file + ":" + strconv.Itoa(m.line)
}

// String names the object as kubectl does: kind/name.
func (m manifest) String() string {
	return kindOf(m.object) + "/" + nameOf(m.object)
}

// files reads manifests. Standard input is read once, however often it is
// asked for.
type files struct {
	stdin    io.Reader
	stdinRaw []byte
}

const stdinPath = "-"

// load reads all objects of a file, of the files of a folder, or of standard
// input. The items of a List take its place.
func (f *files) load(path string) ([]manifest, error) {
	paths, err := yamlFiles(path)
	if err != nil {
		return nil, err
	}
	var out []manifest
	for _, p := range paths {
		data, err := f.read(p)
		if err != nil {
			return nil, err
		}
		ms, err := splitYAML(displayName(p), data)
		if err != nil {
			return nil, err
		}
		out = append(out, ms...)
	}
	return out, nil
}

func (f *files) read(path string) ([]byte, error) {
	if path != stdinPath {
		return os.ReadFile(path)
	}
	if f.stdinRaw == nil {
		data, err := io.ReadAll(f.stdin)
		if err != nil {
			return nil, fmt.Errorf("standard input: %w", err)
		}
		f.stdinRaw = data
	}
	return f.stdinRaw, nil
}

func displayName(path string) string {
	if path == stdinPath {
		return "standard input"
	}
	return path
}

// yamlFiles lists the YAML and JSON files of a folder, without its subfolders.
// Anything else is a file itself.
func yamlFiles(path string) ([]string, error) {
	if path == stdinPath {
		return []string{path}, nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{path}, nil
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		switch filepath.Ext(e.Name()) {
		case ".yaml", ".yml", ".json":
			if !e.IsDir() {
				out = append(out, filepath.Join(path, e.Name()))
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no .yaml, .yml or .json file in this folder", path)
	}
	return out, nil
}

// splitYAML decodes the documents of a file, leaving out empty ones.
func splitYAML(file string, data []byte) ([]manifest, error) {
	var (
		out   []manifest
		doc   []byte
		start = 1
		line  = 0
	)
	flush := func() error {
		ms, err := decodeManifest(file, start, doc)
		out, doc = append(out, ms...), nil
		return err
	}
	for l := range bytes.Lines(data) {
		line++
		if isSeparator(l) {
			if err := flush(); err != nil {
				return nil, err
			}
			start = line + 1
			continue
		}
		doc = append(doc, l...)
	}
	err := flush()
	return out, err
}

func isSeparator(line []byte) bool {
	rest, ok := bytes.CutPrefix(line, []byte("---"))
	rest = bytes.TrimSpace(rest)
	return ok && (len(rest) == 0 || rest[0] == '#')
}

// decodeManifest decodes a document that begins at a line of a file.
func decodeManifest(file string, line int, doc []byte) ([]manifest, error) {
	v, err := decodeYAML(file, line, doc)
	if v == nil || err != nil {
		return nil, err
	}
	object, ok := v.(map[string]any)
	m := manifest{file: file, line: line, object: object}
	if !ok {
		return nil, m.errorf("not an object: a Kubernetes object has an apiVersion and a kind")
	}
	if items, ok := object["items"].([]any); ok && strings.HasSuffix(kindOf(object), "List") {
		return listItems(m, items)
	}
	if kindOf(object) == "" || stringAt(object, "apiVersion") == "" {
		return nil, m.errorf("apiVersion and kind are required")
	}
	return []manifest{m}, nil
}

func listItems(list manifest, items []any) ([]manifest, error) {
	out := make([]manifest, 0, len(items))
	for i, item := range items {
		object, ok := item.(map[string]any)
		if !ok {
			return nil, list.errorf("items[%d] is not an object", i)
		}
		out = append(out, manifest{file: list.file, line: list.line, object: object})
	}
	return out, nil
}

// decodeYAML decodes YAML or JSON that begins at a line of a file. A key that
// comes twice is an error.
func decodeYAML(file string, line int, doc []byte) (any, error) {
	// The decoder counts lines from the start of what it is given.
	padded := append(bytes.Repeat([]byte("\n"), line-1), doc...)
	data, err := yaml.YAMLToJSONStrict(padded)
	if err != nil {
		return nil, yamlError(file, err)
	}
	var v any
	err = json.Unmarshal(data, &v)
	return v, err
}

var yamlErrorLine = regexp.MustCompile(`line (\d+): (.*)`)

// yamlError says where in a file its YAML is wrong, in the form file:line.
func yamlError(file string, err error) error {
	text := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	text = strings.TrimPrefix(text, "yaml: ")
	if m := yamlErrorLine.FindStringSubmatch(text); m != nil {
		file, text = file+":"+m[1], m[2]
	}
	return fmt.Errorf("%s: not valid YAML: %s", file, text)
}

// into decodes an object into a struct that holds the fields of interest. A
// field of the wrong type is an error with its path.
func (m manifest) into(target any) error {
	data, err := json.Marshal(m.object)
	if err != nil {
		return m.errorf("%w", err)
	}
	err = json.Unmarshal(data, target)
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		return m.errorf("%s: must be %s, got %s", wrong.Field, wanted(wrong.Type), article(wrong.Value))
	}
	return err
}

// wanted says what a Go type is in YAML.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}

func article(value string) string {
	if value == "array" {
		return "a list"
	}
	if value == "object" {
		return "an object"
	}
	return "a " + value
}

package fn

import (
	"path"
	"strings"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// selector is a compiled selector of resources of earlier steps.
type selector struct {
	at               string
	apiVersion, kind string            // empty: any
	labels           map[string]string // by key
	names            string            // a pattern, empty: any
}

// selected runs a template for each desired resource of earlier steps that its
// selector matches, by name.
func (r *run) selected(t *template) error {
	for _, name := range r.request.Desired().Names() {
		if made, ok := r.response.Resources[name]; ok && made.Earlier == nil {
			continue // This input makes it.
		}
		desired, _ := r.request.Desired().Resource(name)
		matches, err := t.selector.matches(name, desired)
		if err == nil && matches {
			err = r.resource(t, name, nil)
		}
		if err != nil {
			return &fieldpath.PlacedError{Place: "for \"" + name + "\": ", Err: err}
		}
	}
	return nil
}

func (s *selector) matches(name string, desired *proto.Resource) (bool, error) {
	if s.names != "" {
		// To path.Match a slash is no character like others.
		if ok, err := path.Match(noSlash(s.names), noSlash(name)); err != nil || !ok {
			return false, err
		}
	}
	object := desired.Object()
	for _, f := range []struct {
		path fieldpath.Path
		want string
	}{{apiVersionPath, s.apiVersion}, {kindPath, s.kind}} {
		if f.want == "" {
			continue
		}
		if v, _, err := object.Get(f.path); err != nil || v != f.want {
			return false, err
		}
	}
	for key, want := range s.labels {
		if v, _, err := object.Get(labelsPath.Child(key)); err != nil || v != want {
			return false, err
		}
	}
	return true, nil
}

func noSlash(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

var labelsPath = fieldpath.Fields("metadata", "labels")

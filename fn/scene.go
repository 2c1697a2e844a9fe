package fn

import (
	"errors"
	"fmt"

	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// scene is what patches and expressions at one place of the input see. It is
// their patch.Documents and expression.Variables.
type scene struct {
	*run

	subject  string          // the name of the resource that is patched
	observed *proto.Resource // the resource that is patched, nil if it does not exist yet
	isSecret bool            // that resource is a Secret
	element  *patch.Element  // what it is made for, nil if it is not in a loop

	// secret says that something of a Secret was read since it was last cleared,
	// and data that it was not only its name or the like.
	secret, data bool
}

// Name returns the name of the resource that is patched.
func (s *scene) Name() string { return s.subject }

// Element returns what the resource is made for.
func (s *scene) Element() *patch.Element { return s.element }

// Document returns what a source reads from, nil if that is not there.
func (s *scene) Document(src *patch.Source) (fieldpath.Reader, error) {
	switch src.From {
	case patch.Composite:
		return s.observedXR, nil
	case patch.Composed:
		if s.observed == nil {
			return nil, nil
		}
		if src.New {
			return s.observed.Object(), s.mayRead(src, s.observed, false, composedNamed(s.subject))
		}
		s.secret = s.secret || s.isSecret
		return s.observed.Object(), nil
	case patch.Environment:
		return s.readDocument(&s.environment), nil
	case patch.Context:
		if d := s.contextAt(src.Name); !d.isAbsent() {
			return s.readDocument(d), nil
		}
		return nil, nil
	case patch.Other:
		return s.other(src)
	case patch.Required:
		return s.required(src)
	case patch.Item:
		s.secret = s.secret || s.element.Secret
		return fieldpath.Value{Any: s.element.Item}, nil
	}
	return nil, fmt.Errorf("%s cannot be read", src.From)
}

// readDocument returns what to read a document from.
func (s *scene) readDocument(d *document) fieldpath.Reader {
	s.secret, s.data = s.secret || d.secret, s.data || d.secret
	return d.reader()
}

// other returns another observed composed resource.
func (s *scene) other(src *patch.Source) (fieldpath.Reader, error) {
	name := src.Resource(s.element)
	observed, ok := s.request.Observed().Resource(name)
	if !ok {
		s.noticeUnknown(src.At, name)
		return nil, nil
	}
	if src.Detail != "" {
		s.secret, s.data = true, true
		v, ok := observed.ConnectionDetail(src.Detail)
		if !ok {
			return nil, nil
		}
		return fieldpath.Value{Any: string(v)}, nil
	}
	return observed.Object(), s.mayRead(src, observed, false, composedNamed(name))
}

// required returns a required resource, or an array of them.
func (s *scene) required(src *patch.Source) (fieldpath.Reader, error) {
	found := s.found[src.Name]
	for _, object := range found.objects {
		if err := s.mayRead(src, object, found.many, requiredNamed(src.Name)); err != nil {
			return nil, err
		}
	}
	return found.reader()
}

// mayRead returns an error if a source reads data of a Secret, or of one of many,
// which the input does not allow.
func (s *scene) mayRead(src *patch.Source, r *proto.Resource, many bool, what string) error {
	secret, err := isSecret(r)
	if err != nil || !secret {
		return err
	}
	reads := src.ReadsData(many)
	if reads && !s.program.allowSecretSources {
		return errors.New(readsData(what))
	}
	s.secret, s.data = true, s.data || reads
	return nil
}

// Absent tells why there is no document of a source.
func (s *scene) Absent(src *patch.Source) string {
	switch src.From {
	case patch.Other:
		name := src.Resource(s.element)
		if _, exists := s.request.Observed().Resource(name); exists {
			return fmt.Sprintf("the composed resource %q has no connection detail %q yet", name, src.Detail)
		}
		return fmt.Sprintf("there is no composed resource %q yet", name)
	case patch.Required:
		return s.found[src.Name].absent
	case patch.Context:
		return fmt.Sprintf("the context has nothing at %q", src.Name)
	case patch.Composed:
		return fmt.Sprintf("the composed resource %q does not exist yet", s.subject)
	}
	return fmt.Sprintf("there is nothing of %s", src.From)
}

// maxUnknown is how many composed resources that nobody makes are told of.
const maxUnknown = 20

// noticeUnknown tells of a composed resource that nobody makes, once.
func (s *scene) noticeUnknown(at, name string) {
	if s.unknown[name] || len(s.unknown) == maxUnknown || s.program.makes(name) {
		return
	}
	if _, earlier := s.request.Desired().Resource(name); earlier {
		return
	}
	if s.unknown == nil {
		s.unknown = make(map[string]bool)
	}
	s.unknown[name] = true
	s.notices = append(s.notices, Notice{
		Place: at,
		Text:  fmt.Sprintf("names the composed resource %q, which neither this input nor an earlier step of the pipeline makes%s", name, s.program.meant(name)),
	})
}

// contextAt returns what the context has at a key, to be read and written.
func (r *run) contextAt(key string) *document {
	if key == environmentKey {
		return &r.environment
	}
	if d, ok := r.contexts[key]; ok {
		return d
	}
	d := &document{budget: r.budget, memory: r.memory}
	d.view, _ = r.request.Context(key)
	if r.contexts == nil {
		r.contexts = make(map[string]*document)
	}
	r.contexts[key] = d
	return d
}

const secretKind = "Secret"

// isSecret tells whether a resource is a Secret.
func isSecret(r *proto.Resource) (bool, error) {
	kind, _, err := r.Object().Get(kindPath)
	return kind == secretKind, err
}

package patch

import (
	"fmt"
	"strings"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Source is something that is read: a document, and a field of it. It is
// immutable and safe for concurrent use.
type Source struct {
	// At is its place in the input.
	At string
	// From is the document, and Name which one: the name of another composed
	// resource, the key of the context, or the name of a required resource.
	From Document
	Name string
	// Detail is the key of a connection detail that is read instead of a field.
	Detail string

	// New says that it is a way to read a composed resource that
	// function-patch-and-transform does not have, so that it may be kept from
	// reading Secrets.
	New bool

	paths []*fieldpath.Path // the first that is there is read; none is the whole
	value any               // of a constant
	field string            // "fromFieldPath" or the like, for errors
	bound bool              // has placeholders
}

// Documents give what is read.
type Documents interface {
	// Document returns the document of a source, nil if there is none yet. It is
	// not asked for constants.
	Document(s *Source) (fieldpath.Reader, error)
	// Absent tells why there is no document: "there is no vpc".
	Absent(s *Source) string
	// Name returns the name of the resource that is patched, if there is one.
	Name() string
	// Element returns what a resource is made for, nil if it is not in a loop.
	Element() *Element
}

// Element is what a resource in a loop is made for.
type Element struct {
	Key    string
	Index  int
	Item   any
	Secret bool // it comes from a Secret
}

// KeyPlaceholder stands for the key of an element, in the name of a resource.
const KeyPlaceholder = "$key"

// Resource returns the name of the other composed resource that is read for an
// element, which may be nil.
func (s *Source) Resource(e *Element) string { return ForElement(s.Name, e) }

// ForElement returns the name of a resource as it is meant for an element, which
// may be nil: $key in it stands for the element's key.
func ForElement(name string, e *Element) string {
	if e == nil || !strings.Contains(name, KeyPlaceholder) {
		return name
	}
	return strings.ReplaceAll(name, KeyPlaceholder, e.Key)
}

// ReadsData tells whether the source may read the data of a Secret, or of one of
// many.
func (s *Source) ReadsData(many bool) bool {
	for _, path := range s.paths {
		segments := path.Segments()
		if many {
			segments = segments[1:]
		}
		if leadsToData(segments) {
			return true
		}
	}
	return s.Detail != "" || len(s.paths) == 0
}

// LeadsToData tells whether a path in a Secret leads to data.
func LeadsToData(path fieldpath.Path) bool { return leadsToData(path.Segments()) }

// leadsToData tells whether a path leads to more than what tells a Secret from
// others. Annotations may have a copy of the data.
func leadsToData(path []fieldpath.Segment) bool {
	if len(path) == 0 || path[0].Kind != fieldpath.Field {
		return true
	}
	switch path[0].Field {
	case "apiVersion", "kind", "type", "status":
		return false
	case "metadata":
		return len(path) == 1 || path[1].Kind != fieldpath.Field || path[1].Field == "annotations"
	}
	return true
}

// Read returns the value, and whether it is there.
func (s *Source) Read(docs Documents) (any, bool, error) {
	if s.From == Constant {
		return s.value, true, nil
	}
	doc, err := docs.Document(s)
	if err != nil || doc == nil {
		return nil, false, s.place(err)
	}
	if len(s.paths) == 0 {
		v, found, err := doc.Get(fieldpath.Path{})
		return v, found, s.place(err)
	}
	for i, path := range s.paths {
		v, found, err := doc.Get(s.bind(path, docs))
		if err != nil {
			return nil, false, s.placeOf(i, err)
		}
		if found {
			return v, true, nil
		}
	}
	return nil, false, nil
}

// bind puts what a resource is made for in the place of placeholders.
func (s *Source) bind(path *fieldpath.Path, docs Documents) fieldpath.Path {
	if !s.bound {
		return *path
	}
	return bind(path, docs.Element())
}

func bind(path *fieldpath.Path, e *Element) fieldpath.Path {
	if e == nil {
		return *path
	}
	return path.Bind(e.Key, e.Index)
}

// Place returns the place in the input of what says what is read.
func (s *Source) Place() string { return s.At + "." + s.field }

func (s *Source) place(err error) error { return s.placeOf(0, err) }

// placeOf puts the place of a path before an error.
func (s *Source) placeOf(i int, err error) error {
	if err == nil {
		return nil
	}
	field := s.field
	if len(s.paths) > 1 {
		field = fmt.Sprintf("%s[%d]", field, i)
	}
	return &fieldpath.PlacedError{Place: field + ": ", Err: err}
}

// Missing tells what is not there: "the composite resource has no status.vpc.id
// (there is no status)".
func (s *Source) Missing(docs Documents) string {
	doc, err := docs.Document(s)
	switch {
	case err != nil || doc == nil && s.From != Required:
		return docs.Absent(s)
	case doc == nil:
		return fmt.Sprintf("%s is missing: %s", s.document(docs), docs.Absent(s))
	case len(s.paths) == 0:
		return fmt.Sprintf("there is nothing in %s", s.document(docs))
	}
	first := s.bind(s.paths[0], docs)
	text := fmt.Sprintf("%s has no %s", s.document(docs), first)
	for _, path := range s.paths[1:] {
		text += fmt.Sprintf(", nor %s", s.bind(path, docs))
	}
	if len(s.paths) > 1 {
		return text
	}
	return text + wayEnds(doc, first)
}

// Wanted tells what is waited for: "vpc.status.atProvider.id".
func (s *Source) Wanted(docs Documents) string {
	switch {
	case s.Detail != "":
		return fmt.Sprintf("connection detail %q of %s", s.Detail, s.Resource(docs.Element()))
	case s.From == Required && s.isAbsent(docs):
		return fmt.Sprintf("%s (%s)", s.document(docs), docs.Absent(s))
	case len(s.paths) == 0:
		return s.document(docs)
	}
	texts := make([]string, len(s.paths))
	for i, path := range s.paths {
		switch texts[i] = s.bind(path, docs).String(); s.From {
		case Other:
			texts[i] = s.Resource(docs.Element()) + "." + texts[i]
		case Composed:
			texts[i] = docs.Name() + "." + texts[i]
		}
	}
	text := strings.Join(texts, " or ")
	if s.From == Other || s.From == Composed {
		return text
	}
	return fmt.Sprintf("%s of %s", text, s.document(docs))
}

func (s *Source) isAbsent(docs Documents) bool {
	doc, err := docs.Document(s)
	return err == nil && doc == nil
}

// document names the document.
func (s *Source) document(docs Documents) string {
	switch s.From {
	case Other:
		return fmt.Sprintf("%s %q", s.From, s.Resource(docs.Element()))
	case Context, Required:
		return fmt.Sprintf("%s %q", s.From, s.Name)
	}
	return s.From.String()
}

// wayEnds tells the first step of a path that is missing, if it is not the last.
func wayEnds(doc fieldpath.Reader, path fieldpath.Path) string {
	for n := 1; n < len(path.Segments()); n++ {
		if _, found, err := doc.Get(path.Prefix(n)); err == nil && !found {
			return fmt.Sprintf(" (there is no %s)", path.Prefix(n))
		}
	}
	return ""
}

// SourceType is a document that loops and variables can read: a row of a table.
type SourceType struct {
	Name v1beta1.SourceName
	Doc  string

	document Document
	whole    bool // may be read as a whole
}

// SourceTypes returns the table of documents that loops and variables can read.
func SourceTypes() []SourceType { return sourceTypes }

var sourceTypes = []SourceType{
	{Name: v1beta1.SourceComposite, document: Composite, Doc: "The observed composite resource."},
	{Name: v1beta1.SourceEnvironment, document: Environment, Doc: "The environment, as it has been written so far."},
	{
		Name: v1beta1.SourceComposed, document: Composed,
		Doc: "An observed composed resource: the one that `resource` names, or without it the one that is patched.",
	},
	{Name: v1beta1.SourceContext, document: Context, whole: true, Doc: "What the pipeline's context has at `contextKey`, as it has been written so far."},
	{
		Name: v1beta1.SourceRequired, document: Required, whole: true,
		Doc: "The required resource that `required` names; the array of them, if they are selected by labels.",
	},
	{Name: v1beta1.SourceItem, document: Item, whole: true, Doc: "The element that a resource with `forEach` is made for."},
	{Name: v1beta1.SourceValue, document: Constant, whole: true, Doc: "The `value`."},
}

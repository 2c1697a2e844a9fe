package patch

import (
	"errors"
	"fmt"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// Patch is a compiled patch. It is immutable and safe for concurrent use.
type Patch struct {
	// From and To are what the patch reads and writes, ToKey at which key of the
	// context.
	From, To Document
	ToKey    string
	// Condition is the number of the Compiler's condition that must hold, -1 if
	// there is none.
	Condition int
	// Set are the patches that this one, which has nothing else but a condition,
	// stands for.
	Set []*Patch
	// Required says that the patched resource must not be made without it.
	Required bool
	// Keeps says that the field is to have what the observed resource has, when
	// what the patch reads is missing.
	Keeps bool
	// Defaults says that there is a value for when what the patch reads is missing.
	Defaults bool
	// Removes says that the patch removes a field, and reads nothing.
	Removes bool
	// Unnames says that what it removes may be the name of a resource, or its
	// namespace.
	Unnames bool
	// Inert says that what the patch writes is not a function's to write, so that
	// it is only read. See the function specification.
	Inert bool
	// Shared is the same number for patches that Read the same from the same
	// source, counted from 0; -1 if there is no saying.
	Shared int

	source     *Source
	combine    *combine
	fallback   any
	transforms transforms.Chain

	target *fieldpath.Path
	bound  bool                    // the target has placeholders
	merge  *fieldpath.MergeOptions // nil replaces

	// inLoop says why the patch makes sense only in a resource with forEach.
	inLoop string

	// Type of the patch, and its place in the input, for people.
	Type v1beta1.PatchType
	At   string
}

// Read returns the value to write: what the source has, sent through the
// transforms. It tells whether the source was there. An error names the place of
// the patch. The budget is that of the request.
func (p *Patch) Read(docs Documents, b *fieldpath.Budget) (any, bool, error) {
	v, found, err := p.read(docs, b)
	if err == nil && !found && p.Defaults {
		v, found = p.fallback, true
	}
	if err != nil || !found || len(p.transforms) == 0 {
		return v, found, err
	}
	v, err = p.transforms.Apply(v, b)
	return v, err == nil, p.transformError(err)
}

// transformError puts the place of the patch before an error, and what it reads
// after it, which is what has to be looked at.
func (p *Patch) transformError(err error) error {
	if err == nil {
		return nil
	}
	e := &fieldpath.PlacedError{Place: p.At + ".", Err: err}
	if p.source != nil && len(p.source.paths) > 0 {
		e.Note = "; the patch reads " + p.source.paths[0].String()
	}
	return e
}

func (p *Patch) read(docs Documents, b *fieldpath.Budget) (any, bool, error) {
	if p.combine != nil {
		v, found, err := p.combine.read(docs, b)
		return v, found, p.errorf("combine.", err)
	}
	v, found, err := p.source.Read(docs)
	return v, found, p.errorf("", err)
}

// Kept returns what a resource has in the field that the patch writes.
func (p *Patch) Kept(observed fieldpath.Reader, e *Element) (any, bool, error) {
	v, found, err := observed.Get(p.to(e))
	return v, found, p.errorf("policy.whenMissing: KeepObserved: ", err)
}

// Write writes a value that Read returned for an element, which may be nil. An
// error names the place of the patch.
func (p *Patch) Write(target *fieldpath.Draft, v any, e *Element) error {
	to := *p.target
	if p.bound {
		to = p.to(e)
	}
	if p.merge != nil {
		return p.errorf("toFieldPath: ", target.Merge(to, v, *p.merge))
	}
	return p.errorf("toFieldPath: ", target.Set(to, v))
}

// Target names what the patch writes to.
func (p *Patch) Target() string {
	if p.To == Context {
		return fmt.Sprintf("%s at %q", p.To, p.ToKey)
	}
	return p.To.String()
}

// Remove removes the field.
func (p *Patch) Remove(target *fieldpath.Draft, e *Element) error {
	return p.errorf("toFieldPath: ", target.Delete(p.to(e)))
}

func (p *Patch) to(e *Element) fieldpath.Path { return bind(p.target, e) }

// Missing tells what Read did not find in its source, and where the way to it
// ends: "the composite resource has no status.vpc.id (there is no status)".
func (p *Patch) Missing(docs Documents) string {
	if s := p.firstMissing(docs); s != nil {
		return s.Missing(docs)
	}
	return fmt.Sprintf("%s has not what the patch reads", p.From)
}

// Wanted tells in short what Read did not find: "vpc.status.atProvider.id".
func (p *Patch) Wanted(docs Documents) string {
	if s := p.firstMissing(docs); s != nil {
		return s.Wanted(docs)
	}
	return p.From.String()
}

func (p *Patch) firstMissing(docs Documents) *Source {
	for _, s := range p.Sources() {
		if _, found, err := s.Read(docs); err == nil && !found {
			return s
		}
	}
	return nil
}

// Sources returns what the patch reads.
func (p *Patch) Sources() []*Source {
	switch {
	case p.combine != nil:
		return sourcesOf(p.combine.variables)
	case p.source != nil:
		return []*Source{p.source}
	}
	return nil
}

// errorf puts the place of the patch, and of something in it, before an error.
func (p *Patch) errorf(place string, err error) error {
	if err == nil {
		return nil
	}
	return &fieldpath.PlacedError{Place: p.At + "." + place, Err: err}
}

// HideValues keeps the text of an error from showing values, which may be secret.
func HideValues(err error) {
	var ve *fieldpath.ValueError
	if errors.As(err, &ve) {
		ve.Hide = true
	}
}

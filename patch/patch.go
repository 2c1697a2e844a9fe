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
	// From and To are what the patch reads and writes.
	From, To Document

	// Required says that the patched resource must not be made without it.
	Required bool

	// Inert says that what the patch writes is not a function's to write, so that
	// it is only read. See the function specification.
	Inert bool

	// Shared is the same number for patches that Read the same from the same
	// source, counted from 0; -1 if there is no saying.
	Shared int

	target *fieldpath.Path
	merge  *fieldpath.MergeOptions // nil replaces

	source     *fieldpath.Path
	combine    *combine
	transforms transforms.Chain

	// Type of the patch, and its place in the input, for people.
	Type v1beta1.PatchType
	At   string
}

// Read returns the value to write: what the source has, sent through the
// transforms. It tells whether the source was there. An error names the place of
// the patch. The budget is that of the request.
func (p *Patch) Read(source fieldpath.Reader, b *fieldpath.Budget) (any, bool, error) {
	v, found, err := p.read(source, b)
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
	if p.source != nil {
		e.Note = "; the patch reads " + p.source.String()
	}
	return e
}

func (p *Patch) read(source fieldpath.Reader, b *fieldpath.Budget) (any, bool, error) {
	if p.combine != nil {
		v, found, err := p.combine.read(source, b)
		return v, found, p.errorf("combine", err)
	}
	v, found, err := source.Get(*p.source)
	return v, found, p.errorf("fromFieldPath", err)
}

// Write writes a value that Read returned. An error names the place of the patch.
func (p *Patch) Write(target *fieldpath.Draft, v any) error {
	if p.merge != nil {
		return p.errorf("toFieldPath", target.Merge(*p.target, v, *p.merge))
	}
	return p.errorf("toFieldPath", target.Set(*p.target, v))
}

// Missing tells what Read did not find in its source, and where the way to it
// ends: "the composite resource has no status.vpc.id (there is no status)".
func (p *Patch) Missing(source fieldpath.Reader) string {
	var paths []*fieldpath.Path
	if p.combine != nil {
		paths = p.combine.variables
	} else {
		paths = append(paths, p.source)
	}
	for _, path := range paths {
		if _, found, err := source.Get(*path); err != nil || found {
			continue
		}
		return fmt.Sprintf("%s has no %s%s", p.From, path, wayEnds(source, *path))
	}
	return fmt.Sprintf("%s has not what the patch reads", p.From)
}

// wayEnds tells the first step of a path that is missing, if it is not the last.
func wayEnds(source fieldpath.Reader, path fieldpath.Path) string {
	for n := 1; n < len(path.Segments()); n++ {
		if _, found, err := source.Get(path.Prefix(n)); err == nil && !found {
			return fmt.Sprintf(" (there is no %s)", path.Prefix(n))
		}
	}
	return ""
}

// errorf puts the place of a field of the patch before an error.
func (p *Patch) errorf(field string, err error) error {
	if err == nil {
		return nil
	}
	return &fieldpath.PlacedError{Place: p.At + "." + field + ": ", Err: err}
}

// HideValues keeps the text of an error from showing values, which may be secret.
func HideValues(err error) {
	var ve *fieldpath.ValueError
	if errors.As(err, &ve) {
		ve.Hide = true
	}
}

package fn

import (
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// document is something in the request that may be read only, and is only
// decoded when it is written to.
type document struct {
	view   *proto.Struct // nil if the request has none
	draft  *fieldpath.Draft
	budget *fieldpath.Budget
	memory *fieldpath.Memory

	// secret says that something of a Secret was written to it.
	secret bool
}

// isAbsent tells whether there is nothing, not even something empty.
func (d *document) isAbsent() bool { return d.draft == nil && d.view == nil }

// reader returns what to read from.
func (d *document) reader() fieldpath.Reader {
	switch {
	case d.draft != nil:
		return d.draft
	case d.view != nil:
		return d.view
	}
	return fieldpath.Value{}
}

// writer returns what to write to.
func (d *document) writer() (*fieldpath.Draft, error) {
	if d.draft != nil {
		return d.draft, nil
	}
	var base *fieldpath.Frozen
	if d.view != nil {
		v, err := d.view.Value()
		if err != nil {
			return nil, err
		}
		base = fieldpath.Freeze(v)
	}
	d.draft = fieldpath.NewDraft(base, d.budget, d.memory)
	return d.draft, nil
}

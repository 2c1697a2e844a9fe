package fn

import (
	"time"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Program is a compiled input. Running it parses nothing and decodes no
// configuration. It is immutable and safe for concurrent use.
type Program struct {
	// Notices tell what in the input is legal and has no effect.
	Notices []Notice

	// sharedReads is how many reads there are that several patches may share.
	sharedReads int

	ttl         time.Duration // of responses, 0 unless the input says it
	environment []*patch.Patch
	resources   []template
	secret      secretReference
}

// Notice tells that something in the input is legal and has no effect, or
// cannot be used.
type Notice = input.Notice

// template is the compiled template of one composed resource.
type template struct {
	at      string
	name    string
	base    *fieldpath.Frozen // nil: patches what an earlier function desires
	patches []*patch.Patch
	details []detail
	checks  []check // never empty
	// decides says that the input has readiness checks of its own, which win
	// over what an earlier function said.
	decides bool
}

// secretReference says where the composed connection Secret goes.
type secretReference struct {
	name, namespace string
	patches         []*patch.Patch
}

package fn

import (
	"maps"
	"slices"
	"strings"
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
	condition   *condition    // nil: always
	conditions  []condition   // of patches, by their number
	required    []requirement
	environment []*patch.Patch
	resources   []template
	names       map[string]int // of templates, to their index
	secret      secretReference
	status      []statusCondition
	ready       *condition // nil: Crossplane decides

	// references are the composed resources that expressions name.
	references []reference

	allowSecretSources bool

	// mayHold says that something of it may hold resources back, and summarizes
	// that this is always told by a condition.
	mayHold, summarizes bool
}

// reference is a place that names a composed resource.
type reference struct{ at, name string }

// template returns the template with a name, nil if there is none.
func (p *Program) template(name string) *template {
	if i, ok := p.names[name]; ok {
		return &p.resources[i]
	}
	return nil
}

// makes tells whether a resource may be one of the input's.
func (p *Program) makes(name string) bool { return p.template(name) != nil || p.makesBeside(nil, name) }

// makesBeside tells whether a resource may be made by another template.
func (p *Program) makesBeside(t *template, name string) bool {
	for i := range p.resources {
		o := &p.resources[i]
		switch {
		case o == t || o.name == "":
		case o.name == name, o.loop != nil && strings.HasPrefix(name, member(o.name, "")):
			return true
		}
	}
	return false
}

// meant tells which resource of the input was probably meant by a name.
func (p *Program) meant(name string) string {
	if hint := input.DidYouMean(name, slices.Sorted(maps.Keys(p.names))); hint != "" {
		return ", " + hint
	}
	return ""
}

// Notice tells that something in the input is legal and has no effect, or
// cannot be used.
type Notice = input.Notice

// template is the compiled template of one composed resource.
type template struct {
	at        string
	name      string     // empty if it has a selector
	condition *condition // nil: always
	loop      *loop      // nil: one resource
	selector  *selector
	dependsOn []dependency
	base      *fieldpath.Frozen // nil: patches what an earlier function desires
	patches   []*patch.Patch
	details   []detail
	checks    []check // never empty
	// skipsMissing says that it is left out if no earlier function desires the
	// resource.
	skipsMissing bool
	// decides says that the input has readiness checks of its own, which win
	// over what an earlier function said.
	decides bool
}

// secretReference says where the composed connection Secret goes.
type secretReference struct {
	name, namespace string
	patches         []*patch.Patch
}

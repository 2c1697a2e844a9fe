package patch

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// Known is what the compiler has to know of the rest of the input.
type Known struct {
	// Required are the names of the required resources.
	Required []string
	// AllowSecretSources says that values of Secrets may be read.
	AllowSecretSources bool
}

// Compiler compiles the patches of one input. What several patches have in
// common is compiled once. It is not safe for concurrent use.
type Compiler struct {
	// Errors are all that there are; Notices tell what has no effect.
	Errors  field.ErrorList
	Notices []input.Notice
	// Conditions are those that patches have, not compiled.
	Conditions []Condition

	known    Known
	sets     map[string][]*Patch
	setNames []string // all that there are, those of sets in their order
	included int

	paths  map[string]*fieldpath.Path
	chains map[string]transforms.Chain
	reads  map[string]int

	expressions *transforms.Expressions
}

// Condition is the text of a condition of patches.
type Condition struct {
	At   *field.Path
	Text string
	// Loop says that it can read the element that a resource is made for.
	Loop bool
}

// NewCompiler returns a compiler that knows no patch sets.
func NewCompiler(known Known) *Compiler {
	return &Compiler{
		known:  known,
		sets:   make(map[string][]*Patch),
		paths:  make(map[string]*fieldpath.Path),
		chains: make(map[string]transforms.Chain),
		reads:  make(map[string]int),

		expressions: transforms.NewExpressions(),
	}
}

// Patches compiles the patches at a place of the input. Those of type PatchSet
// are replaced by the patches of the set, which has to be known already.
func (c *Compiler) Patches(at *field.Path, in []v1beta1.Patch, s Scope) []*Patch {
	var out []*Patch
	for i := range in {
		if in[i].Type == v1beta1.PatchTypePatchSet && includes(s) {
			out = append(out, c.include(at.Index(i), in[i], s)...)
			continue
		}
		one := compiler{Compiler: c, scope: s}
		one.compile(at.Index(i), in[i])
		c.noticeNames(&one.patch, s)
		out = append(out, &one.patch)
	}
	return out
}

// ForEach compiles what a loop reads.
func (c *Compiler) ForEach(at *field.Path, in v1beta1.ForEach) *Source {
	one := compiler{Compiler: c, scope: InStatus}
	r := reading{document: Composite, what: "forEach", path: in.FromFieldPath, SourceFields: in.SourceFields}
	switch in.Source {
	case "":
	case v1beta1.SourceItem:
		one.invalid(at.Child("source"), string(in.Source), "forEach is what makes the items; it cannot read one itself")
		return &Source{}
	default:
		one.named(at, in.Source, &r)
	}
	one.unusedBySource(at, r)
	return one.read(at, r)
}

// condition keeps the text of a condition, and returns its number; -1 if there
// is none.
func (c *Compiler) condition(at *field.Path, text *string, s Scope) int {
	if text == nil {
		return -1
	}
	c.Conditions = append(c.Conditions, Condition{At: at, Text: *text, Loop: s == InForEach || s == InPatchSet})
	return len(c.Conditions) - 1
}

// SharedReads is how many different numbers the Shared of patches has.
func (c *Compiler) SharedReads() int { return len(c.reads) }

// path parses a path, unless the same was parsed before. One that is malformed is
// the path of the whole.
func (c *Compiler) path(at *field.Path, text string) *fieldpath.Path {
	if p, ok := c.paths[text]; ok {
		return p
	}
	p, err := fieldpath.Parse(text)
	if err != nil {
		c.Errors = append(c.Errors, invalid(at, text, err.Error()))
		return &p
	}
	c.paths[text] = &p
	return &p
}

// chain compiles transforms, unless the same were compiled before.
func (c *Compiler) chain(at *field.Path, in []v1beta1.Transform) transforms.Chain {
	if len(in) == 0 {
		return nil
	}
	key, err := json.Marshal(in)
	if chain, ok := c.chains[string(key)]; ok && err == nil {
		return chain
	}
	chain, errs := transforms.Compile(at, in, c.expressions)
	c.Errors = append(c.Errors, errs...)
	if err == nil && len(errs) == 0 {
		c.chains[string(key)] = chain
	}
	return chain
}

// notShared is the Shared of a patch that may read something else each time.
const notShared = -1

// shared returns a number for what a patch reads and how it transforms that. The
// observed composite resource is the same for all the patches of a request.
func (c *compiler) shared(in v1beta1.Patch) int {
	if !c.readsComposite() {
		return notShared
	}
	in.Type, in.ToFieldPath, in.Policy, in.PatchSetName, in.Condition = "", nil, nil, nil, nil
	if c.patch.combine != nil {
		in.FromFieldPath = nil
	} else {
		in.Combine = nil
	}
	key, err := json.Marshal(in)
	if err != nil {
		return notShared
	}
	if n, ok := c.reads[string(key)]; ok {
		return n
	}
	c.reads[string(key)] = len(c.reads)
	return len(c.reads) - 1
}

// readsComposite tells whether the patch reads the composite resource and nothing
// else, and the same for all elements of a loop.
func (c *compiler) readsComposite() bool {
	if c.patch.combine == nil {
		return c.patch.source != nil && c.patch.source.From == Composite && !c.patch.source.bound
	}
	return !slices.ContainsFunc(c.patch.combine.variables, func(v variable) bool {
		return v.From != Constant && (v.From != Composite || v.bound)
	})
}

package expression

import (
	"fmt"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// constant is a literal, or what was computed when the expression was compiled.
type constant struct{ value ref.Val }

func (c *constant) eval(*run) ref.Val { return c.value }

// global is a variable of the caller.
type global struct{ index int }

func (g *global) eval(r *run) ref.Val {
	raw, err := r.variable(g.index)
	if err != nil {
		return fail(err)
	}
	return r.value(raw, variables[g.index].doubles)
}

// local is a variable of a loop.
type local struct{ slot int }

func (l *local) eval(r *run) ref.Val { return r.slots[l.slot] }

// path is a chain of steps: xr.spec.nodes[0].?size. Objects on the way are not
// made values of.
type path struct {
	root     node
	steps    []step
	test     bool   // has(): whether there is the last
	fallback string // what would do where something is missing, as it is written
}

// step is a field, an element, or an entry of a map.
type step struct {
	name     string // of a field, unless there is a key
	key      node
	optional bool
	operand  ast.Expr // of which it is a step
	expr     ast.Expr // the step with all before
}

func (p *path) eval(r *run) ref.Val {
	at, doubles, failed := p.start(r)
	if failed != nil {
		return failed
	}
	optional := false
	if o, ok := at.(*types.Optional); ok {
		if !o.HasValue() {
			return p.result(types.OptionalNone, true, false)
		}
		at, optional = o.GetValue(), true
	}
	for i := range p.steps {
		s := &p.steps[i]
		optional = optional || s.optional
		next, found, failed := p.take(r, at, s, optional || p.test && i == len(p.steps)-1)
		if failed != nil {
			return failed
		}
		if !found {
			return p.result(types.OptionalNone, true, false)
		}
		at = next
	}
	if p.test {
		return types.True
	}
	return p.result(r.value(at, doubles), optional, true)
}

// start returns what the steps start from: the value as the caller gave it,
// where that will do.
func (p *path) start(r *run) (v any, doubles bool, failed ref.Val) {
	if g, ok := p.root.(*global); ok {
		raw, err := r.variable(g.index)
		if err != nil {
			return nil, false, fail(err)
		}
		return raw, variables[g.index].doubles, nil
	}
	root := p.root.eval(r)
	if types.IsError(root) {
		return nil, false, root
	}
	return root, false, nil
}

func (p *path) result(v ref.Val, optional, found bool) ref.Val {
	if p.test {
		return types.Bool(found)
	}
	if optional && found && !types.IsError(v) {
		return types.OptionalOf(v)
	}
	return v
}

// take goes one step. Lenient says that it is no failure if there is nothing.
func (p *path) take(r *run, at any, s *step, lenient bool) (v any, found bool, failed ref.Val) {
	var key ref.Val
	if s.key != nil {
		if key = s.key.eval(r); types.IsError(key) {
			return nil, false, key
		}
		r.charge(1 + textCost(key, 64))
	}
	v, found, steps, err := r.step(at, s.name, key)
	switch {
	case err != nil:
		return nil, false, fail(err)
	case found || lenient:
		return v, found, nil
	case !steps:
		return nil, false, fail(p.wrong(s, key, kindOf(r.value(at, false))))
	}
	return nil, false, fail(p.missing(r, s, key, at))
}

// step returns what is at a name or a key, and whether a value of this kind has
// any of them.
func (r *run) step(at any, name string, key ref.Val) (v any, found, steps bool, err error) {
	if key != nil {
		text, isText := key.(types.String)
		if !isText {
			return r.element(at, key)
		}
		name = string(text)
	}
	switch t := at.(type) {
	case *lazy:
		v, found, err = t.field(name)
		return v, found, true, err
	case map[string]any:
		v, found = t[name]
		return v, found, true, nil
	case Object:
		v, found, err = r.read(t, name)
		return v, found, true, err
	case traits.Mapper:
		return find(t, types.String(name))
	}
	return nil, false, false, nil
}

// element returns what is at an index, or at a key that is no string.
func (r *run) element(at any, key ref.Val) (v any, found, steps bool, err error) {
	if m, ok := at.(traits.Mapper); ok {
		return find(m, key)
	}
	i, err := types.IndexOrError(key)
	if err != nil {
		return nil, false, false, nil //nolint:nilerr // The caller tells the kinds, and nothing of the values.
	}
	switch t := at.(type) {
	case []any:
		if i < 0 || i >= len(t) {
			return nil, false, true, nil
		}
		return t[i], true, true, nil
	case traits.Lister:
		if i < 0 || i >= length(t) {
			return nil, false, true, nil
		}
		return t.Get(types.Int(i)), true, true, nil
	}
	return nil, false, false, nil
}

func find(m traits.Mapper, key ref.Val) (v any, found, steps bool, err error) {
	value, found := m.Find(key)
	if failed, ok := value.(*types.Err); ok {
		return nil, false, true, failed.Unwrap()
	}
	return value, found, true, nil
}

// missing says which step of the path there is not, and how to write the whole
// so that it may be missing. A key that was computed may be secret.
func (p *path) missing(r *run, s *step, key ref.Val, at any) error {
	last := p.steps[len(p.steps)-1].expr
	note := advice(fmt.Sprintf("%s.orValue(%s)", safe(last), p.fallback))
	if p.test {
		note = advice(fmt.Sprintf("has(%s)", safeBefore(last)))
	}
	name, fixed := fixedKey(s)
	if !fixed {
		problem := fmt.Sprintf("%s has no such key", show(s.operand))
		if isList(at) {
			problem = fmt.Sprintf("%s has no such element", show(s.operand))
		}
		v, _ := plain(key)
		return &fieldpath.PlacedError{Err: &fieldpath.ValueError{Problem: problem, Value: v}, Note: note}
	}
	if isList(at) {
		list, _ := r.value(at, false).(traits.Lister)
		n := length(list)
		return fmt.Errorf("%s has no element %s, it has %s%s", show(s.operand), name, count(n), note)
	}
	return fmt.Errorf("%s has no field %s%s", show(s.operand), name, note)
}

// advice says what to write, unless it is too long to be shown.
func advice(text string) string {
	if len(text) > 2*maxShown {
		return ""
	}
	return "; where it may be missing write " + text
}

// wrong says that there is a value of a kind that has no such steps.
func (p *path) wrong(s *step, key ref.Val, kind string) error {
	name, fixed := fixedKey(s)
	switch {
	case !fixed:
		return fmt.Errorf("%s is %s, and %s finds nothing in that", show(s.operand), kind, kindOf(key))
	case key == nil || key.Type() == types.StringType:
		return fmt.Errorf("%s is %s and has no field %s", show(s.operand), kind, name)
	}
	return fmt.Errorf("%s is %s and has no element %s", show(s.operand), kind, name)
}

func isList(at any) bool {
	switch at.(type) {
	case []any, traits.Lister:
		return true
	}
	return false
}

func count(elements int) string {
	switch elements {
	case 0:
		return "none"
	case 1:
		return "1 element"
	}
	return fmt.Sprintf("%d elements", elements)
}

package expression

import (
	"fmt"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// path is a chain of steps as the interpreter plans it: xr.spec.nodes[0].?size.
type path struct {
	interpreter.InterpretableAttribute

	planner *planner
}

// AddQualifier adds a step, so that its errors are ours.
func (p *path) AddQualifier(q interpreter.Qualifier) (interpreter.Attribute, error) {
	s := &step{Qualifier: q, at: p.planner.places[q.ID()], env: p.planner.env}
	s.key, _ = q.(interpreter.Attribute)
	if s.at == nil {
		return nil, errMissing
	}
	return p.InterpretableAttribute.AddQualifier(s)
}

// step is a field, an element, or an entry of a map.
type step struct {
	interpreter.Qualifier

	key interpreter.Attribute // unless it is written in the expression
	at  *place
	env *environment
}

// Qualify takes the step.
func (s *step) Qualify(vars interpreter.Activation, of any) (any, error) {
	q, err := s.qualifier(vars)
	if err != nil {
		return nil, err
	}
	v, err := q.Qualify(vars, of)
	if err != nil {
		return nil, s.failure(q, of, err)
	}
	return v, nil
}

// QualifyIfPresent takes the step, if there is something.
func (s *step) QualifyIfPresent(vars interpreter.Activation, of any, presenceOnly bool) (any, bool, error) {
	q, err := s.qualifier(vars)
	if err != nil {
		return nil, false, err
	}
	v, found, err := q.QualifyIfPresent(vars, of, presenceOnly)
	if err != nil {
		return nil, false, s.failure(q, of, err)
	}
	return v, found, nil
}

// qualifier returns that of the interpreter, for a key that is computed as well.
func (s *step) qualifier(vars interpreter.Activation) (interpreter.Qualifier, error) {
	if s.key == nil {
		return s.Qualifier, nil
	}
	key, err := s.key.Resolve(vars)
	if err != nil {
		return nil, err
	}
	v := types.DefaultTypeAdapter.NativeToValue(key)
	if !runOf(vars).charge(1 + textCost(v, 64)) {
		return nil, &told{errLimit}
	}
	q, err := s.env.attributes.NewQualifier(nil, s.ID(), v, s.IsOptional())
	if err != nil {
		return nil, &told{fmt.Errorf("%s has nothing at %s", show(s.operand()), kindOf(v))}
	}
	return q, nil
}

// failure tells why a step cannot be taken.
func (s *step) failure(q interpreter.Qualifier, of any, err error) error {
	if isTold(err) {
		return err
	}
	var key ref.Val
	if c, ok := q.(interpreter.ConstantQualifier); ok {
		key = c.Value()
	}
	_, text := key.(types.String)
	switch v := types.DefaultTypeAdapter.NativeToValue(of).(type) {
	case traits.Lister:
		if text || key == nil || key.Type() == types.BoolType {
			return &told{s.wrong(key, v)}
		}
		return &told{&MissingError{s.missing(key, v)}}
	case traits.Mapper:
		return &told{&MissingError{s.missing(key, v)}}
	default:
		return &told{s.wrong(key, v)}
	}
}

// missing says which step of the path there is not, and how to write the whole
// so that it may be missing. A key that was computed may be secret.
func (s *step) missing(key, of ref.Val) error {
	note := s.note()
	list, isList := of.(traits.Lister)
	switch {
	case s.key != nil:
		problem := show(s.operand()) + " has no such key"
		if isList {
			problem = show(s.operand()) + " has no such element"
		}
		v, _ := plain(key)
		return &fieldpath.PlacedError{Err: &fieldpath.ValueError{Problem: problem, Value: v}, Note: note}
	case isList:
		return fmt.Errorf("%s has no element %s, it has %s%s", show(s.operand()), shorten(literal(key)), count(length(list)), note)
	}
	return fmt.Errorf("%s has no field %s%s", show(s.operand()), shorten(literal(key)), note)
}

// MissingError says that something that the expression reads is not there.
type MissingError struct{ error }

// Unwrap returns what tells what is missing.
func (e *MissingError) Unwrap() error { return e.error }

// note tells how to write the path so that something may be missing.
func (s *step) note() string {
	switch {
	case !isFaithful(s.at.whole):
		return "; write ? before what may be missing"
	case isTest(s.at.whole):
		return fmt.Sprintf("; where it may be missing write has(%s)", safeBefore(s.at.whole))
	}
	return fmt.Sprintf("; where it may be missing write %s.orValue(%s)", safe(s.at.whole), s.at.fallback)
}

// wrong says that there is a value of a kind that has no such steps.
func (s *step) wrong(key, of ref.Val) error {
	switch {
	case s.key != nil:
		return fmt.Errorf("%s is %s, and %s finds nothing in that", show(s.operand()), kindOf(of), kindOf(key))
	case key != nil && key.Type() == types.StringType:
		return fmt.Errorf("%s is %s and has no field %s", show(s.operand()), kindOf(of), shorten(literal(key)))
	}
	return fmt.Errorf("%s is %s and has no element %s", show(s.operand()), kindOf(of), shorten(literal(key)))
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

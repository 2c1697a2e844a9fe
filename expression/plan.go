package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"
)

// maxFolded is how large a value may be that is computed when an expression is
// compiled, and kept.
const maxFolded = 1000

// planner attaches to the interpreter's plan of an expression what is ours: the
// work is counted, and errors tell what failed. The interpreter shows it each
// node that it plans, the inner ones first.
type planner struct {
	env    *environment
	places map[int64]*place
	fold   *run // evaluates what is constant
	steps  int  // of the regular expressions so far
}

// node is a node of the plan that is ours.
type node struct {
	id   int64
	exec func(frame *interpreter.ExecutionFrame) ref.Val
}

// ID returns the id of the part of the expression.
func (n *node) ID() int64 { return n.id }

// Exec evaluates the node.
func (n *node) Exec(frame *interpreter.ExecutionFrame) ref.Val { return n.exec(frame) }

// Eval evaluates the node as well.
func (n *node) Eval(a interpreter.Activation) ref.Val { return n.exec(interpreter.AsFrame(a)) }

func plan(env *environment, checked *ast.AST, w Want) (*Expression, error) {
	fallback := "false"
	if w == Status {
		fallback = `"Unknown"`
	}
	f := &placer{checked: checked, places: map[int64]*place{}}
	f.visit(checked.Expr(), fallback)
	if f.err != nil {
		return nil, f.err
	}
	p := &planner{env: env, places: f.places, fold: &run{left: maxWork}}
	root, err := env.interpreter.NewInterpretable(checked, interpreter.CustomDecoratorV2(p.decorate))
	if err != nil {
		return nil, planProblem(err)
	}
	p.places = nil // The paths keep the planner.
	uses, members := references(checked.Expr())
	return &Expression{root: root, loops: f.loops, uses: uses, members: members}, nil
}

func planProblem(err error) error {
	if isTold(err) {
		return asTold(err)
	}
	if strings.HasPrefix(err.Error(), "invalid qualifier type") {
		return errors.New("in [...] there must be a string, a number or a bool")
	}
	return errors.New("this expression has a part that is not available")
}

// decorate puts in the place of a node one that does more.
func (p *planner) decorate(i interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	at := p.places[i.ID()]
	if at == nil {
		return i, nil
	}
	switch t := i.(type) {
	case *path:
	case interpreter.InterpretableAttribute:
		if isTest(at.expr) {
			// Else ?: would ask for the value, not whether there is one.
			return at.checked(&node{id: t.ID(), exec: t.Exec}), nil
		}
		if at.whole != nil {
			return &path{InterpretableAttribute: t, planner: p}, nil // Only the key of this step.
		}
		i = &path{InterpretableAttribute: t, planner: p}
	case interpreter.InterpretableCall:
		made, err := p.call(t, at)
		if err != nil {
			return nil, err
		}
		i = made
	case interpreter.InterpretableConstructor:
		made, err := p.folded(t, t.InitVals())
		if err != nil {
			return nil, err
		}
		i = made
	}
	return at.checked(i), nil
}

// call makes the node of a function or operator.
func (p *planner) call(t interpreter.InterpretableCall, at *place) (interpreter.InterpretableV2, error) {
	name, args, exprs := t.Function(), t.Args(), operands(at.expr)
	switch name {
	case operators.NotStrictlyFalse:
		return t, nil // Which takes a failure, and no work.
	case "or", "orValue":
		o := &orElse{optional: args[0], other: args[1], value: name == "orValue", expr: exprs[0]}
		return &node{id: t.ID(), exec: o.exec}, nil
	}
	c := &call{function: name, args: args, cost: costOf(name), exprs: exprs, bound: p.overload(t), own: own[name]}
	if c.bound == nil && c.own == nil {
		return nil, &told{errNoFunction}
	}
	if name == "matches" {
		if err := p.matches(c); err != nil {
			return nil, err
		}
	}
	return p.folded(&node{id: t.ID(), exec: c.exec}, args)
}

var errNoFunction = errors.New("this expression calls a function that is not available")

// folded evaluates a node whose parts are all constant, now. What takes too much
// is a problem now as well; what fails may never be evaluated.
func (p *planner) folded(i interpreter.InterpretableV2, parts []interpreter.InterpretableV2) (interpreter.InterpretableV2, error) {
	for _, part := range parts {
		if _, ok := part.(interpreter.InterpretableConst); !ok {
			return i, nil
		}
	}
	v := i.Eval(p.fold)
	if p.fold.left < 0 {
		return nil, &told{errLimit}
	}
	if types.IsError(v) || depth(v, maxFolded) > maxFolded {
		return i, nil
	}
	return interpreter.NewConstValue(i.ID(), v), nil
}

// matches compiles a regular expression that is written in the expression.
func (p *planner) matches(c *call) error {
	written, ok := c.args[1].(interpreter.InterpretableConst)
	if !ok {
		return nil
	}
	text, ok := written.Value().(types.String)
	if !ok {
		return nil
	}
	compiled, err := newPattern(string(text), maxSteps-p.steps)
	if err != nil {
		return &told{fmt.Errorf("the regular expression %s is not valid: %w", shorten(literal(text)), err)}
	}
	p.steps += compiled.steps
	c.own = compiled.matcher
	return nil
}

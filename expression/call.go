package expression

import (
	"errors"
	"fmt"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// call is a call of a function of cel-go, or of one of those here. It counts the
// work before it calls, and tells failures in words of its own.
type call struct {
	function string
	args     []interpreter.InterpretableV2
	bound    *functions.Overload
	own      func(r *run, args []ref.Val) ref.Val // instead of bound
	cost     func(args []ref.Val) int
	exprs    []ast.Expr // of args
}

func (c *call) exec(frame *interpreter.ExecutionFrame) ref.Val {
	r := runOf(frame)
	if r.left < 0 {
		return over()
	}
	base := len(r.stack)
	defer func() { r.pop(base) }()
	for _, a := range c.args {
		v := a.Exec(frame)
		if types.IsError(v) {
			return v
		}
		r.stack = append(r.stack, v)
	}
	args := r.stack[base:]
	if !r.charge(c.cost(args)) {
		return over()
	}
	v := c.invoke(r, args)
	if failed, ok := v.(*types.Err); ok && !isTold(failed) {
		return fail(c.failure(failed, args))
	}
	return v
}

// pop takes arguments from the stack, so that nothing there outlives the call.
func (r *run) pop(base int) {
	clear(r.stack[base:])
	r.stack = r.stack[:base]
}

func (c *call) invoke(r *run, args []ref.Val) ref.Val {
	if c.own != nil {
		return c.own(r, args)
	}
	return invoke(c.bound, args)
}

// overload returns the one function that is meant, or that which finds it out
// from the kinds of the values.
func (p *planner) overload(t interpreter.InterpretableCall) *functions.Overload {
	if f := p.env.functions[t.OverloadID()]; f != nil {
		return f
	}
	return p.env.functions[t.Function()]
}

// invoke calls a function as cel-go's interpreter does.
func invoke(f *functions.Overload, args []ref.Val) ref.Val {
	if len(args) > 0 && f.OperandTrait != 0 && !args[0].Type().HasTrait(f.OperandTrait) {
		return types.NewErr(noOverload)
	}
	switch {
	case len(args) == 1 && f.Unary != nil:
		return f.Unary(args[0])
	case len(args) == 2 && f.Binary != nil:
		return f.Binary(args[0], args[1])
	case f.Function != nil:
		return f.Function(append([]ref.Val(nil), args...)...)
	}
	return receive(f.Operator, args)
}

// receive calls a method that the value itself has.
func receive(function string, args []ref.Val) ref.Val {
	if len(args) > 0 {
		if receiver, ok := args[0].(traits.Receiver); ok && args[0].Type().HasTrait(traits.ReceiverType) {
			return receiver.Receive(function, function, args[1:])
		}
	}
	return types.NewErr(noOverload)
}

// noOverload is how cel-go says that a function is not for values of such kinds.
const noOverload = "no such overload"

// known are failures of cel-go whose text tells nothing of the values.
var known = map[string]string{
	"division by zero":            "division by zero",
	"modulus by zero":             "division by zero",
	"integer overflow":            "the number is too large for an int",
	"unsigned integer overflow":   "the number is too large for a uint",
	"duration overflow":           "the duration is too long",
	"timestamp overflow":          "the time is too far away",
	"optional.none() dereference": "there is no value",
}

// failure tells why a call failed in words of its own: those of cel-go may have
// values in them.
func (c *call) failure(failed *types.Err, args []ref.Val) error {
	place := ""
	for _, e := range c.exprs {
		if e.Kind() != ast.LiteralKind {
			place = show(e) + ": "
			break
		}
	}
	text := failed.Unwrap().Error()
	if plain, ok := known[text]; ok {
		return errors.New(place + plain)
	}
	if strings.HasPrefix(text, noOverload) {
		return errors.New(place + unfit(c.function, kindsOf(args)))
	}
	return c.refused(place, text, args)
}

// refused is the error of a function that does not like a value.
func (c *call) refused(place, text string, args []ref.Val) error {
	problem := place + name(c.function) + " is not possible for this value"
	for _, a := range args {
		if v, ok := plain(a); ok {
			hint := ""
			if len(text) <= maxShown {
				hint = text
			}
			return &fieldpath.ValueError{Problem: problem, Value: v, Hint: hint}
		}
	}
	return errors.New(problem)
}

func kindsOf(args []ref.Val) []string {
	kinds := make([]string, len(args))
	for i, a := range args {
		kinds[i] = kindOf(a)
	}
	return kinds
}

// unfit says that a function is not for values of these kinds.
func unfit(function string, kinds []string) string {
	hint := ""
	for _, k := range kinds {
		if k == "an optional value" {
			hint = "; of an optional value get the value with .orValue(...)"
		}
	}
	if len(kinds) == 2 {
		switch function {
		case operators.Equals, operators.NotEquals, operators.Less, operators.LessEquals, operators.Greater, operators.GreaterEquals:
			return fmt.Sprintf("%s cannot be compared with %s to %s%s", kinds[0], name(function), kinds[1], hint)
		case operators.In:
			return fmt.Sprintf("%s cannot be in %s%s", kinds[0], kinds[1], hint)
		case operators.Index, operators.OptIndex, operators.OptSelect:
			return fmt.Sprintf("%s has nothing at %s%s", kinds[0], kinds[1], hint)
		}
	}
	if len(kinds) == 0 {
		return name(function) + " needs a value"
	}
	return fmt.Sprintf("%s is not possible for %s%s", name(function), strings.Join(kinds, " and "), hint)
}

// name is a function or operator as it is written.
func name(function string) string {
	if symbol, ok := operators.FindReverse(function); ok && symbol != "" {
		return symbol
	}
	switch function {
	case "@sortByAssociatedKeys":
		function = "sortBy"
	case "cel.@mapInsert":
		return "an entry of the map"
	case "math.@max":
		function = "math.greatest"
	case "math.@min":
		function = "math.least"
	}
	return function + "()"
}

// orElse is or() and orValue() of an optional value, which evaluate their
// argument only where there is no value.
type orElse struct {
	optional, other interpreter.InterpretableV2
	value           bool
	expr            ast.Expr
}

func (o *orElse) exec(frame *interpreter.ExecutionFrame) ref.Val {
	switch v := o.optional.Exec(frame).(type) {
	case *types.Err:
		return v
	case *types.Optional:
		if !v.HasValue() {
			return o.other.Exec(frame)
		}
		if o.value {
			return v.GetValue()
		}
		return v
	default:
		return fail(fmt.Errorf("%s is no optional value, write .? before what may be missing", show(o.expr)))
	}
}

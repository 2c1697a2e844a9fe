package expression

import (
	"errors"
	"sync"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// maxWork is how many units of work an evaluation may do. A unit is at most
// about 100 ns and 80 bytes; cost.go has what takes how many.
const maxWork = 1 << 19

// budgetUnits is how many units of a request's budget one of work is. So an
// evaluation that does all it may takes 1/64 of what fn gives to a request.
const budgetUnits = 8

var (
	errLimit    = errors.New("this takes more time or memory than a single expression may use; look at fewer or smaller values")
	errInternal = errors.New("internal error: the expression cannot be evaluated")
)

// run is the state of an evaluation. It is the activation that the interpreter
// asks for the values of variables.
type run struct {
	vars  Variables
	left  int  // of maxWork; less than none once it was not enough
	memo  bool // there are loops, so what is decoded is kept for the next turn
	known [len(variables)]ref.Val
	stack []ref.Val // the arguments of the calls that are under way
}

// runs keeps what an evaluation needs for the next.
var runs = sync.Pool{New: func() any { return &run{} }}

func (e *Expression) run(v Variables, b *fieldpath.Budget) (out ref.Val, err error) {
	r, _ := runs.Get().(*run)
	defer func() {
		// What panics is not trusted to have left the run in order, and its text
		// may tell of a value.
		if recover() != nil {
			out, err = nil, errInternal
		}
	}()
	r.vars, r.left, r.memo = v, maxWork, e.loops
	frame, err := interpreter.NewExecutionFrame(r)
	if err != nil {
		return nil, errInternal
	}
	out = e.root.Exec(frame)
	frame.Close()
	left := r.left
	r.end()
	runs.Put(r)
	if err := b.Spend((1 + maxWork - max(0, left)) * budgetUnits); err != nil {
		return nil, err
	}
	if left < 0 {
		return nil, errLimit
	}
	if failed, ok := out.(*types.Err); ok {
		return nil, asTold(failed)
	}
	return out, nil
}

// end drops what may be large, and what belongs to others.
func (r *run) end() {
	r.vars, r.stack = nil, r.stack[:0]
	if r.memo {
		clear(r.known[:])
	}
}

// runOf finds the run behind the activations of the loops that are under way.
func runOf(a interpreter.Activation) *run {
	for {
		switch t := a.(type) {
		case *run:
			return t
		case *interpreter.ExecutionFrame:
			a = t.Activation
		default:
			a = t.Parent()
		}
	}
}

// Parent is that there is no activation around.
func (r *run) Parent() interpreter.Activation { return nil }

// ResolveName returns the value of a variable, or an error as a value.
func (r *run) ResolveName(name string) (any, bool) {
	for i := range variables {
		if variables[i].name == name {
			return r.variable(i), true
		}
	}
	return nil, false
}

func (r *run) variable(index int) ref.Val {
	if r.known[index] != nil {
		return r.known[index]
	}
	raw, err := r.vars.Variable(variables[index].name)
	if err != nil {
		return fail(err)
	}
	v := r.value(raw, variables[index].doubles)
	if r.memo {
		r.known[index] = v
	}
	return v
}

// charge takes units of work, and tells whether there were enough.
func (r *run) charge(units int) bool {
	// So that what is left stays a number after many charges.
	if r.left >= 0 {
		r.left -= min(units, maxWork+1)
	}
	return r.left >= 0
}

// told is an error in words of ours. Those of the interpreter may have values in
// them, and are never told.
type told struct{ error }

func (t *told) Unwrap() error { return t.error }

// fail makes a value of an error that is told.
func fail(err error) ref.Val { return types.WrapErr(&told{err}) }

// over is the value of all that is evaluated when no work is left.
func over() ref.Val { return fail(errLimit) }

// asTold returns the error that is told of a failure.
func asTold(err error) error {
	var t *told
	if errors.As(err, &t) {
		return t.error
	}
	return errInternal
}

func isTold(err error) bool {
	var t *told
	return errors.As(err, &t)
}

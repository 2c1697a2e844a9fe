package expression

import (
	"errors"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// maxWork is how many units of work an evaluation may do. A unit is at most
// about 100 ns and 80 bytes; cost.go has what takes how many.
const maxWork = 1 << 19

var errLimit = errors.New("this takes more time or memory than a single expression may use; look at fewer or smaller values")

// run is the state of an evaluation.
type run struct {
	vars  Variables
	left  int  // of maxWork; less than none once it was not enough
	memo  bool // there are loops, so what is decoded is kept for the next turn
	known [len(variables)]ref.Val
	slots []ref.Val
}

// node is a part of an expression. A failure is a value as well, as it is for
// cel-go: a *types.Err.
type node interface{ eval(r *run) ref.Val }

func (r *run) begin(e *Expression, v Variables) {
	r.vars, r.left, r.memo = v, maxWork, e.loops
	if cap(r.slots) < e.slots {
		r.slots = make([]ref.Val, e.slots)
	}
	r.slots = r.slots[:e.slots]
}

// end drops what may be large, and what belongs to others.
func (r *run) end() {
	r.vars = nil
	if r.memo {
		clear(r.known[:])
		clear(r.slots)
	}
}

// charge takes units of work, and tells whether there were enough.
func (r *run) charge(units int) bool {
	// So that what is left stays a number after many charges.
	if r.left >= 0 {
		r.left -= min(units, maxWork+1)
	}
	return r.left >= 0
}

// over is the value of all that is evaluated when no work is left.
func over() ref.Val { return types.WrapErr(errLimit) }

// fail makes a value of an error.
func fail(err error) ref.Val { return types.WrapErr(err) }

// variable returns the value of a variable, as it is given unless there are loops.
func (r *run) variable(index int) (any, error) {
	if r.known[index] != nil {
		return r.known[index], nil
	}
	raw, err := r.vars.Variable(variables[index].name)
	if err != nil || !r.memo {
		return raw, err
	}
	r.known[index] = r.value(raw, variables[index].doubles)
	return r.known[index], nil
}

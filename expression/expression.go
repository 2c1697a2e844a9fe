// Package expression compiles and evaluates conditions in CEL, the Common
// Expression Language. cel-go parses, checks and evaluates them. What is attached
// to its interpreter here makes that an expression reads of an object no more than
// it names, that an error tells which part of it failed, and that its work is
// bounded.
package expression

import (
	"fmt"
	"slices"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/interpreter"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// Scope says which variables there are beside those that always are.
type Scope struct {
	Loop bool // item, key and index: those of a resource with forEach
	Self bool // self: the observed resource of a readiness check
}

// Want says what an expression must come to.
type Want int8

// What an expression may be wanted to come to.
const (
	Bool   Want = iota
	Status      // a bool, or one of the strings "True", "False" and "Unknown"
)

// Expression is a compiled expression. It is immutable and safe for concurrent use.
type Expression struct {
	root    interpreter.InterpretableV2
	loops   bool
	uses    map[string]bool
	members map[string][]string
}

// Variables gives the values of variables. It is asked only for those that are
// read. A value is plain JSON (nil, bool, int64, float64, string, []any,
// map[string]any) or an Object.
type Variables interface {
	Variable(name string) (any, error)
}

// Object is an object of which only what is read is decoded.
type Object interface {
	// Field returns the plain value or Object of a key, and whether there is one.
	Field(key string) (v any, found bool, err error)
	// Keys returns all keys, sorted.
	Keys() ([]string, error)
}

// Uses tells whether the expression refers to the variable.
func (e *Expression) Uses(variable string) bool { return e.uses[variable] }

// Members returns the names that the expression asks of a variable, and that are
// written in it: "vpc" of composed.vpc or "vpc" in composed. They are sorted.
func (e *Expression) Members(variable string) []string { return slices.Clone(e.members[variable]) }

// Bool evaluates an expression that was compiled to come to a bool. Where something
// that it reads is not there, the error is a *MissingError. A value in the text of
// an error is that of a *fieldpath.ValueError, which can hide it. The work is spent
// from the budget.
func (e *Expression) Bool(v Variables, b *fieldpath.Budget) (bool, error) {
	out, err := e.run(v, b)
	if err != nil {
		return false, err
	}
	if t, ok := out.(types.Bool); ok {
		return bool(t), nil
	}
	return false, unwanted(out, "must come to a bool")
}

// Status evaluates an expression that was compiled to come to a Status, and
// returns "True", "False" or "Unknown". Errors are like those of Bool.
func (e *Expression) Status(v Variables, b *fieldpath.Budget) (string, error) {
	out, err := e.run(v, b)
	if err != nil {
		return "", err
	}
	switch t := out.(type) {
	case types.Bool:
		if t {
			return "True", nil
		}
		return "False", nil
	case types.String:
		if isStatus(string(t)) {
			return string(t), nil
		}
	}
	return "", unwanted(out, wantsStatus)
}

const wantsStatus = `must come to a bool, or to "True", "False" or "Unknown"`

func isStatus(s string) bool { return s == "True" || s == "False" || s == "Unknown" }

// unwanted is the error of a result of the wrong kind, or of a wrong value.
func unwanted(out ref.Val, problem string) error {
	if v, ok := plain(out); ok {
		return &fieldpath.ValueError{Problem: problem, Value: v}
	}
	return fmt.Errorf("%s, came to %s", problem, kindOf(out))
}

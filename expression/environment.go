package expression

import (
	"sync"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/functions"
	"github.com/google/cel-go/ext"
	"github.com/google/cel-go/interpreter"
)

// Limits of an expression: of its text, of how deep it is nested, of its parts and
// of its macros. The parser takes long for nested ones, and the checker a time
// that grows with the square of how many calls there are.
const (
	maxText      = 16 << 10
	maxDepth     = 50
	maxParts     = 1000
	maxLoops     = 50
	maxPrecision = 100
)

// variable is one that expressions may use.
type variable struct {
	name    string
	kind    *cel.Type
	doubles bool // all numbers are doubles, as those of protobuf messages are
	loop    bool
	self    bool
}

var object = cel.MapType(cel.StringType, cel.DynType)

// variables are all that there are. Observed, desired and context are what
// function-conditional-patch-and-transform has.
var variables = [...]variable{
	{name: "xr", kind: object},
	{name: "composed", kind: object},
	{name: "environment", kind: object},
	{name: "required", kind: object},
	{name: "context", kind: object, doubles: true},
	{name: "observed", kind: object, doubles: true},
	{name: "desired", kind: object, doubles: true},
	{name: "item", kind: cel.DynType, loop: true},
	{name: "key", kind: cel.StringType, loop: true},
	{name: "index", kind: cel.IntType, loop: true},
	{name: "self", kind: object, self: true},
}

func (v *variable) in(s Scope) bool { return (!v.loop || s.Loop) && (!v.self || s.Self) }

// environment is what expressions of a scope are checked against and call.
type environment struct {
	cel         *cel.Env
	interpreter interpreter.Interpreter
	attributes  interpreter.AttributeFactory
	functions   map[string]*functions.Overload // by overload, and by name
	names       []string                       // of the functions that can be written
}

// environments are made when first needed, which takes some milliseconds.
var environments = map[Scope]func() (*environment, error){
	{}:                       sync.OnceValues(func() (*environment, error) { return newEnvironment(Scope{}) }),
	{Loop: true}:             sync.OnceValues(func() (*environment, error) { return newEnvironment(Scope{Loop: true}) }),
	{Self: true}:             sync.OnceValues(func() (*environment, error) { return newEnvironment(Scope{Self: true}) }),
	{Loop: true, Self: true}: sync.OnceValues(func() (*environment, error) { return newEnvironment(Scope{Loop: true, Self: true}) }),
}

// library is what the environments of all scopes have.
var library = sync.OnceValues(func() (*environment, error) {
	env, err := cel.NewEnv(
		cel.OptionalTypes(),
		cel.CrossTypeNumericComparisons(true),
		cel.DefaultUTCTimeZone(true),
		cel.EnableIdentifierEscapeSyntax(),
		cel.ParserExpressionSizeLimit(maxText),
		cel.ParserRecursionLimit(2*maxDepth), // as operators are nested as well
		ext.Strings(ext.StringsMaxPrecision(maxPrecision)),
		ext.Lists(),
		ext.Sets(),
		ext.Math(),
		// Later versions encode JSON by way of protobuf messages.
		ext.Encoders(ext.EncodersVersion(0)),
		ext.TwoVarComprehensions(),
	)
	if err != nil {
		return nil, err
	}
	e := &environment{cel: env, functions: map[string]*functions.Overload{}}
	for name, f := range env.Functions() {
		bindings, err := f.Bindings()
		if err != nil {
			return nil, err
		}
		for _, b := range bindings {
			e.functions[b.Operator] = b
		}
		if isName(name) {
			e.names = append(e.names, name)
		}
	}
	return e, e.plan()
})

// plan makes the interpreter that plans expressions. A cel.Program would make one
// for each, and keep 16 kB of it.
func (e *environment) plan() error {
	dispatcher := interpreter.NewDispatcher()
	for _, f := range e.functions {
		if err := dispatcher.Add(f); err != nil {
			return err
		}
	}
	provider, adapter := e.cel.CELTypeProvider(), e.cel.CELTypeAdapter()
	e.attributes = interpreter.NewAttributeFactory(e.cel.Container, adapter, provider)
	e.interpreter = interpreter.NewInterpreter(dispatcher, e.cel.Container, provider, adapter, e.attributes)
	return nil
}

func newEnvironment(s Scope) (*environment, error) {
	lib, err := library()
	if err != nil {
		return nil, err
	}
	var vars []cel.EnvOption
	for i := range variables {
		if v := &variables[i]; v.in(s) {
			vars = append(vars, cel.Variable(v.name, v.kind))
		}
	}
	env, err := lib.cel.Extend(vars...)
	if err != nil {
		return nil, err
	}
	e := *lib
	e.cel = env
	return &e, nil
}

// isName tells whether a function is one that is called by its name, which
// operators and what macros call are not.
func isName(function string) bool {
	for _, c := range function {
		if (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c != '.' {
			return false
		}
	}
	return true
}

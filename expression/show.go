package expression

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/operators"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// maxShown is how much of a part of an expression an error shows.
const maxShown = 120

// show writes a part of an expression as a user would, cut short.
func show(e ast.Expr) string {
	return shorten(written(e, false, false))
}

// safe writes a path so that each step may be missing.
func safe(e ast.Expr) string { return written(e, true, false) }

// safeBefore does so for all steps but the last.
func safeBefore(e ast.Expr) string { return written(e, true, true) }

func written(e ast.Expr, optional, notLast bool) string {
	switch e.Kind() {
	case ast.IdentKind:
		if strings.HasPrefix(e.AsIdent(), "@") {
			return "the value"
		}
		return e.AsIdent()
	case ast.LiteralKind:
		return literal(e.AsLiteral())
	case ast.SelectKind:
		s := e.AsSelect()
		return field(written(s.Operand(), optional, false), s.FieldName(), optional && !notLast)
	case ast.ListKind:
		return "the list"
	case ast.MapKind:
		return "the map"
	case ast.CallKind:
		return writtenCall(e.AsCall(), optional, notLast)
	}
	return "the value"
}

// isFaithful tells whether a part of an expression is shown as it is written.
func isFaithful(e ast.Expr) bool {
	switch e.Kind() {
	case ast.IdentKind:
		return !strings.HasPrefix(e.AsIdent(), "@")
	case ast.LiteralKind:
		return true
	case ast.SelectKind:
		return isFaithful(e.AsSelect().Operand())
	case ast.CallKind:
		return isIndex(e) && isFaithful(e.AsCall().Args()[0]) && isFaithful(e.AsCall().Args()[1])
	}
	return false
}

func writtenCall(c ast.CallExpr, optional, notLast bool) string {
	switch c.FunctionName() {
	case operators.OptSelect:
		name, _ := c.Args()[1].AsLiteral().(types.String)
		return field(written(c.Args()[0], optional, false), string(name), !notLast)
	case operators.Index, operators.OptIndex:
		open := "["
		if (optional || c.FunctionName() == operators.OptIndex) && !notLast {
			open = "[?"
		}
		return written(c.Args()[0], optional, false) + open + written(c.Args()[1], false, false) + "]"
	}
	if isOperator(c.FunctionName()) || c.FunctionName() == operators.Conditional {
		return "the value"
	}
	if c.IsMemberFunction() {
		return fmt.Sprintf("%s.%s()", written(c.Target(), false, false), c.FunctionName())
	}
	return c.FunctionName() + "()"
}

// field writes a field, in the way that every name can be written if need be.
func field(operand, name string, optional bool) string {
	mark := ""
	if optional {
		mark = "?"
	}
	if isIdentifier(name) {
		return operand + "." + mark + name
	}
	return operand + "[" + mark + strconv.Quote(name) + "]"
}

func isIdentifier(name string) bool {
	for i, c := range name {
		letter := c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && name != "in" && name != "true" && name != "false" && name != "null"
}

func literal(v ref.Val) string {
	switch t := v.(type) {
	case types.String:
		return strconv.Quote(string(t))
	case types.Int, types.Double, types.Bool, types.Uint:
		return fmt.Sprint(t.Value())
	}
	return kindOf(v)
}

// operand is what the step is taken from.
func (s *step) operand() ast.Expr {
	if s.at.expr.Kind() == ast.SelectKind {
		return s.at.expr.AsSelect().Operand()
	}
	return s.at.expr.AsCall().Args()[0]
}

// kindOf names the kind of a value.
func kindOf(v ref.Val) string {
	if v == nil {
		return "nothing"
	}
	return kindOfType(v.Type().TypeName())
}

// kindOfType names the type that cel-go writes so.
func kindOfType(name string) string {
	base, _, _ := strings.Cut(name, "(")
	switch base {
	case "null_type", "null":
		return "null"
	case "int":
		return "an int"
	case "google.protobuf.Timestamp", "timestamp":
		return "a timestamp"
	case "google.protobuf.Duration", "duration":
		return "a duration"
	case "optional_type":
		return "an optional value"
	case "dyn", "any":
		return "any value"
	case "uint":
		return "a uint"
	case "bytes":
		return "bytes"
	}
	return "a " + base
}

// plain returns the plain value of a scalar, for an error.
func plain(v ref.Val) (any, bool) {
	switch t := v.(type) {
	case types.Null:
		return nil, true
	case types.Bool:
		return bool(t), true
	case types.Int:
		return int64(t), true
	case types.Uint:
		return float64(t), true
	case types.Double:
		return float64(t), true
	case types.String:
		return string(t), true
	}
	return nil, false
}

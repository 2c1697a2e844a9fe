package expression

import (
	"fmt"
	"testing"
)

// values gives plain values to variables.
type values map[string]any

func (v values) Variable(name string) (any, error) {
	value, ok := v[name]
	if !ok {
		return nil, fmt.Errorf("no variable %s", name)
	}
	return value, nil
}

// counted is an Object that counts what is read.
type counted struct {
	object map[string]any
	reads  *int
}

func (c counted) Field(key string) (any, bool, error) {
	*c.reads++
	v, found := c.object[key]
	if m, ok := v.(map[string]any); ok {
		v = counted{m, c.reads}
	}
	return v, found, nil
}

func (c counted) Keys() ([]string, error) { return fields(c.object).Keys() }

func mustCompile(t testing.TB, text string, s Scope, w Want) *Expression {
	t.Helper()
	e, err := Compile(text, s, w)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

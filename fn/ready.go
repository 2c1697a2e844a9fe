package fn

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/expression"
	"github.com/function-patchwork/function-patchwork/health"
	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// check is a compiled readiness check of the observed resource of a scene. An
// error says that the check cannot be made.
type check func(s *scene) (bool, error)

// fieldCheck is a check that looks at the observed resource and nothing else.
type fieldCheck func(observed fieldpath.Reader) (bool, error)

// check returns the check.
func (f fieldCheck) check(s *scene) (bool, error) { return f(s.observed.Object()) }

// CheckType is a type of readiness check: a row of a table.
type CheckType struct {
	Name v1beta1.ReadinessCheckType
	Doc  string

	compile func(c *compiler, at *field.Path, in v1beta1.ReadinessCheck) check
}

// CheckTypes returns the table of types of readiness checks.
func CheckTypes() []CheckType { return checkTypes }

var checkTypes = []CheckType{
	{
		Name:    v1beta1.ReadinessCheckTypeMatchString,
		Doc:     "Ready when the field is the string matchString. A missing field is not ready; a field that is no string cannot be checked, which is a warning.",
		compile: compileMatchString,
	},
	{
		Name:    v1beta1.ReadinessCheckTypeMatchInteger,
		Doc:     "Ready when the field is the number matchInteger. A missing field is not ready; a field that is no integer cannot be checked, which is a warning.",
		compile: compileMatchInteger,
	},
	{
		Name:    v1beta1.ReadinessCheckTypeMatchTrue,
		Doc:     "Ready when the field is true. A missing field is not ready; a field that is no bool cannot be checked, which is a warning.",
		compile: compileMatchBool(true),
	},
	{
		Name:    v1beta1.ReadinessCheckTypeMatchFalse,
		Doc:     "Ready when the field is false. A missing field is not ready; a field that is no bool cannot be checked, which is a warning.",
		compile: compileMatchBool(false),
	},
	{
		Name:    v1beta1.ReadinessCheckTypeMatchCondition,
		Doc:     "Ready when the condition that matchCondition names has its status; without matchCondition, when the condition Ready is True. A condition that is not there is Unknown.",
		compile: compileMatchCondition,
	},
	{
		Name:    v1beta1.ReadinessCheckTypeNonEmpty,
		Doc:     "Ready when the field is there, whatever its value.",
		compile: compileNonEmpty,
	},
	{
		Name: v1beta1.ReadinessCheckTypeMatchExpression,
		Doc: "Ready when the CEL expression matchExpression is true. `self` is the observed resource; the other variables are those of every " +
			"expression. A missing field is not ready; what else cannot be worked out is a warning.",
		compile: compileMatchExpression,
	},
	{
		Name: v1beta1.ReadinessCheckTypeHealthy,
		Doc: "Ready when the resource is healthy by the rules of its kind: a Deployment when its rollout is complete, a Job when it is done, a " +
			"PersistentVolumeClaim when it is bound. One of a kind that has no rules here is ready when its condition Ready is True.",
		compile: func(*compiler, *field.Path, v1beta1.ReadinessCheck) check { return fieldCheck(healthy).check },
	},
	{
		Name: v1beta1.ReadinessCheckTypeNone,
		Doc:  "Ready as soon as the resource exists.",
		compile: func(*compiler, *field.Path, v1beta1.ReadinessCheck) check {
			return func(*scene) (bool, error) { return true, nil }
		},
	},
}

func (c *compiler) checks(at *field.Path, in []v1beta1.ReadinessCheck) []check {
	if len(in) == 0 {
		return []check{matchCondition("Ready", "True")}
	}
	var out []check
	for i := range in {
		if compiled := c.check(at.Index(i), in[i]); compiled != nil {
			out = append(out, compiled)
		}
	}
	return out
}

func (c *compiler) check(at *field.Path, in v1beta1.ReadinessCheck) check {
	names := make([]string, len(checkTypes))
	for i, t := range checkTypes {
		if names[i] = string(t.Name); t.Name == in.Type {
			c.notice(unusedByCheck(at, in)...)
			return t.compile(c, at, in)
		}
	}
	if in.Type == "" {
		c.required(at.Child("type"), "a readiness check needs a type")
		return nil
	}
	c.errs = append(c.errs, input.Unsupported(at.Child("type"), "type of readiness check", string(in.Type), names))
	return nil
}

// unusedByCheck notices the fields of a check that its type does not use.
func unusedByCheck(at *field.Path, in v1beta1.ReadinessCheck) []Notice {
	pathless := slices.Contains([]v1beta1.ReadinessCheckType{
		v1beta1.ReadinessCheckTypeNone, v1beta1.ReadinessCheckTypeMatchCondition,
		v1beta1.ReadinessCheckTypeMatchExpression, v1beta1.ReadinessCheckTypeHealthy,
	}, in.Type)
	return input.Unused(at, fmt.Sprintf("a readiness check of type %s", in.Type),
		input.Option{Name: "fieldPath", Set: in.FieldPath != nil && pathless},
		input.Option{Name: "matchString", Set: in.MatchString != nil && in.Type != v1beta1.ReadinessCheckTypeMatchString},
		input.Option{Name: "matchInteger", Set: in.MatchInteger != nil && in.Type != v1beta1.ReadinessCheckTypeMatchInteger},
		input.Option{Name: "matchCondition", Set: in.MatchCondition != nil && in.Type != v1beta1.ReadinessCheckTypeMatchCondition},
		input.Option{Name: "matchExpression", Set: in.MatchExpression != nil && in.Type != v1beta1.ReadinessCheckTypeMatchExpression},
	)
}

func compileMatchString(c *compiler, at *field.Path, in v1beta1.ReadinessCheck) check {
	path := c.checkPath(at, in)
	if in.MatchString == nil {
		c.required(at.Child("matchString"), "a readiness check of type MatchString needs the string to compare with")
		return nil
	}
	want := *in.MatchString
	return compare(path, func(v any) (bool, bool) {
		s, ok := v.(string)
		return s == want, ok
	}, "a string")
}

func compileMatchInteger(c *compiler, at *field.Path, in v1beta1.ReadinessCheck) check {
	path := c.checkPath(at, in)
	if in.MatchInteger == nil {
		c.required(at.Child("matchInteger"), "a readiness check of type MatchInteger needs the integer to compare with")
		return nil
	}
	want := *in.MatchInteger
	return compare(path, func(v any) (bool, bool) {
		i, ok := v.(int64)
		return i == want, ok
	}, "an integer")
}

func compileMatchBool(want bool) func(*compiler, *field.Path, v1beta1.ReadinessCheck) check {
	return func(c *compiler, at *field.Path, in v1beta1.ReadinessCheck) check {
		return compare(c.checkPath(at, in), func(v any) (bool, bool) {
			b, ok := v.(bool)
			return b == want, ok
		}, "a bool")
	}
}

func compileNonEmpty(c *compiler, at *field.Path, in v1beta1.ReadinessCheck) check {
	path := c.checkPath(at, in)
	return fieldCheck(func(observed fieldpath.Reader) (bool, error) {
		_, found, err := observed.Get(path)
		return found, err
	}).check
}

func compileMatchExpression(c *compiler, at *field.Path, in v1beta1.ReadinessCheck) check {
	at = at.Child("matchExpression")
	if in.MatchExpression == nil {
		c.required(at, "a readiness check of type MatchExpression needs the expression to evaluate")
		return nil
	}
	e := c.expression(at, *in.MatchExpression, expression.Scope{Loop: c.inLoop, Self: true}, expression.Bool)
	return func(s *scene) (bool, error) {
		ok, err := e.Bool(s, s.budget)
		if missing := (*expression.MissingError)(nil); errors.As(err, &missing) {
			return false, nil
		}
		return ok, err
	}
}

func healthy(observed fieldpath.Reader) (bool, error) {
	h, err := health.Of(observed)
	return h.Healthy, err
}

func (c *compiler) checkPath(at *field.Path, in v1beta1.ReadinessCheck) fieldpath.Path {
	return c.path(at.Child("fieldPath"), in.FieldPath, fmt.Sprintf("a readiness check of type %s needs the path of the field to check", in.Type))
}

// compare returns a check that compares a field. The comparison also tells
// whether the value is of the kind that it compares. A null is as good as a
// missing field: controllers write it before they know better.
func compare(path fieldpath.Path, equal func(any) (ok, comparable bool), kind string) check {
	return fieldCheck(func(observed fieldpath.Reader) (bool, error) {
		v, found, err := observed.Get(path)
		if err != nil || !found || v == nil {
			return false, err
		}
		ok, comparable := equal(v)
		if !comparable {
			return false, &fieldpath.ValueError{Value: v, Problem: fmt.Sprintf("%s: not %s", path, kind)}
		}
		return ok, nil
	}).check
}

func compileMatchCondition(_ *compiler, _ *field.Path, in v1beta1.ReadinessCheck) check {
	typ, status := "Ready", "True"
	if in.MatchCondition != nil {
		typ, status = or(in.MatchCondition.Type, typ), or(in.MatchCondition.Status, status)
	}
	return matchCondition(typ, status)
}

func or(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}

var conditionsPath = fieldpath.Fields("status", "conditions")

// matchCondition returns a check of a condition. What is no list of conditions
// has none: they are not this function's to validate.
func matchCondition(typ, status string) check {
	return fieldCheck(func(observed fieldpath.Reader) (bool, error) {
		v, _, err := observed.Get(conditionsPath)
		var te *fieldpath.TypeError
		if err != nil && !errors.As(err, &te) {
			return false, err
		}
		conditions, _ := v.([]any)
		for _, c := range conditions {
			condition, _ := c.(map[string]any)
			if condition["type"] == typ {
				return condition["status"] == status, nil
			}
		}
		return status == "Unknown", nil
	}).check
}

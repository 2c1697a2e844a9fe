package fn

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/expression"
	"github.com/function-patchwork/function-patchwork/patch"
)

// expressionKey is what makes expressions the same.
type expressionKey struct {
	text  string
	scope expression.Scope
	want  expression.Want
}

// expression compiles an expression, unless the same was compiled before. It is
// nil if there is an error.
func (c *compiler) expression(at *field.Path, text string, s expression.Scope, w expression.Want) *expression.Expression {
	key := expressionKey{text: text, scope: s, want: w}
	if e, ok := c.expressions[key]; ok {
		c.names(at, e)
		return e
	}
	e, err := expression.Compile(text, s, w)
	if err != nil {
		c.fail(field.Invalid(at, text, ""), err.Error())
		return nil
	}
	c.expressions[key] = e
	c.names(at, e)
	return e
}

// names checks that an expression reads only required resources that there are,
// and keeps which composed resources it reads.
func (c *compiler) names(at *field.Path, e *expression.Expression) {
	for _, name := range e.Members("composed") {
		c.program.references = append(c.program.references, reference{at: at.String(), name: name})
	}
	for _, name := range e.Members("required") {
		c.patch.CheckRequired(at, name)
	}
}

// condition compiles a condition, nil if there is none.
func (c *compiler) condition(at *field.Path, text *string, s expression.Scope) *condition {
	if text == nil {
		return nil
	}
	return &condition{at: at.String(), Expression: c.expression(at, *text, s, expression.Bool)}
}

// patchConditions compiles the conditions of patches.
func (c *compiler) patchConditions() {
	for _, p := range c.patch.Conditions {
		c.program.conditions = append(c.program.conditions, *c.condition(p.At, &p.Text, expression.Scope{Loop: p.Loop}))
	}
	for i := range c.program.resources {
		if t := &c.program.resources[i]; t.loop == nil {
			c.loopless(t.patches)
		}
	}
}

// loopless checks that the conditions of patch sets that a resource without
// forEach includes read no element.
func (c *compiler) loopless(patches []*patch.Patch) {
	for _, p := range patches {
		c.loopless(p.Set)
		if p.Condition < 0 || c.program.conditions[p.Condition].Expression == nil {
			continue
		}
		cond := c.program.conditions[p.Condition]
		if i := slices.IndexFunc(loopVariables, cond.Uses); i >= 0 {
			c.errs = append(c.errs, &field.Error{
				Type: field.ErrorTypeInvalid, Field: p.At,
				Detail: fmt.Sprintf("the condition at %s reads %s, but only a resource with forEach has one", cond.at, loopVariables[i]),
			})
		}
	}
}

var loopVariables = []string{"item", "key", "index"}

// holding works out whether the program may hold resources back.
func (c *compiler) holding() {
	p := &c.program
	for i := range p.resources {
		t := &p.resources[i]
		p.summarizes = p.summarizes || len(t.dependsOn) > 0 || t.loop != nil && t.loop.required
		p.mayHold = p.mayHold || requires(t.patches)
	}
	for _, r := range p.required {
		p.summarizes = p.summarizes || r.required
	}
	p.mayHold = p.mayHold || p.summarizes
	p.summarizes = p.summarizes || len(p.status) > 0
}

// requires tells whether a patch may hold its resource back.
func requires(patches []*patch.Patch) bool {
	return slices.ContainsFunc(patches, func(p *patch.Patch) bool { return p.Required || requires(p.Set) })
}

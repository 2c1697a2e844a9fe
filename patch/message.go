package patch

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

// Message is a compiled text for people that tells fields. It is immutable and
// safe for concurrent use.
type Message struct {
	// At is its place in the input.
	At string

	text      string
	format    *transforms.Format // nil if it tells no fields
	variables []variable
}

// none is what is told of a field that is missing.
const none = "<none>"

// Message compiles a text with a verb for each of the variables.
func (c *Compiler) Message(at *field.Path, text *string, in []v1beta1.CombineVariable) *Message {
	m := &Message{At: at.Child("message").String()}
	if text != nil {
		m.text = *text
	}
	one := compiler{Compiler: c, scope: InStatus}
	m.variables = one.variables(at.Child("variables"), in)
	if text == nil && len(in) > 0 {
		one.required(at.Child("message"), "variables need a message that tells them, with a verb such as %s for each")
		return m
	}
	if strings.Contains(m.text, "%") || len(in) > 0 {
		format, errs := transforms.CompileFormat(at.Child("message"), m.text, len(in))
		c.Errors = append(c.Errors, errs...)
		m.format = format
	}
	return m
}

// Sources returns what the message tells.
func (m *Message) Sources() []*Source { return sourcesOf(m.variables) }

// Text returns the text. A field that is missing is told as <none>.
func (m *Message) Text(docs Documents, b *fieldpath.Budget) (string, error) {
	if m.format == nil {
		return m.text, nil
	}
	values := make([]any, len(m.variables))
	for i := range m.variables {
		v, found, err := m.variables[i].read(docs, b)
		if err != nil {
			return "", &fieldpath.PlacedError{Place: m.At + ": ", Err: err}
		}
		if values[i] = v; !found {
			values[i] = none
		}
	}
	text, err := m.format.Apply(values, b)
	if err != nil {
		return "", &fieldpath.PlacedError{Place: m.At + ": ", Err: err}
	}
	return text, nil
}

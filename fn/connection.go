package fn

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/proto"
)

// detail is a compiled connection detail. Its source returns nil where there is
// no value yet.
type detail struct {
	at, name string
	source   func(observed *proto.Resource) ([]byte, error)
}

// DetailType is a type of connection detail: a row of a table.
type DetailType struct {
	Name v1beta1.ConnectionDetailType
	Doc  string

	compile func(c *compiler, at *field.Path, in v1beta1.ConnectionDetail) detail
}

// DetailTypes returns the table of types of connection details.
func DetailTypes() []DetailType { return detailTypes }

var detailTypes = []DetailType{
	{
		Name:    v1beta1.ConnectionDetailTypeFromConnectionSecretKey,
		Doc:     "Takes a key of the composed resource's connection Secret. A key that is not there yet is left out.",
		compile: compileFromSecretKey,
	},
	{
		Name: v1beta1.ConnectionDetailTypeFromFieldPath,
		Doc: "Takes a field of the observed composed resource: a string as it is, anything else as JSON. A field that is not there yet is left out. " +
			"So is one whose value cannot be used; that is said once in the log, and by render.",
		compile: compileFromFieldPath,
	},
	{
		Name:    v1beta1.ConnectionDetailTypeFromValue,
		Doc:     "A fixed value, as soon as the composed resource exists.",
		compile: compileFromValue,
	},
}

func (c *compiler) details(at *field.Path, in []v1beta1.ConnectionDetail) []detail {
	out := make([]detail, len(in))
	last := make(map[string]int, len(in))
	for i := range in {
		out[i] = c.detail(at.Index(i), in[i])
		if before, ok := last[in[i].Name]; ok {
			c.notice(Notice{Place: at.Index(before).String(), Text: fmt.Sprintf("has an effect only while the one at index %d, of the same name, has no value", i)})
		}
		last[in[i].Name] = i
	}
	return out
}

func (c *compiler) detail(at *field.Path, in v1beta1.ConnectionDetail) detail {
	if in.Name == "" {
		c.required(at.Child("name"), "a connection detail needs a name, its key in the connection details of the composite resource")
	}
	names := make([]string, len(detailTypes))
	for i, t := range detailTypes {
		if names[i] = string(t.Name); t.Name == in.Type {
			c.notice(unusedByDetail(at, in)...)
			d := t.compile(c, at, in)
			d.name = in.Name
			return d
		}
	}
	if in.Type == "" {
		c.required(at.Child("type"), "a connection detail needs a type")
		return detail{}
	}
	c.errs = append(c.errs, input.Unsupported(at.Child("type"), "type of connection detail", string(in.Type), names))
	return detail{}
}

// unusedByDetail notices the fields of a detail that its type does not use.
func unusedByDetail(at *field.Path, in v1beta1.ConnectionDetail) []Notice {
	return input.Unused(at, fmt.Sprintf("a connection detail of type %s", in.Type),
		input.Option{
			Name: "fromConnectionSecretKey",
			Set:  in.FromConnectionSecretKey != nil && in.Type != v1beta1.ConnectionDetailTypeFromConnectionSecretKey,
		},
		input.Option{Name: "fromFieldPath", Set: in.FromFieldPath != nil && in.Type != v1beta1.ConnectionDetailTypeFromFieldPath},
		input.Option{Name: "value", Set: in.Value != nil && in.Type != v1beta1.ConnectionDetailTypeFromValue},
	)
}

func compileFromSecretKey(c *compiler, at *field.Path, in v1beta1.ConnectionDetail) detail {
	at = at.Child("fromConnectionSecretKey")
	key := text(in.FromConnectionSecretKey)
	if key == "" {
		c.required(at, "a connection detail of type FromConnectionSecretKey needs the key to take from the connection Secret")
	}
	return detail{at: at.String(), source: func(observed *proto.Resource) ([]byte, error) {
		v, ok := observed.ConnectionDetail(key)
		if ok && v == nil {
			v = []byte{}
		}
		return v, nil
	}}
}

func compileFromFieldPath(c *compiler, at *field.Path, in v1beta1.ConnectionDetail) detail {
	at = at.Child("fromFieldPath")
	path := c.path(at, in.FromFieldPath, "a connection detail of type FromFieldPath needs the path of the field to take")
	return detail{at: at.String(), source: func(observed *proto.Resource) ([]byte, error) {
		v, found, err := observed.Object().Get(path)
		if err != nil || !found {
			return nil, err
		}
		if s, ok := v.(string); ok {
			return []byte(s), nil
		}
		return json.Marshal(v)
	}}
}

func compileFromValue(c *compiler, at *field.Path, in v1beta1.ConnectionDetail) detail {
	at = at.Child("value")
	if in.Value == nil {
		c.required(at, "a connection detail of type FromValue needs a value")
	}
	value := []byte(text(in.Value))
	return detail{at: at.String(), source: func(*proto.Resource) ([]byte, error) { return value, nil }}
}

// connectionDetails adds what a resource contributes to the composite resource.
func (r *run) connectionDetails(t *template, observed *proto.Resource) {
	for _, d := range t.details {
		v, err := d.source(observed)
		if err != nil {
			// It may become usable, so it is no reason to fail, nor to warn each time.
			r.notices = append(r.notices, Notice{Place: d.at, Text: fmt.Sprintf("cannot be used now, so that connection detail %q is left out: %s", d.name, err)})
			continue
		}
		if v == nil {
			continue
		}
		if r.response.ConnectionDetails == nil {
			r.response.ConnectionDetails = make(map[string][]byte)
		}
		r.response.ConnectionDetails[d.name] = v
	}
}

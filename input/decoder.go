package input

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// maxDepth is how deep a value of free form may be nested.
const maxDepth = 1000

// decoder fills types of v1beta1 from plain JSON values. It goes on after a
// problem, and keeps the first maxProblems of them.
type decoder struct {
	plans map[reflect.Type]*plan
	errs  field.ErrorList
	more  int
}

// plan is what there is to know of a struct type.
type plan struct {
	names  []string // of the fields, as declared
	fields map[string]reflect.StructField
}

func newDecoder() *decoder {
	return &decoder{plans: map[reflect.Type]*plan{}}
}

func (d *decoder) add(t field.ErrorType, at *field.Path, text string) {
	if len(d.errs) == maxProblems {
		d.more++
		return
	}
	d.errs = append(d.errs, problem(t, at, text))
}

func (d *decoder) problems() field.ErrorList {
	if d.more > 0 {
		return append(d.errs, andMore(d.more))
	}
	return d.errs
}

// structure fills a struct. What is at no place is the document itself.
func (d *decoder) structure(at *field.Path, in map[string]any, out reflect.Value) {
	p := d.plan(out.Type())
	for _, name := range slices.Sorted(maps.Keys(in)) {
		f, ok := p.fields[name]
		switch {
		case ok:
			d.value(child(at, name), in[name], out.FieldByIndex(f.Index))
		case !isHeader(at, name):
			d.unknown(at, name, p.names)
		}
	}
}

// meant is the place of the field that was probably meant by one that is unknown.
type meant string

func (d *decoder) unknown(at *field.Path, name string, known []string) {
	text := "unknown field, known here are " + strings.Join(known, ", ")
	probably := closest(name, known)
	if probably != "" {
		text = "unknown field, " + DidYouMean(name, known)
	}
	before := len(d.errs)
	d.add(field.ErrorTypeForbidden, child(at, name), text)
	if probably != "" && len(d.errs) > before {
		d.errs[before].BadValue = meant(child(at, probably).String())
	}
}

// value fills any value. A null leaves it as it is, which is absent.
func (d *decoder) value(at *field.Path, in any, out reflect.Value) {
	if in == nil {
		return
	}
	switch out.Kind() {
	case reflect.Pointer:
		v := reflect.New(out.Type().Elem())
		d.value(at, in, v.Elem())
		out.Set(v)
	case reflect.Interface:
		d.free(at, in, out)
	case reflect.Map:
		d.object(at, in, out)
	case reflect.Struct:
		d.structureOrString(at, in, out)
	case reflect.Slice:
		d.list(at, in, out)
	default:
		d.scalar(at, in, out)
	}
}

// stringer is a struct in whose place a string may stand.
type stringer interface{ SetString(s string) }

func (d *decoder) structureOrString(at *field.Path, in any, out reflect.Value) {
	want := "an object"
	if short, ok := out.Addr().Interface().(stringer); ok {
		if s, ok := in.(string); ok {
			short.SetString(s)
			return
		}
		want = "a string or an object"
	}
	if m, ok := in.(map[string]any); ok {
		d.structure(at, m, out)
		return
	}
	d.mismatch(at, want, in)
}

// object fills a map: one of free form, or one of values of a type.
func (d *decoder) object(at *field.Path, in any, out reflect.Value) {
	m, ok := in.(map[string]any)
	if !ok {
		d.mismatch(at, "an object", in)
		return
	}
	if out.Type().Elem().Kind() == reflect.Interface {
		d.free(at, m, out)
		return
	}
	values := reflect.MakeMapWithSize(out.Type(), len(m))
	for _, name := range slices.Sorted(maps.Keys(m)) {
		v := reflect.New(out.Type().Elem()).Elem()
		d.value(child(at, name), m[name], v)
		values.SetMapIndex(reflect.ValueOf(name), v)
	}
	out.Set(values)
}

// free fills a value of free form, which is shared and not copied.
func (d *decoder) free(at *field.Path, in any, out reflect.Value) {
	if tooDeep(in, maxDepth) {
		d.add(field.ErrorTypeTooLong, at, fmt.Sprintf("is nested too deeply, at most %d levels are accepted", maxDepth))
		return
	}
	out.Set(reflect.ValueOf(in))
}

func tooDeep(v any, levels int) bool {
	switch t := v.(type) {
	case map[string]any:
		for _, e := range t {
			if levels == 0 || tooDeep(e, levels-1) {
				return true
			}
		}
	case []any:
		for _, e := range t {
			if levels == 0 || tooDeep(e, levels-1) {
				return true
			}
		}
	}
	return false
}

func (d *decoder) list(at *field.Path, in any, out reflect.Value) {
	items, ok := in.([]any)
	if !ok {
		d.mismatch(at, "an array", in)
		return
	}
	list := reflect.MakeSlice(out.Type(), len(items), len(items))
	for i, item := range items {
		d.item(at, i, item, list.Index(i))
	}
	out.Set(list)
}

func (d *decoder) item(list *field.Path, i int, in any, out reflect.Value) {
	at := list.Index(i)
	switch out.Addr().Interface().(type) {
	case *v1beta1.ComposedTemplate, *v1beta1.PatchSet, *v1beta1.RequiredResource:
		m, _ := in.(map[string]any)
		name, _ := m["name"].(string)
		at = ListItem(nil, list.String(), i, name)
	}
	switch {
	case in != nil:
		d.value(at, in, out)
	case out.Kind() == reflect.String:
		d.mismatch(at, "a string", in)
	default:
		d.mismatch(at, "an object", in)
	}
}

func (d *decoder) scalar(at *field.Path, in any, out reflect.Value) {
	switch out.Kind() {
	case reflect.String:
		if s, ok := in.(string); ok {
			out.SetString(s)
			return
		}
		d.mismatch(at, "a string", in)
	case reflect.Bool:
		if b, ok := in.(bool); ok {
			out.SetBool(b)
			return
		}
		d.mismatch(at, "true or false", in)
	case reflect.Int64:
		if n, ok := integer(in); ok {
			out.SetInt(n)
			return
		}
		d.mismatch(at, "an integer", in)
	case reflect.Float64:
		if n, ok := number(in); ok {
			out.SetFloat(n)
			return
		}
		d.mismatch(at, "a number", in)
	default:
		panic(fmt.Sprintf("input: no way to decode a %s", out.Type()))
	}
}

func integer(v any) (int64, bool) {
	switch t := v.(type) {
	case int64:
		return t, true
	case float64:
		if t == math.Trunc(t) && math.Abs(t) < 1<<63 {
			return int64(t), true
		}
	}
	return 0, false
}

func number(v any) (float64, bool) {
	switch t := v.(type) {
	case int64:
		return float64(t), true
	case float64:
		return t, !math.IsNaN(t) && !math.IsInf(t, 0)
	}
	return 0, false
}

func (d *decoder) mismatch(at *field.Path, want string, got any) {
	d.add(field.ErrorTypeTypeInvalid, at, "must be "+want+", got "+describe(got))
}

// describe tells a value with its kind.
func describe(v any) string {
	switch v.(type) {
	case nil, bool:
		return fieldpath.Preview(v)
	}
	return "the " + fieldpath.KindOf(v) + " " + fieldpath.Preview(v)
}

// plan tells the fields of a struct by their names in JSON. Those of an embedded
// struct count as the struct's own.
func (d *decoder) plan(t reflect.Type) *plan {
	if p, ok := d.plans[t]; ok {
		return p
	}
	p := &plan{fields: map[string]reflect.StructField{}}
	for _, f := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		p.names = append(p.names, name)
		p.fields[name] = f
	}
	d.plans[t] = p
	return p
}

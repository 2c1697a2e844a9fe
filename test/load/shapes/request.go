package shapes

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
	"sigs.k8s.io/yaml"
)

// environmentKey is where Crossplane keeps its environment in the context.
const environmentKey = "apiextensions.crossplane.io/environment"

type object = map[string]any

// Requests returns the requests for all composite resources.
func (s Shape) Requests() ([]*fnv1.RunFunctionRequest, error) {
	out := make([]*fnv1.RunFunctionRequest, s.Variants)
	for i := range out {
		var err error
		if out[i], err = s.Request(i); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Request returns the request for one of the composite resources. It is the same
// each time it is asked for.
func (s Shape) Request(variant int) (*fnv1.RunFunctionRequest, error) {
	b := &builder{
		shape:  s,
		xr:     fmt.Sprintf("orders-%02d", variant),
		random: rand.New(rand.NewPCG(1, uint64(variant))), //nolint:gosec // The same each time is what is wanted.
		parsed: map[string]object{},
	}
	req := &fnv1.RunFunctionRequest{
		Meta:     &fnv1.RequestMeta{Tag: b.word(64), Capabilities: capabilities()},
		Observed: &fnv1.State{Composite: &fnv1.Resource{Resource: b.message(b.composite(variant))}, Resources: map[string]*fnv1.Resource{}},
		Desired:  &fnv1.State{Resources: map[string]*fnv1.Resource{}},
		Context:  b.message(object{environmentKey: b.environment()}),
		Input:    b.message(b.input(variant % s.Compositions)),
	}
	for i := range s.Templates + s.Upstream {
		if s.Observed > 0 {
			req.Observed.Resources[name(i)] = &fnv1.Resource{Resource: b.message(b.observed(i)), ConnectionDetails: b.details(i)}
		}
		if i >= s.Templates {
			req.Desired.Resources[name(i)] = &fnv1.Resource{Resource: b.message(b.upstream(i)), Ready: fnv1.Ready_READY_TRUE}
		}
	}
	if b.err != nil {
		return nil, fmt.Errorf("%s: %w", s.Name, b.err)
	}
	return req, nil
}

func capabilities() []fnv1.Capability {
	return []fnv1.Capability{
		fnv1.Capability_CAPABILITY_CAPABILITIES,
		fnv1.Capability_CAPABILITY_CONDITIONS,
		fnv1.Capability_CAPABILITY_CREDENTIALS,
		fnv1.Capability_CAPABILITY_REQUIRED_RESOURCES,
	}
}

// name is the name of a composed resource in the composition.
func name(i int) string { return fmt.Sprintf("database-%03d", i) }

// builder makes the objects of one request, and keeps the first error.
type builder struct {
	shape  Shape
	xr     string
	random *rand.Rand
	parsed map[string]object
	err    error
}

// object decodes an object of YAML, in whose texts $words stand for others.
func (b *builder) object(text string, words map[string]string) object {
	parsed, ok := b.parsed[text]
	if !ok {
		b.fail(yaml.Unmarshal([]byte(text), &parsed))
		b.parsed[text] = parsed
	}
	out, _ := b.fill(parsed, words).(object)
	return out
}

// fill returns a copy of a value that has all words filled in.
func (b *builder) fill(v any, words map[string]string) any {
	switch v := v.(type) {
	case object:
		out := make(object, len(v))
		for key, field := range v {
			out[key] = b.fill(field, words)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = b.fill(item, words)
		}
		return out
	case string:
		return os.Expand(v, func(word string) string { return b.lookUp(word, words) })
	default:
		return v
	}
}

func (b *builder) lookUp(word string, words map[string]string) string {
	value, ok := words[word]
	if !ok {
		b.fail(fmt.Errorf("$%s has no value", word))
	}
	return value
}

func (b *builder) message(o object) *structpb.Struct {
	s, err := structpb.NewStruct(o)
	b.fail(err)
	return s
}

// at returns an object within another one, which is there already or is made.
func (b *builder) at(o object, path ...string) object {
	for _, key := range path {
		if _, ok := o[key]; !ok {
			o[key] = object{}
		}
		inner, ok := o[key].(object)
		if !ok {
			b.fail(errors.New(key + " is not an object"))
			return object{}
		}
		o = inner
	}
	return o
}

func (b *builder) fail(err error) {
	if b.err == nil {
		b.err = err
	}
}

// word returns so many random hexadecimal digits.
func (b *builder) word(n int) string {
	const digits = "0123456789abcdef"
	out := make([]byte, n)
	for i := range out {
		out[i] = digits[b.random.IntN(len(digits))]
	}
	return string(out)
}

package fn

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// MaxElements is how many resources a loop may make.
const MaxElements = 1024

// resourceCost is what a resource of a loop costs of the budget, beside what is
// written to it: a small input could ask for any number of them.
const resourceCost = 8 << 10

// loop is a compiled forEach.
type loop struct {
	at       string
	source   *patch.Source
	key      *fieldpath.Path // nil if the element is its own key
	required bool
}

// elements are what a loop makes resources of.
type elements struct {
	all []patch.Element
	// absent tells why it is not known what there is, if that must be known.
	absent, wanted string
}

// elements returns what a template's loop makes resources of. It is worked out
// when it is first asked for.
func (r *run) elements(t *template) (*elements, error) {
	if e, ok := r.loops[t.name]; ok {
		return e, nil
	}
	s := scene{run: r}
	v, present, err := t.loop.source.Read(&s)
	if err != nil {
		if s.secret {
			patch.HideValues(err)
		}
		return nil, &fieldpath.PlacedError{Place: t.loop.at + ".", Err: err}
	}
	out := &elements{}
	switch {
	case present && v != nil:
		if out.all, err = t.loop.elements(v, s.secret); err != nil {
			if s.secret {
				patch.HideValues(err)
			}
			return nil, &fieldpath.PlacedError{Place: t.loop.at + ": ", Err: err}
		}
	case t.loop.required:
		out.absent, out.wanted = t.loop.source.Missing(&s), t.loop.source.Wanted(&s)
	}
	if r.loops == nil {
		r.loops = make(map[string]*elements)
	}
	r.loops[t.name] = out
	return out, nil
}

// elements returns the elements of an array, or the entries of an object in the
// order of their keys. Secret says that they come from a Secret.
func (l *loop) elements(v any, secret bool) ([]patch.Element, error) {
	var items []any
	var entries []string
	switch t := v.(type) {
	case []any:
		items = t
	case map[string]any:
		entries = slices.Sorted(maps.Keys(t))
		for _, key := range entries {
			items = append(items, t[key])
		}
	default:
		return nil, &fieldpath.ValueError{Value: v, Problem: "resources can be made for each element of an array or object only"}
	}
	if len(items) > MaxElements {
		return nil, fmt.Errorf("there are %d elements; at most %d resources can be made", len(items), MaxElements)
	}
	out := make([]patch.Element, len(items))
	for i, item := range items {
		out[i] = patch.Element{Index: i, Item: item, Secret: secret}
		if entries != nil && l.key == nil {
			out[i].Key = entries[i]
			continue
		}
		var err error
		if out[i].Key, err = l.keyOf(i, item); err != nil {
			return nil, err
		}
		if secret && l.keysAreData() {
			return nil, errSecretKey
		}
	}
	return out, checkKeys(out)
}

// errSecretKey says that the keys of a loop are not for everybody to see.
var errSecretKey = errors.New("the keys are values of Secrets, which the names of the resources would show to everybody")

// keysAreData tells whether the keys of elements that come straight from Secrets
// are data of them.
func (l *loop) keysAreData() bool {
	if l.source.From != patch.Other && l.source.From != patch.Required {
		return false
	}
	return l.key == nil || patch.LeadsToData(*l.key)
}

// keyOf returns the key of an element that is no entry of an object, or of which
// a field is the key.
func (l *loop) keyOf(i int, item any) (string, error) {
	v := item
	if l.key != nil {
		var there bool
		var err error
		if v, there, err = (fieldpath.Value{Any: item}).Get(*l.key); err != nil {
			return "", &fieldpath.PlacedError{Place: fmt.Sprintf("the key of element %d: ", i), Err: err}
		}
		if !there {
			return "", &fieldpath.ValueError{Value: item, Problem: fmt.Sprintf("element %d has no %s, which is to be its key", i, l.key)}
		}
	}
	switch t := v.(type) {
	case string:
		return t, nil
	case int64:
		return strconv.FormatInt(t, 10), nil
	case map[string]any:
		if l.key == nil {
			return "", &fieldpath.ValueError{Value: v, Problem: fmt.Sprintf("element %d is an object; say with key which of its fields tells it from the others", i)}
		}
	}
	return "", &fieldpath.ValueError{Value: v, Problem: fmt.Sprintf("the key of element %d must be a string or an integer", i)}
}

// checkKeys checks that resources can be named after the keys.
func checkKeys(all []patch.Element) error {
	seen := make(map[string]int, len(all))
	for i, e := range all {
		if problems := validation.IsDNS1123Subdomain(e.Key); len(problems) > 0 {
			return &fieldpath.ValueError{
				Value: e.Key, Problem: fmt.Sprintf("no resource can be named after the key of element %d, which must be lower case letters, digits, - and .", i),
			}
		}
		if before, twice := seen[e.Key]; twice {
			return &fieldpath.ValueError{
				Value: e.Key, Problem: fmt.Sprintf("elements %d and %d have the same key, but each needs one of its own", before, i),
			}
		}
		seen[e.Key] = i
	}
	return nil
}

// member returns the name of the resource for an element.
func member(name, key string) string { return name + "-" + key }

// loop runs the template of a loop for each of its elements.
func (r *run) loop(t *template) error {
	elements, err := r.elements(t)
	if err != nil {
		return err
	}
	if elements.absent != "" {
		r.hold(waiting{what: elements.wanted, name: strconv.Quote(t.name), verb: "creating"})
		return r.refuseToForget(t, elements.absent)
	}
	if err := r.budget.Spend(len(elements.all) * resourceCost); err != nil {
		return fmt.Errorf("%s: %w", t.loop.at, err)
	}
	for i := range elements.all {
		e := &elements.all[i]
		name := member(t.name, e.Key)
		if err := r.resource(t, name, e); err != nil {
			return &fieldpath.PlacedError{Place: fmt.Sprintf("for %q: ", name), Err: err}
		}
	}
	return nil
}

// refuseToForget fails if there may be resources of a loop of which it is not
// known what it makes: leaving them out would delete them.
func (r *run) refuseToForget(t *template, absent string) error {
	var exist []string
	for _, name := range r.request.Observed().Names() {
		_, earlier := r.request.Desired().Resource(name)
		if strings.HasPrefix(name, member(t.name, "")) && !earlier && !r.program.makesBeside(t, name) {
			exist = append(exist, strconv.Quote(name))
		}
	}
	if len(exist) == 0 {
		return nil
	}
	return fmt.Errorf("%s: policy.fromFieldPath is Required: %s, so that it is not known which resources are to stay of those that exist: %s; "+
		"with the policy Optional all of them would be deleted", t.loop.at, absent, strings.Join(exist, ", "))
}

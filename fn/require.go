package fn

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// The capabilities of Crossplane that are looked at, with the numbers that the
// protocol gives them.
const (
	capabilityCapabilities      = 1
	capabilityRequiredResources = 2
	capabilityConditions        = 4
)

// errNoRequired says that Crossplane tells that it fetches nothing for functions.
var errNoRequired = errors.New("requiredResources: this Crossplane does not fetch resources for functions, as its capabilities say; it is too old for them")

// requirement is a compiled required resource.
type requirement struct {
	at, name                    string
	apiVersion, kind, namespace templateText
	matchName                   templateText
	matchLabels                 map[string]templateText // nil if it is matched by name
	required                    bool
}

// templateText is a text that is fixed, or a field of the composite resource. The
// zero value is none.
type templateText struct {
	at       string
	given    bool
	path     *fieldpath.Path // nil if it is fixed
	text     string          // fixed, or the default
	fallback bool            // there is a default
}

// found is what was found for a requirement.
type found struct {
	objects []*proto.Resource
	many    bool
	absent  string // why there is none, empty if there is
	read    fieldpath.Reader
}

// reader returns what to read from: an object, an array of them, or nil.
func (f *found) reader() (fieldpath.Reader, error) {
	switch {
	case f == nil || f.absent != "":
		return nil, nil
	case !f.many:
		return f.objects[0].Object(), nil
	case f.read != nil:
		return f.read, nil
	}
	array := make([]any, len(f.objects))
	for i, o := range f.objects {
		v, err := o.Object().Value()
		if err != nil {
			return nil, err
		}
		array[i] = v
	}
	f.read = fieldpath.Value{Any: array}
	return f.read, nil
}

// require asks Crossplane for the required resources, and takes what it has
// fetched. It is false if there is something that Crossplane has yet to fetch: it
// calls the function again with it, and drops the response to this call.
func (r *run) require() (bool, error) {
	if len(r.program.required) == 0 {
		return true, nil
	}
	advertises := r.request.HasCapability(capabilityCapabilities)
	if advertises && !r.request.HasCapability(capabilityRequiredResources) {
		return false, errNoRequired
	}
	r.response.Requirements = make(map[string]proto.Requirement, len(r.program.required))
	r.response.LegacyRequirements = !advertises
	r.found = make(map[string]*found, len(r.program.required))
	complete := true
	for i := range r.program.required {
		q := &r.program.required[i]
		asked, missing, err := r.ask(q)
		if err != nil {
			return false, err
		}
		f := &found{many: q.matchLabels != nil, absent: "it is not looked for, since " + missing}
		if asked {
			objects, fetched := r.request.RequiredResources(q.name)
			complete = complete && fetched
			if f, err = r.fetched(q, objects); err != nil {
				return false, err
			}
		}
		r.found[q.name] = f
		if none := f.none(r.response.Requirements[q.name]); q.required && none != "" {
			r.awaited = append(r.awaited, fmt.Sprintf("the required resource %q (%s)", q.name, none))
		}
	}
	return complete, nil
}

// ask adds a requirement to the response; if the composite resource lacks a field
// that it needs, it tells which.
func (r *run) ask(q *requirement) (asked bool, missing string, err error) {
	out := proto.Requirement{}
	for _, t := range []struct {
		text *templateText
		into *string
	}{{&q.apiVersion, &out.APIVersion}, {&q.kind, &out.Kind}, {&q.matchName, &out.MatchName}} {
		if !t.text.given {
			continue
		}
		if *t.into, missing, err = r.text(t.text); err != nil || missing != "" {
			return false, missing, err
		}
	}
	if q.namespace.given {
		namespace, missing, err := r.text(&q.namespace)
		if err != nil || missing != "" {
			return false, missing, err
		}
		out.Namespace = &namespace
	}
	if q.matchLabels != nil {
		out.MatchLabels = make(map[string]string, len(q.matchLabels))
	}
	for _, label := range slices.Sorted(maps.Keys(q.matchLabels)) {
		text := q.matchLabels[label]
		if out.MatchLabels[label], missing, err = r.text(&text); err != nil || missing != "" {
			return false, missing, err
		}
	}
	r.response.Requirements[q.name] = out
	return true, "", nil
}

// text returns a text, or tells which field of the composite resource is missing.
func (r *run) text(t *templateText) (text, missing string, err error) {
	if t.path == nil {
		return t.text, "", nil
	}
	v, present, err := r.observedXR.Get(*t.path)
	if err != nil {
		return "", "", &fieldpath.PlacedError{Place: t.at + ".fromFieldPath: ", Err: err}
	}
	switch s := v.(type) {
	case string:
		if s != "" {
			return s, "", nil
		}
	case int64:
		return strconv.FormatInt(s, 10), "", nil
	case nil:
	default:
		return "", "", &fieldpath.ValueError{Value: v, Problem: t.at + ".fromFieldPath: " + t.path.String() + " must be a string"}
	}
	switch {
	case t.fallback:
		return t.text, "", nil
	case present:
		return "", fmt.Sprintf("the composite resource has nothing in %s", t.path), nil
	}
	return "", fmt.Sprintf("the composite resource has no %s", t.path), nil
}

// fetched takes what Crossplane has fetched for a requirement.
func (r *run) fetched(q *requirement, objects []*proto.Resource) (*found, error) {
	f := &found{objects: objects, many: q.matchLabels != nil}
	asked := r.response.Requirements[q.name]
	what := fmt.Sprintf("the required resource %q (%s %s)", q.name, asked.Kind, asked.MatchName)
	switch {
	case f.many:
		return f, sortObjects(f.objects)
	case len(objects) == 0:
		f.absent = fmt.Sprintf("there is no %s %q%s", asked.Kind, asked.MatchName, inNamespace(asked.Namespace))
	case len(objects) > 1:
		return nil, fmt.Errorf("%s: Crossplane found %d objects for %s, where there is to be one; give matchLabels to read several, or a namespace", q.at, len(objects), what)
	}
	return f, nil
}

// none tells why there is no object at all, nothing if there is one.
func (f *found) none(asked proto.Requirement) string {
	if f.absent != "" || len(f.objects) > 0 {
		return f.absent
	}
	labels := make([]string, 0, len(asked.MatchLabels))
	for _, key := range slices.Sorted(maps.Keys(asked.MatchLabels)) {
		labels = append(labels, key+"="+asked.MatchLabels[key])
	}
	return fmt.Sprintf("there is no %s with the labels %s%s", asked.Kind, strings.Join(labels, ","), inNamespace(asked.Namespace))
}

func inNamespace(namespace *string) string {
	if namespace == nil {
		return ""
	}
	return fmt.Sprintf(" in the namespace %q", *namespace)
}

// sortObjects sorts objects by namespace and name.
func sortObjects(objects []*proto.Resource) error {
	var failed error
	text := func(r *proto.Resource, p fieldpath.Path) string {
		v, _, err := r.Object().Get(p)
		failed = cmp.Or(failed, err)
		s, _ := v.(string)
		return s
	}
	slices.SortStableFunc(objects, func(a, b *proto.Resource) int {
		return cmp.Or(
			strings.Compare(text(a, namespaceOfXR), text(b, namespaceOfXR)),
			strings.Compare(text(a, nameOfXR), text(b, nameOfXR)),
		)
	})
	return failed
}

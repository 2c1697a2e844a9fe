package cli

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/types/known/structpb"
)

// requirement is a resource that a step of a Composition has before it asks.
type requirement struct {
	RequirementName string            `json:"requirementName"`
	APIVersion      string            `json:"apiVersion"`
	Kind            string            `json:"kind"`
	Namespace       *string           `json:"namespace"`
	Name            *string           `json:"name"`
	MatchLabels     map[string]string `json:"matchLabels"`
}

// check says what the API server would refuse.
func (r requirement) check() error {
	for _, f := range []struct{ name, value string }{
		{"requirementName", r.RequirementName}, {"apiVersion", r.APIVersion}, {"kind", r.Kind},
	} {
		if f.value == "" {
			return fmt.Errorf("%s: required", f.name)
		}
	}
	if r.Name != nil && r.MatchLabels != nil {
		return fmt.Errorf("name and matchLabels: only one of both")
	}
	return nil
}

func (r requirement) selector() *fnv1.ResourceSelector {
	s := &fnv1.ResourceSelector{ApiVersion: r.APIVersion, Kind: r.Kind, Namespace: r.Namespace}
	switch {
	case r.Name != nil:
		s.Match = &fnv1.ResourceSelector_MatchName{MatchName: *r.Name}
	case r.MatchLabels != nil:
		s.Match = &fnv1.ResourceSelector_MatchLabels{MatchLabels: &fnv1.MatchLabels{Labels: r.MatchLabels}}
	}
	return s
}

// loadRequired reads the resources that steps can require.
func (c *Render) loadRequired(f *files, in *inputs) error {
	seen := map[string]manifest{}
	for _, path := range c.required() {
		ms, err := f.load(path)
		if err != nil {
			return err
		}
		for _, m := range ms {
			if other, twice := seen[identity(m.object)]; twice {
				return m.errorf("%s: is at %s already", m, other.place())
			}
			seen[identity(m.object)] = m
			in.required = append(in.required, m)
		}
	}
	return nil
}

// required are the files of both flags, in the order of Crossplane's CLI.
func (c *Render) required() []string {
	return slices.Concat(c.RequiredResources, c.ExtraResources)
}

// identity tells an object from all others in a cluster.
func identity(object map[string]any) string {
	return strings.Join([]string{stringAt(object, "apiVersion"), kindOf(object), namespaceOf(object), nameOf(object)}, "\x00")
}

// fetcher finds what a step requires, and keeps in mind what it did not find.
type fetcher struct {
	objects []manifest // by namespace and name
	given   bool       // with --required-resources
	missing map[string]bool
}

// fetcher makes a fetcher for a step. As in a cluster, there is all that was
// given, and not only what was given as required.
func (in *inputs) fetcher() *fetcher {
	all := map[string]manifest{}
	xr := in.xr
	xr.object = in.observedXR()
	for _, m := range slices.Concat([]manifest{xr}, slices.Collect(maps.Values(in.observed)), in.required, in.secretObjects) {
		all[identity(m.object)] = m
	}
	return &fetcher{
		objects: slices.SortedFunc(maps.Values(all), func(a, b manifest) int {
			return cmp.Or(
				strings.Compare(namespaceOf(a.object), namespaceOf(b.object)),
				strings.Compare(nameOf(a.object), nameOf(b.object)),
			)
		}),
		given:   len(in.required) > 0,
		missing: map[string]bool{},
	}
}

// fetch gives the resources that a selector selects: none is no error.
func (f *fetcher) fetch(s *fnv1.ResourceSelector) (*fnv1.Resources, error) {
	out := &fnv1.Resources{}
	for _, m := range f.objects {
		if !selects(s, m.object) {
			continue
		}
		object, err := structpb.NewStruct(m.object)
		if err != nil {
			return nil, m.errorf("%w", err)
		}
		out.Items = append(out.Items, &fnv1.Resource{Resource: object})
	}
	if len(out.GetItems()) == 0 {
		f.missing[f.explain(s)] = true
	}
	return out, nil
}

// fetchAll gives the resources of each selector, by its name.
func (f *fetcher) fetchAll(into map[string]*fnv1.Resources, selectors map[string]*fnv1.ResourceSelector) error {
	for name, s := range selectors {
		rs, err := f.fetch(s)
		if err != nil {
			return err
		}
		into[name] = rs
	}
	return nil
}

// first gives what a step has before it asks for it.
func (f *fetcher) first(requirements []requirement) (map[string]*fnv1.Resources, error) {
	out := map[string]*fnv1.Resources{}
	for _, r := range requirements {
		rs, err := f.fetch(r.selector())
		if err != nil {
			return nil, err
		}
		out[r.RequirementName] = rs
	}
	return out, nil
}

// selects tells whether a selector selects an object. A resource that is
// selected by its name has to be in the namespace of the selector, which is none
// for resources without one; labels select in all namespaces unless there is one.
func selects(s *fnv1.ResourceSelector, object map[string]any) bool {
	if s.GetApiVersion() != stringAt(object, "apiVersion") || s.GetKind() != kindOf(object) {
		return false
	}
	if m, ok := s.GetMatch().(*fnv1.ResourceSelector_MatchName); ok {
		return m.MatchName == nameOf(object) && s.GetNamespace() == namespaceOf(object)
	}
	if ns := s.GetNamespace(); ns != "" && ns != namespaceOf(object) {
		return false
	}
	labels := objectAt(object, "metadata", "labels")
	for key, want := range s.GetMatchLabels().GetLabels() {
		if got, ok := labels[key]; !ok || got != want {
			return false
		}
	}
	return true
}

// explain says what is required and is not there.
func (f *fetcher) explain(s *fnv1.ResourceSelector) string {
	var b strings.Builder
	if m, ok := s.GetMatch().(*fnv1.ResourceSelector_MatchName); ok {
		fmt.Fprintf(&b, "requires the %s %q", s.GetKind(), m.MatchName)
	} else {
		fmt.Fprintf(&b, "requires any %s", s.GetKind())
	}
	labels := s.GetMatchLabels().GetLabels()
	for i, key := range slices.Sorted(maps.Keys(labels)) {
		fmt.Fprintf(&b, "%s %s=%s", []string{" with", ","}[min(i, 1)], key, labels[key])
	}
	if ns := s.GetNamespace(); ns != "" {
		fmt.Fprintf(&b, " in the namespace %q", ns)
	}
	fmt.Fprintf(&b, " (%s)", s.GetApiVersion())
	if !f.given {
		return b.String() + "; give it with --required-resources"
	}
	return b.String() + ", which is not in --required-resources" + f.similar(s)
}

// similar tells of a resource that has the kind and the name that were asked for
// and is another one all the same.
func (f *fetcher) similar(s *fnv1.ResourceSelector) string {
	for _, m := range f.objects {
		if kindOf(m.object) != s.GetKind() || nameOf(m.object) != s.GetMatchName() {
			continue
		}
		if v := stringAt(m.object, "apiVersion"); v != s.GetApiVersion() {
			return fmt.Sprintf("; that at %s has the apiVersion %s", m.place(), v)
		}
		if ns := namespaceOf(m.object); ns != "" {
			return fmt.Sprintf("; that at %s is in the namespace %q", m.place(), ns)
		}
		return fmt.Sprintf("; that at %s has no namespace", m.place())
	}
	return ""
}

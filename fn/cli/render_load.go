package cli

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

const (
	annotationResourceName = "crossplane.io/composition-resource-name"
	labelComposite         = "crossplane.io/composite"
	labelClaimName         = "crossplane.io/claim-name"
	labelClaimNamespace    = "crossplane.io/claim-namespace"
)

// inputs are what is rendered: everything that comes from files and flags.
type inputs struct {
	xr          manifest
	composition composition
	definition  *definition
	observed    map[string]manifest
	required    []manifest

	secretObjects []manifest
	secrets       map[string]map[string][]byte // by namespace/name

	context map[string]any
}

// composition holds what rendering needs of a Composition.
type composition struct {
	manifest manifest
	Metadata struct {
		Name   string            `json:"name"`
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		CompositeTypeRef struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
		} `json:"compositeTypeRef"`
		Mode     string `json:"mode"`
		Pipeline []step `json:"pipeline"`
	} `json:"spec"`
}

// step is a step of a Composition's pipeline.
type step struct {
	Step        string         `json:"step"`
	FunctionRef objectRef      `json:"functionRef"`
	Input       map[string]any `json:"input"`
	Credentials []struct {
		Name      string    `json:"name"`
		Source    string    `json:"source"`
		SecretRef objectRef `json:"secretRef"`
	} `json:"credentials"`
	Requirements struct {
		RequiredResources []requirement `json:"requiredResources"`
	} `json:"requirements"`
}

type objectRef struct {
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// usesThisFunction tells whether the step can be run in this process: it has
// this function's input, or names the function or the one it stands in for.
func (s step) usesThisFunction() bool {
	if stringAt(s.Input, "apiVersion") == v1beta1.APIVersion && kindOf(s.Input) == v1beta1.Kind {
		return true
	}
	name := s.FunctionRef.Name
	return strings.Contains(name, "function-patchwork") || strings.Contains(name, "function-patch-and-transform")
}

// load reads all files that the flags name.
func (c *Render) load(f *files) (*inputs, error) {
	in := &inputs{}
	for _, load := range []func(*files, *inputs) error{
		c.loadComposition, c.loadDefinition, c.loadObserved, c.loadRequired, c.loadSecrets, c.loadContext,
	} {
		if err := load(f, in); err != nil {
			return nil, err
		}
	}
	return in, nil
}

// loadComposition finds the composite resource and the Composition of its kind.
func (c *Render) loadComposition(f *files, in *inputs) error {
	xrs, err := f.load(c.XR)
	if err != nil {
		return err
	}
	xrs = slices.DeleteFunc(xrs, isCrossplanes)
	if len(xrs) == 0 {
		return fmt.Errorf("%s: no composite resource in it", displayName(c.XR))
	}
	comps, err := c.compositions(f)
	if err != nil {
		return err
	}
	var found bool
	for _, xr := range xrs {
		for _, comp := range comps {
			if !comp.composes(xr) {
				continue
			}
			if found {
				return ambiguous(in, xr, comp)
			}
			found, in.xr, in.composition = true, xr, comp
		}
	}
	if !found {
		return mismatch(xrs[0], comps[0])
	}
	return errors.Join(in.composition.check(), in.composition.selectedBy(in.xr), checkXR(in.xr))
}

func (c *Render) compositions(f *files) ([]composition, error) {
	ms, err := f.load(c.Composition)
	if err != nil {
		return nil, err
	}
	var out []composition
	for _, m := range ms {
		if kindOf(m.object) != "Composition" || !isCrossplanes(m) {
			continue
		}
		comp := composition{manifest: m}
		if err := m.into(&comp); err != nil {
			return nil, err
		}
		out = append(out, comp)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s: no Composition in it", displayName(c.Composition))
	}
	return out, nil
}

// isCrossplanes tells the objects that configure Crossplane from composite
// resources.
func isCrossplanes(m manifest) bool {
	v := stringAt(m.object, "apiVersion")
	return strings.HasPrefix(v, "apiextensions.crossplane.io/") || strings.HasPrefix(v, "pkg.crossplane.io/")
}

func (comp composition) composes(xr manifest) bool {
	ref := comp.Spec.CompositeTypeRef
	return ref.APIVersion == stringAt(xr.object, "apiVersion") && ref.Kind == kindOf(xr.object)
}

func mismatch(xr manifest, comp composition) error {
	ref := comp.Spec.CompositeTypeRef
	return fmt.Errorf("%s: Composition %q composes %s %s (spec.compositeTypeRef), but %s has a %s %s",
		comp.manifest.place(), comp.Metadata.Name, ref.APIVersion, ref.Kind,
		xr.place(), stringAt(xr.object, "apiVersion"), kindOf(xr.object))
}

func ambiguous(in *inputs, xr manifest, comp composition) error {
	if in.composition.Metadata.Name == comp.Metadata.Name {
		return fmt.Errorf("%s and %s: both can be rendered; give the file of one", in.xr.place(), xr.place())
	}
	return fmt.Errorf("%s and %s: Compositions %q and %q both compose %s; give the file of one",
		in.composition.manifest.place(), comp.manifest.place(), in.composition.Metadata.Name, comp.Metadata.Name, xr)
}

func checkXR(xr manifest) error {
	if nameOf(xr.object) == "" {
		return xr.errorf("metadata.name: required, composed resources are named after it")
	}
	return nil
}

// check says what keeps the Composition from being run.
func (comp composition) check() error {
	if comp.Spec.Mode != "Pipeline" {
		return comp.manifest.errorf("spec.mode: must be Pipeline, got %q. Only a pipeline runs functions: "+
			"move what is in spec.resources to the input of a pipeline step that uses this function", comp.Spec.Mode)
	}
	if len(comp.Spec.Pipeline) == 0 {
		return comp.manifest.errorf("spec.pipeline: required, with at least one step")
	}
	for i, s := range comp.Spec.Pipeline {
		if s.Step == "" {
			return comp.manifest.errorf("spec.pipeline[%d].step: required", i)
		}
		if s.FunctionRef.Name == "" {
			return comp.manifest.errorf("spec.pipeline[%d] (%q).functionRef.name: required", i, s.Step)
		}
		for j, r := range s.Requirements.RequiredResources {
			if err := r.check(); err != nil {
				return comp.manifest.errorf("spec.pipeline[%d] (%q).requirements.requiredResources[%d].%w", i, s.Step, j, err)
			}
		}
	}
	return nil
}

// selectedBy holds the Composition against the labels that the composite
// resource selects Compositions by.
func (comp composition) selectedBy(xr manifest) error {
	for _, path := range [][]string{{"spec", "crossplane"}, {"spec"}} {
		want := objectAt(xr.object, append(path, "compositionSelector", "matchLabels")...)
		for _, key := range slices.Sorted(maps.Keys(want)) {
			if got := comp.Metadata.Labels[key]; got != want[key] {
				return comp.manifest.errorf("metadata.labels[%s]: must be %q, which %s selects Compositions by, got %q",
					key, want[key], xr.place(), got)
			}
		}
	}
	return nil
}

// loadObserved reads the observed composed resources, keyed by the name that
// they have in the composition.
func (c *Render) loadObserved(f *files, in *inputs) error {
	in.observed = map[string]manifest{}
	if c.ObservedResources == "" {
		return nil
	}
	ms, err := f.load(c.ObservedResources)
	if err != nil {
		return err
	}
	for _, m := range ms {
		name := stringAt(m.object, "metadata", "annotations", annotationResourceName)
		if name == "" {
			return m.errorf("%s: annotation %s: required, it says which composed resource this is", m, annotationResourceName)
		}
		if other, twice := in.observed[name]; twice {
			return m.errorf("%s: annotation %s: %q is %s already (%s)", m, annotationResourceName, name, other, other.place())
		}
		in.observed[name] = m
	}
	return nil
}

// loadSecrets reads the Secrets that hold the functions' credentials, and the
// connection details of observed resources.
func (c *Render) loadSecrets(f *files, in *inputs) error {
	in.secrets = map[string]map[string][]byte{}
	if c.FunctionCredentials == "" {
		return nil
	}
	ms, err := f.load(c.FunctionCredentials)
	if err != nil {
		return err
	}
	for _, m := range ms {
		if kindOf(m.object) != "Secret" {
			return m.errorf("%s: must be a Secret", m)
		}
		data, err := secretData(m)
		if err != nil {
			return err
		}
		in.secrets[namespaceOf(m.object)+"/"+nameOf(m.object)] = data
		in.secretObjects = append(in.secretObjects, m)
	}
	return nil
}

func secretData(m manifest) (map[string][]byte, error) {
	out := map[string][]byte{}
	for key, v := range objectAt(m.object, "data") {
		text, _ := v.(string)
		b, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			return nil, m.errorf("%s: data[%q]: not valid base64", m, key)
		}
		out[key] = b
	}
	for key, v := range objectAt(m.object, "stringData") {
		text, _ := v.(string)
		out[key] = []byte(text)
	}
	return out, nil
}

// loadContext reads the context. A value given on the command line wins over
// one from a file.
func (c *Render) loadContext(f *files, in *inputs) error {
	in.context = map[string]any{}
	for _, key := range slices.Sorted(maps.Keys(c.ContextFiles)) {
		path := c.ContextFiles[key]
		data, err := f.read(path)
		if err != nil {
			return fmt.Errorf("--context-files %s: %w", key, err)
		}
		if in.context[key], err = decodeYAML(displayName(path), 1, data); err != nil {
			return fmt.Errorf("--context-files %s: %w", key, err)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.ContextValues)) {
		v, err := decodeYAML(key, 1, []byte(c.ContextValues[key]))
		if err != nil {
			return fmt.Errorf("--context-values %w", err)
		}
		in.context[key] = v
	}
	return nil
}

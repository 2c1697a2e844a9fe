package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// What composition.yaml has a place for, as it should be.
const (
	goodPatch    = `{fromFieldPath: spec.size, toFieldPath: spec.forProvider.class}`
	goodResource = `{name: config, base: {apiVersion: v1, kind: ConfigMap}, readinessChecks: [{type: None}]}`
)

// mistakes are Compositions with one, and what the author is told of it.
var mistakes = map[string]struct {
	patch, resource string
	told            []string
}{
	"input": {
		patch: `{fromFieldPath: "spec.size[", toFieldPat: spec.forProvider.class, transforms: [{type: maps, map: {large: xlarge}}]}`,
		told: []string{
			"invalid input, 3 problems:",
			`resources[1] ("database").patches[1].fromFieldPath: "spec.size[" is no field path: unterminated '[' at position 9; write it like`,
			`resources[1] ("database").patches[1].toFieldPat: unknown field, did you mean "toFieldPath"?`,
			`resources[1] ("database").patches[1].transforms[0].type: unknown transform type "maps", did you mean "map"?`,
		},
	},
	"key": {
		patch: `{fromFieldPath: spec.size, toFieldPath: spec.forProvider.class, transforms: [{type: map, map: {s: small, m: medium}}]}`,
		told: []string{
			`resources[1] ("database").patches[1].transforms[0] (map): map has no such key (its keys are "m", "s"), got "large"; the patch reads spec.size`,
		},
	},
	"number": {
		patch: `{fromFieldPath: spec.size, toFieldPath: spec.forProvider.storageGB, transforms: [{type: math, math: {multiply: 2}}]}`,
		told:  []string{`resources[1] ("database").patches[1].transforms[0] (math): math needs a number, got "large"; the patch reads spec.size`},
	},
	"through": {
		patch: `{fromFieldPath: spec.size, toFieldPath: spec.forProvider.engine.class}`,
		told:  []string{`resources[1] ("database").patches[1].toFieldPath: spec.forProvider.engine: not an object but a string`},
	},
	"baseless": {
		resource: `{name: cache, patches: [{fromFieldPath: spec.region, toFieldPath: spec.forProvider.region}]}`,
		told: []string{
			`resources[2] ("cache"): it has no base, and no earlier function in the pipeline desires a resource named "cache"; give it a base, or`,
		},
	},
}

// An author makes mistakes in Compositions. kubectl describe tells what to mend,
// where, and does not repeat itself.
func TestBrokenFromTheStart(t *testing.T) {
	s := tell(t, "broken-from-start")
	s.folder = "testdata/broken"
	s.apply("definition.yaml")
	for name, m := range mistakes {
		s.brokenComposition(name, m.patch, m.resource)
		s.apply("app.yaml", "name", name)
	}
	for name, m := range mistakes {
		s.describedApp(name, m.told...)
		s.must(s.nothingComposed(name))
	}
}

// A patch that is Required waits for its source, and says so.
func TestBrokenSource(t *testing.T) {
	s := tell(t, "broken-source")
	s.folder = "testdata/broken"
	s.apply("definition.yaml")
	s.brokenComposition("source", `{fromFieldPath: spec.owner, toFieldPath: spec.forProvider.tags.owner, policy: {fromFieldPath: Required}}`, "")
	s.apply("app.yaml", "name", "source")
	s.eventually("telling what is missing", func() error {
		xr, err := s.get(s.apps(), s.namespace, "source")
		if err != nil {
			return err
		}
		composed, err := s.composed(xr)
		if names := slices.Sorted(maps.Keys(composed)); err == nil && !slices.Equal(names, []string{"config", "network"}) {
			err = fmt.Errorf("it composes %q, and not what else there is", names)
		}
		return errors.Join(err, xr.condition("Synced", "True"), xr.condition("Ready", "False"),
			xr.says("Waiting", "True", "HeldBack", `waiting for spec.owner of the composite resource before creating "database"`))
	})
}

// A Composition that works is changed to one that does not, and mended. What
// runs keeps running.
func TestBrokenLater(t *testing.T) {
	s := tell(t, "broken-later")
	s.folder = "testdata/broken"
	s.apply("definition.yaml")
	s.brokenComposition("later", "", "")
	s.apply("app.yaml", "name", "later")
	s.eventually("the app is ready", func() error { return s.readyApp("later") })
	before := s.uids("later")
	mark := here.Cloud.Mark()

	for _, name := range []string{"input", "key", "baseless"} {
		m := mistakes[name]
		s.brokenComposition("later", m.patch, m.resource)
		s.describedApp("later", m.told...)
		s.must(s.infrastructureStays("later", before, mark))
	}

	s.brokenComposition("later", `{fromFieldPath: spec.size, toFieldPath: spec.forProvider.class, transforms: [{type: map, map: {large: xlarge}}]}`, "")
	s.eventually("the mended composition arrives", func() error {
		if err := s.readyApp("later"); err != nil {
			return err
		}
		xr, err := s.get(s.apps(), s.namespace, "later")
		if err != nil {
			return err
		}
		composed, err := s.composed(xr)
		if err != nil {
			return err
		}
		return composed["database"].has(map[string]any{"spec.forProvider.class": "xlarge"})
	})
	s.must(s.infrastructureStays("later", before, mark))
}

func (s *story) apps() kind { return kind{s.name + ".example.org/v1", "App"} }

// brokenComposition applies a Composition with a patch and a resource, which are
// as they should be if they are empty.
func (s *story) brokenComposition(name, patch, resource string) {
	s.Helper()
	if patch == "" {
		patch = goodPatch
	}
	if resource == "" {
		resource = goodResource
	}
	s.apply("composition.yaml", "name", name, "patch", patch, "resource", resource)
}

// describedApp waits until kubectl describe has each text twice: in a condition, and
// in one event.
func (s *story) describedApp(name string, texts ...string) {
	s.Helper()
	s.eventually("describing what is wrong with "+name, func() error {
		xr, err := s.get(s.apps(), s.namespace, name)
		if err != nil {
			return err
		}
		if xr.condition("Synced", "False") != nil {
			return errors.New("it is not told that it is not synced")
		}
		described, err := here.Kubectl("describe", "apps."+s.name+".example.org", "-n", s.namespace, name)
		if err != nil {
			return err
		}
		if !strings.Contains(described, `cannot compose resources: pipeline step "compose" returned a fatal result: `) {
			return fmt.Errorf("it does not name the step:\n%s", described)
		}
		for _, text := range texts {
			if got := strings.Count(described, text); got != 2 {
				return fmt.Errorf("it tells %d times, and not twice, %q:\n%s", got, text, described)
			}
		}
		return nil
	})
}

// nothingComposed sees that a mistake has kept everything from being composed,
// also what has none.
func (s *story) nothingComposed(name string) error {
	xr, err := s.get(s.apps(), s.namespace, name)
	if err != nil {
		return err
	}
	composed, err := s.composed(xr)
	if err == nil && len(composed) > 0 {
		err = fmt.Errorf("%s has composed %q", name, slices.Sorted(maps.Keys(composed)))
	}
	return err
}

func (s *story) readyApp(name string) error {
	xr, err := s.get(s.apps(), s.namespace, name)
	if err != nil {
		return err
	}
	return xr.ready()
}

// uids are those of what an app composes.
func (s *story) uids(name string) map[string]string {
	s.Helper()
	xr, err := s.get(s.apps(), s.namespace, name)
	s.must(err)
	composed, err := s.composed(xr)
	s.must(err)
	found := map[string]string{}
	for resource, o := range composed {
		found[resource] = string(o.GetUID())
	}
	return found
}

// infrastructureStays sees that an app composes the same objects as before, and
// that the cloud has neither made nor deleted anything for it.
func (s *story) infrastructureStays(name string, before map[string]string, mark int) error {
	s.Helper()
	if now := s.uids(name); !maps.Equal(now, before) || len(now) != 3 {
		return fmt.Errorf("%s composes %v, and not %v any more", name, now, before)
	}
	since := cloud.Filter{Namespace: s.namespace, Since: mark}
	if changes := append(here.Cloud.Created(since), here.Cloud.Deleted(since)...); len(changes) > 0 {
		return fmt.Errorf("the cloud was asked for %v", changes)
	}
	return nil
}

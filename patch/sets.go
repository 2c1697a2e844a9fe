package patch

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
)

// MaxIncluded is how many patches an input may have by way of patch sets, so
// that a small input cannot become a huge program.
const MaxIncluded = 200_000

// Sets are compiled patch sets by name. They count the patches that they are
// included as, and are not safe for concurrent use.
type Sets struct {
	// Notices tell what of the patches has no effect.
	Notices []input.Notice

	names    []string
	patches  map[string][]*Patch
	included *int
}

// CompileSets compiles patch sets. The errors are all that there are.
func CompileSets(in []v1beta1.PatchSet) (Sets, field.ErrorList) {
	s := Sets{patches: make(map[string][]*Patch, len(in)), included: new(int)}
	var errs field.ErrorList
	for i, set := range in {
		at := input.ListItem(nil, "patchSets", i, set.Name)
		if set.Name == "" {
			errs = append(errs, field.Required(at.Child("name"), "a patch set needs a name"))
		}
		if _, ok := s.patches[set.Name]; ok {
			e := field.Duplicate(at.Child("name"), set.Name)
			e.Detail = fmt.Sprintf("there is another patch set named %q; names must be unique", set.Name)
			errs = append(errs, e)
		}
		list, perrs := Compile(at.Child("patches"), v1beta1.Patches(set.Patches), InPatchSet, Sets{})
		errs = append(errs, perrs...)
		s.patches[set.Name] = list.Patches
		s.Notices = append(s.Notices, list.Notices...)
		s.names = append(s.names, set.Name)
	}
	return s, errs
}

// include returns the patches of the set that a patch names, with their places
// told by way of that patch.
func (s Sets) include(at *field.Path, in v1beta1.Patch) ([]*Patch, *field.Error) {
	if in.PatchSetName == nil || *in.PatchSetName == "" {
		return nil, field.Required(at.Child("patchSetName"), "a patch of type PatchSet needs the name of a patch set")
	}
	patches, ok := s.patches[*in.PatchSetName]
	if !ok {
		e := field.NotFound(at.Child("patchSetName"), *in.PatchSetName)
		e.Detail = s.explain(*in.PatchSetName)
		return nil, e
	}
	before := *s.included
	if *s.included += len(patches); *s.included > MaxIncluded {
		if before > MaxIncluded {
			return nil, nil // It was said once.
		}
		e := field.TooMany(at, *s.included, MaxIncluded)
		e.Detail = fmt.Sprintf("patch sets are included so often that there are more than %d patches", MaxIncluded)
		return nil, e
	}
	out := make([]*Patch, len(patches))
	for i, p := range patches {
		included := *p
		included.At = at.String() + " > " + p.At
		out[i] = &included
	}
	return out, nil
}

func (s Sets) explain(name string) string {
	detail := fmt.Sprintf("there is no patch set named %q", name)
	if hint := input.DidYouMean(name, s.names); hint != "" {
		return detail + ", " + hint
	}
	if len(s.names) == 0 {
		return detail + "; the input has no patchSets"
	}
	return detail + "; there are " + strings.Join(s.names, ", ")
}

package patch

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// ReadPolicy is a policy for a source that is missing: a row of a table.
type ReadPolicy struct {
	Name v1beta1.FromFieldPathPolicy
	Doc  string

	required bool
}

// ReadPolicies returns the table of policies for a source that is missing. The
// first is the default.
func ReadPolicies() []ReadPolicy { return readPolicies }

var readPolicies = []ReadPolicy{
	{
		Name: v1beta1.FromFieldPathPolicyOptional,
		Doc:  "A patch whose source is missing does nothing.",
	},
	{
		Name: v1beta1.FromFieldPathPolicyRequired, required: true,
		Doc: "A composed resource that does not exist yet is not created before the source is there; the condition Waiting says so, and the " +
			"composite resource is not ready. One that exists stays as it is, without this patch. Among the environment's patches, and in a " +
			"Secret reference, a missing source is an error.",
	},
}

// WritePolicy is a policy for a target that has a value: a row of a table.
type WritePolicy struct {
	Name v1beta1.ToFieldPathPolicy
	Doc  string

	merge *fieldpath.MergeOptions
}

// WritePolicies returns the table of policies for a target that has a value. The
// first is the default.
func WritePolicies() []WritePolicy { return writePolicies }

var writePolicies = []WritePolicy{
	{
		Name: v1beta1.ToFieldPathPolicyReplace,
		Doc:  "The new value takes the place of the old one.",
	},
	{
		Name: v1beta1.ToFieldPathPolicyMergeObjects, merge: &fieldpath.MergeOptions{},
		Doc: "Objects are merged field by field. Where both have a value the old one stays, unless it is empty. Arrays are not merged.",
	},
	{
		Name: v1beta1.ToFieldPathPolicyMergeObjectsAppendArrays, merge: &fieldpath.MergeOptions{Append: true},
		Doc: "As MergeObjects, and arrays are appended to. An array at the path itself is given only what it does not have yet.",
	},
	{
		Name: v1beta1.ToFieldPathPolicyForceMergeObjects, merge: &fieldpath.MergeOptions{Force: true},
		Doc: "Objects are merged field by field. Where both have a value the new one wins. Arrays are replaced.",
	},
	{
		Name: v1beta1.ToFieldPathPolicyForceMergeObjectsAppendArrays, merge: &fieldpath.MergeOptions{Force: true, Append: true},
		Doc: "As ForceMergeObjects, and arrays are appended to. An array at the path itself is given only what it does not have yet.",
	},
	{
		Name: v1beta1.ToFieldPathPolicyMergeObject, merge: &fieldpath.MergeOptions{},
		Doc: "Deprecated: the former name of MergeObjects.",
	},
	{
		Name: v1beta1.ToFieldPathPolicyAppendArray, merge: &fieldpath.MergeOptions{Force: true, Append: true},
		Doc: "Deprecated: the former name of ForceMergeObjectsAppendArrays.",
	},
}

// MissingPolicy is a policy for the target of a patch whose source is missing: a
// row of a table.
type MissingPolicy struct {
	Name v1beta1.WhenMissingPolicy
	Doc  string

	keeps bool
}

// MissingPolicies returns the table of policies for the target of a patch whose
// source is missing. The first is the default.
func MissingPolicies() []MissingPolicy { return missingPolicies }

var missingPolicies = []MissingPolicy{
	{
		Name: v1beta1.WhenMissingSkip,
		Doc:  "The patch does nothing. A field that it wrote before is no longer desired, so that Crossplane removes it.",
	},
	{
		Name: v1beta1.WhenMissingKeepObserved, keeps: true,
		Doc: "The field keeps what the observed resource has there: the composed resource, or, of a patch to the composite resource, the status " +
			"of that. So a source that goes away for a while takes nothing with it.",
	},
}

// policy sets the policies of a patch.
func (c *compiler) policy(at *field.Path, in *v1beta1.PatchPolicy) {
	if in == nil {
		return
	}
	read, ok := find(readPolicies, func(r ReadPolicy) v1beta1.FromFieldPathPolicy { return r.Name }, in.FromFieldPath)
	if !ok {
		c.unsupported(at.Child("fromFieldPath"), "policy", string(in.FromFieldPath), names(readPolicies, func(r ReadPolicy) string { return string(r.Name) }))
	}
	write, ok := find(writePolicies, func(w WritePolicy) v1beta1.ToFieldPathPolicy { return w.Name }, in.ToFieldPath)
	if !ok {
		c.unsupported(at.Child("toFieldPath"), "policy", string(in.ToFieldPath), names(writePolicies, func(w WritePolicy) string { return string(w.Name) }))
	}
	missing, ok := find(missingPolicies, func(m MissingPolicy) v1beta1.WhenMissingPolicy { return m.Name }, in.WhenMissing)
	if !ok {
		c.unsupported(at.Child("whenMissing"), "policy", string(in.WhenMissing), names(missingPolicies, func(m MissingPolicy) string { return string(m.Name) }))
	}
	c.patch.Required, c.patch.merge, c.patch.Keeps = read.required, write.merge, missing.keeps
	if missing.keeps {
		c.keeps(at.Child("whenMissing"))
	}
}

// keeps checks that there is one observed field to keep.
func (c *compiler) keeps(at *field.Path) {
	name := string(v1beta1.WhenMissingKeepObserved)
	switch {
	case c.patch.To != Composed && c.patch.To != Composite:
		c.invalid(at, name, fmt.Sprintf("%s is not observed; only fields of resources can be kept", c.patch.To))
	case c.patch.target != nil && c.patch.target.HasWildcard():
		c.invalid(at, name, fmt.Sprintf("cannot keep %s, which stands for several fields; give one without a wildcard", c.patch.target))
	}
}

// find returns the row of a table with a name; without a name, the first row.
func find[R any, N ~string](rows []R, name func(R) N, wanted N) (R, bool) {
	if wanted == "" {
		return rows[0], true
	}
	for _, r := range rows {
		if name(r) == wanted {
			return r, true
		}
	}
	var none R
	return none, false
}

func names[R any](rows []R, name func(R) string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = name(r)
	}
	return out
}

package patch

import (
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
		Doc: "A composed resource that does not exist yet is not created before the source is there; a warning says so, and the composite " +
			"resource is not ready. One that exists stays as it is, without this patch. Among the environment's patches, and in a " +
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
	c.patch.Required, c.patch.merge = read.required, write.merge
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

package v1beta1

// PatchType says where a patch reads and where it writes.
// +k8s:enum
type PatchType string

// The types of patches.
const (
	// PatchTypeFromCompositeFieldPath copies a field of the composite resource
	// to the composed resource, or to the environment.
	PatchTypeFromCompositeFieldPath PatchType = "FromCompositeFieldPath"
	// PatchTypeToCompositeFieldPath copies a field of the observed composed
	// resource, or of the environment, to the composite resource.
	PatchTypeToCompositeFieldPath PatchType = "ToCompositeFieldPath"
	// PatchTypeCombineFromComposite combines several fields of the composite
	// resource to one of the composed resource, or of the environment.
	PatchTypeCombineFromComposite PatchType = "CombineFromComposite"
	// PatchTypeCombineToComposite combines several fields of the observed
	// composed resource, or of the environment, to one of the composite resource.
	PatchTypeCombineToComposite PatchType = "CombineToComposite"
	// PatchTypeFromEnvironmentFieldPath copies a field of the environment to the
	// composed resource, or to the composite resource.
	PatchTypeFromEnvironmentFieldPath PatchType = "FromEnvironmentFieldPath"
	// PatchTypeToEnvironmentFieldPath copies a field of the observed composed
	// resource, or of the composite resource, to the environment.
	PatchTypeToEnvironmentFieldPath PatchType = "ToEnvironmentFieldPath"
	// PatchTypeCombineFromEnvironment combines several fields of the environment
	// to one of the composed resource, or of the composite resource.
	PatchTypeCombineFromEnvironment PatchType = "CombineFromEnvironment"
	// PatchTypeCombineToEnvironment combines several fields of the observed
	// composed resource, or of the composite resource, to one of the environment.
	PatchTypeCombineToEnvironment PatchType = "CombineToEnvironment"
	// PatchTypePatchSet includes the patches of a patch set.
	PatchTypePatchSet PatchType = "PatchSet"
)

// Patch is a patch of a composed resource, or of a patch set. The patches of the
// other places have types of their own, for their schemas differ, but convert to
// this one: see Patches.
// +patchwork:when:type=FromCompositeFieldPath;ToCompositeFieldPath;FromEnvironmentFieldPath;ToEnvironmentFieldPath,required=fromFieldPath
// +patchwork:when:type=CombineFromComposite;CombineToComposite;CombineFromEnvironment;CombineToEnvironment,required=combine;toFieldPath
// +patchwork:when:type=PatchSet,required=patchSetName
type Patch struct {
	// Type of the patch.
	// +optional
	// +kubebuilder:default=FromCompositeFieldPath
	Type PatchType `json:"type,omitempty"`

	PatchFields `json:",inline"`

	// PatchSetName names the patch set that a patch of type PatchSet includes.
	// +optional
	// +kubebuilder:validation:MinLength=1
	PatchSetName *string `json:"patchSetName,omitempty"`
}

// EnvironmentPatch is a patch between the environment and the composite
// resource.
// +patchwork:when:type=FromCompositeFieldPath;ToCompositeFieldPath;FromEnvironmentFieldPath;ToEnvironmentFieldPath,required=fromFieldPath
// +patchwork:when:type=CombineFromComposite;CombineToComposite;CombineFromEnvironment;CombineToEnvironment,required=combine;toFieldPath
type EnvironmentPatch struct {
	// Type of the patch. FromCompositeFieldPath and ToEnvironmentFieldPath both
	// write to the environment, ToCompositeFieldPath and FromEnvironmentFieldPath
	// both write to the composite resource, and those that combine likewise.
	// +optional
	// +kubebuilder:default=FromCompositeFieldPath
	Type PatchType `json:"type,omitempty"`

	PatchFields `json:",inline"`

	// PatchSetName is never set. It makes the type convertible to a Patch.
	PatchSetName *string `json:"-"`
}

// ConnectionSecretPatch is a patch from the composite resource to the name or
// the namespace of its connection Secret.
// +patchwork:when:type=FromCompositeFieldPath,required=fromFieldPath
// +patchwork:when:type=CombineFromComposite,required=combine;toFieldPath
type ConnectionSecretPatch struct {
	// Type of the patch.
	// +optional
	// +kubebuilder:default=FromCompositeFieldPath
	Type PatchType `json:"type,omitempty"`

	PatchFields `json:",inline"`

	// PatchSetName is never set. It makes the type convertible to a Patch.
	PatchSetName *string `json:"-"`
}

// Patches converts the patches of any place to those of a composed resource.
func Patches[P EnvironmentPatch | ConnectionSecretPatch](ps []P) []Patch {
	out := make([]Patch, len(ps))
	for i, p := range ps {
		out[i] = Patch(p)
	}
	return out
}

// PatchFields are the fields that the patches of all places have.
type PatchFields struct {
	// FromFieldPath is the path of the field to read. A wildcard [*] reads an
	// array of the values found.
	// +optional
	// +kubebuilder:validation:MinLength=1
	FromFieldPath *string `json:"fromFieldPath,omitempty"`

	// Combine reads several fields and makes one value of them. Only patches
	// whose type begins with Combine have it.
	// +optional
	Combine *Combine `json:"combine,omitempty"`

	// ToFieldPath is the path of the field to write. A wildcard [*] writes to
	// every element of an array or object. Defaults to fromFieldPath; a patch
	// that combines must have it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	ToFieldPath *string `json:"toFieldPath,omitempty"`

	// Transforms that the value goes through, in order, on its way.
	// +optional
	// +listType=atomic
	Transforms []Transform `json:"transforms,omitempty"`

	// Policy says what to do about a missing field, and how to write a value
	// over one that exists.
	// +optional
	Policy *PatchPolicy `json:"policy,omitempty"`
}

// Combine makes one value of several fields.
type Combine struct {
	// Variables are the fields to read, in the order that the strategy uses.
	// +kubebuilder:validation:MinItems=1
	// +listType=atomic
	Variables []CombineVariable `json:"variables"`

	// Strategy that makes one value of the variables.
	Strategy CombineStrategy `json:"strategy"`

	// String configures the strategy string, which needs it.
	String *StringCombine `json:"string"`
}

// CombineVariable is one of the values that are combined.
type CombineVariable struct {
	// FromFieldPath is the path of the field to read.
	// +kubebuilder:validation:MinLength=1
	FromFieldPath string `json:"fromFieldPath"`
}

// CombineStrategy is a way to make one value of several.
// +k8s:enum
type CombineStrategy string

// CombineStrategyString formats the values as a string.
const CombineStrategyString CombineStrategy = "string"

// StringCombine combines values with a format string.
type StringCombine struct {
	// Format is a format string of Go's package fmt, with a verb for each
	// variable.
	Format string `json:"fmt"`
}

// PatchPolicy says how a patch reads and writes.
type PatchPolicy struct {
	// FromFieldPath says what to do when a field to read is missing: nothing, or
	// hold the resource back until it is there.
	// +optional
	// +kubebuilder:default=Optional
	FromFieldPath FromFieldPathPolicy `json:"fromFieldPath,omitempty"`

	// ToFieldPath says how to write a value over one that exists.
	// +optional
	// +kubebuilder:default=Replace
	ToFieldPath ToFieldPathPolicy `json:"toFieldPath,omitempty"`
}

// FromFieldPathPolicy says what to do when a field to read is missing.
// +k8s:enum
type FromFieldPathPolicy string

// The policies for a missing field.
const (
	// FromFieldPathPolicyOptional leaves the patch out.
	FromFieldPathPolicyOptional FromFieldPathPolicy = "Optional"
	// FromFieldPathPolicyRequired holds the patched resource back.
	FromFieldPathPolicyRequired FromFieldPathPolicy = "Required"
)

// ToFieldPathPolicy says how to write a value over one that exists.
// +k8s:enum
type ToFieldPathPolicy string

// The policies for writing a value over one that exists.
const (
	// ToFieldPathPolicyReplace writes the new value in place of the old.
	ToFieldPathPolicyReplace ToFieldPathPolicy = "Replace"
	// ToFieldPathPolicyMergeObjects merges objects; where both have a value, the
	// old one stays. Arrays are replaced.
	ToFieldPathPolicyMergeObjects ToFieldPathPolicy = "MergeObjects"
	// ToFieldPathPolicyMergeObjectsAppendArrays merges objects; where both have a
	// value, the old one stays. Arrays are appended to, without duplicates.
	ToFieldPathPolicyMergeObjectsAppendArrays ToFieldPathPolicy = "MergeObjectsAppendArrays"
	// ToFieldPathPolicyForceMergeObjects merges objects; where both have a value,
	// the new one wins. Arrays are replaced.
	ToFieldPathPolicyForceMergeObjects ToFieldPathPolicy = "ForceMergeObjects"
	// ToFieldPathPolicyForceMergeObjectsAppendArrays merges objects; where both
	// have a value, the new one wins. Arrays are appended to, without duplicates.
	ToFieldPathPolicyForceMergeObjectsAppendArrays ToFieldPathPolicy = "ForceMergeObjectsAppendArrays"
	// ToFieldPathPolicyMergeObject is the deprecated name of MergeObjects.
	ToFieldPathPolicyMergeObject ToFieldPathPolicy = "MergeObject"
	// ToFieldPathPolicyAppendArray is deprecated: use
	// ForceMergeObjectsAppendArrays.
	ToFieldPathPolicyAppendArray ToFieldPathPolicy = "AppendArray"
)

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
	// PatchTypeFromComposedFieldPath copies a field of another observed composed
	// resource to the composed resource, or to the environment.
	PatchTypeFromComposedFieldPath PatchType = "FromComposedFieldPath"
	// PatchTypeFromContextFieldPath copies a field of the pipeline's context to
	// the composed resource, or to the environment.
	PatchTypeFromContextFieldPath PatchType = "FromContextFieldPath"
	// PatchTypeToContextFieldPath copies a field of the observed composed
	// resource, or of the environment, to the pipeline's context.
	PatchTypeToContextFieldPath PatchType = "ToContextFieldPath"
	// PatchTypeFromRequiredFieldPath copies a field of a required resource to the
	// composed resource, or to the environment.
	PatchTypeFromRequiredFieldPath PatchType = "FromRequiredFieldPath"
	// PatchTypeFromItemFieldPath copies a field of the element that the resource
	// is made for.
	PatchTypeFromItemFieldPath PatchType = "FromItemFieldPath"
	// PatchTypeFromValue writes a fixed value.
	PatchTypeFromValue PatchType = "FromValue"
	// PatchTypeRemoveField removes a field.
	PatchTypeRemoveField PatchType = "RemoveField"
	// PatchTypePatchSet includes the patches of a patch set.
	PatchTypePatchSet PatchType = "PatchSet"
)

// Patch is a patch of a composed resource, or of a patch set. The patches of the
// other places have types of their own, for their schemas differ, but convert to
// this one: see Patches.
// +patchwork:when:type=FromCompositeFieldPath;ToCompositeFieldPath;FromEnvironmentFieldPath;ToEnvironmentFieldPath,required=fromFieldPath|fromFieldPaths
// +patchwork:when:type=CombineFromComposite;CombineToComposite;CombineFromEnvironment;CombineToEnvironment,required=combine;toFieldPath
// +patchwork:when:type=FromComposedFieldPath,required=resource;fromFieldPath|fromFieldPaths|connectionDetail
// +patchwork:when:type=FromContextFieldPath,required=contextKey
// +patchwork:when:type=ToContextFieldPath,required=contextKey;fromFieldPath|fromFieldPaths
// +patchwork:when:type=FromRequiredFieldPath,required=required
// +patchwork:when:type=FromValue,required=value;toFieldPath
// +patchwork:when:type=RemoveField,required=toFieldPath
// +patchwork:when:type=FromItemFieldPath
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
// +patchwork:when:type=FromCompositeFieldPath;ToCompositeFieldPath;FromEnvironmentFieldPath;ToEnvironmentFieldPath,required=fromFieldPath|fromFieldPaths
// +patchwork:when:type=CombineFromComposite;CombineToComposite;CombineFromEnvironment;CombineToEnvironment,required=combine;toFieldPath
// +patchwork:when:type=FromComposedFieldPath,required=resource;fromFieldPath|fromFieldPaths|connectionDetail
// +patchwork:when:type=FromContextFieldPath,required=contextKey
// +patchwork:when:type=ToContextFieldPath,required=contextKey;fromFieldPath|fromFieldPaths
// +patchwork:when:type=FromRequiredFieldPath,required=required
// +patchwork:when:type=FromValue,required=value;toFieldPath
// +patchwork:when:type=RemoveField,required=toFieldPath
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
// +patchwork:when:type=FromCompositeFieldPath,required=fromFieldPath|fromFieldPaths
// +patchwork:when:type=CombineFromComposite,required=combine;toFieldPath
// +patchwork:when:type=FromComposedFieldPath,required=resource;fromFieldPath|fromFieldPaths|connectionDetail
// +patchwork:when:type=FromContextFieldPath,required=contextKey
// +patchwork:when:type=FromRequiredFieldPath,required=required
// +patchwork:when:type=FromValue,required=value;toFieldPath
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
	// Condition is a CEL expression. Where it is false the patch does nothing.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="xr.spec.?encrypted.orValue(true)"
	Condition *string `json:"condition,omitempty"`

	// FromFieldPath is the path of the field to read. A wildcard [*] reads an
	// array of the values found. Patches from an item, the context or a required
	// resource read the whole without it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="spec.parameters.region"
	FromFieldPath *string `json:"fromFieldPath,omitempty"`

	// FromFieldPaths are the paths of several fields, instead of one. The first
	// that is there is read.
	// +optional
	// +kubebuilder:validation:MinItems=1
	// +listType=atomic
	FromFieldPaths []string `json:"fromFieldPaths,omitempty"`

	SourceFields `json:",inline"`

	// Default is the value to use when what the patch reads is missing. It goes
	// through the transforms as well.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	Default any `json:"default,omitempty"`

	// Combine reads several fields and makes one value of them. Only patches
	// whose type begins with Combine have it.
	// +optional
	Combine *Combine `json:"combine,omitempty"`

	// ToFieldPath is the path of the field to write. A wildcard [*] writes to
	// every element of an array or object. Defaults to fromFieldPath; a patch
	// that has none must have it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="spec.forProvider.region"
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

// SourceFields say which document of its kind is read.
type SourceFields struct {
	// Resource is the name of another composed resource, of this input or of an
	// earlier step. In a resource with forEach, $key in it stands for the key.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Resource *string `json:"resource,omitempty"`

	// ConnectionDetail is the key of a connection detail of the resource, to be
	// read instead of a field. The input must allow it: see allowSecretSources.
	// +optional
	// +kubebuilder:validation:MinLength=1
	ConnectionDetail *string `json:"connectionDetail,omitempty"`

	// ContextKey is the key of the pipeline's context.
	// +optional
	// +kubebuilder:validation:MinLength=1
	ContextKey *string `json:"contextKey,omitempty"`

	// Required is the name of a required resource.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Required *string `json:"required,omitempty"`

	// Value is a fixed value of any kind.
	// +optional
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	Value any `json:"value,omitempty"`
}

// SourceName names a document to read from.
// +k8s:enum
type SourceName string

// The documents to read from.
const (
	// SourceComposite is the observed composite resource.
	SourceComposite SourceName = "Composite"
	// SourceEnvironment is the environment, as it has been written so far.
	SourceEnvironment SourceName = "Environment"
	// SourceComposed is an observed composed resource: the one that resource
	// names, or the patched one.
	SourceComposed SourceName = "Composed"
	// SourceContext is the pipeline's context at contextKey.
	SourceContext SourceName = "Context"
	// SourceRequired is the required resource that required names.
	SourceRequired SourceName = "Required"
	// SourceItem is the element that the resource is made for.
	SourceItem SourceName = "Item"
	// SourceValue is a fixed value.
	SourceValue SourceName = "Value"
)

// Combine makes one value of several.
// +patchwork:when:field=strategy,type=string,required=string
// +patchwork:when:field=strategy,type=array
// +patchwork:when:field=strategy,type=object
type Combine struct {
	// Variables are the values, in the order that the strategy uses.
	// +kubebuilder:validation:MinItems=1
	// +listType=atomic
	Variables []CombineVariable `json:"variables"`

	// Strategy that makes one value of the variables.
	Strategy CombineStrategy `json:"strategy"`

	// String configures the strategy string, which needs it.
	// +optional
	String *StringCombine `json:"string,omitempty"`
}

// CombineVariable is one of the values that are combined.
// +patchwork:when:field=source,type=Composite;Environment,default=true,required=fromFieldPath
// +patchwork:when:field=source,type=Composed,required=fromFieldPath|connectionDetail
// +patchwork:when:field=source,type=Context,required=contextKey
// +patchwork:when:field=source,type=Required,required=required
// +patchwork:when:field=source,type=Item
// +patchwork:when:field=source,type=Value,required=value
type CombineVariable struct {
	// Source is the document to read from. Without it, it is the one that the
	// patch reads from.
	// +optional
	Source SourceName `json:"source,omitempty"`

	// FromFieldPath is the path of the field to read. Without it, the whole item,
	// context or required resource is read.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="spec.parameters.region"
	FromFieldPath *string `json:"fromFieldPath,omitempty"`

	SourceFields `json:",inline"`

	// Key of the value in the object that the strategy object makes, which needs
	// it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Key *string `json:"key,omitempty"`

	// Transforms that the value goes through, in order, before it is combined.
	// +optional
	// +listType=atomic
	Transforms []Transform `json:"transforms,omitempty"`
}

// CombineStrategy is a way to make one value of several.
// +k8s:enum
type CombineStrategy string

// The strategies.
const (
	// CombineStrategyString formats the values as a string.
	CombineStrategyString CombineStrategy = "string"
	// CombineStrategyArray makes an array of the values.
	CombineStrategyArray CombineStrategy = "array"
	// CombineStrategyObject makes an object of the values, by their keys.
	CombineStrategyObject CombineStrategy = "object"
)

// StringCombine combines values with a format string.
type StringCombine struct {
	// Format is a format string of Go's package fmt, with a verb for each
	// variable.
	// +kubebuilder:example="%s-%s"
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

	// WhenMissing says what becomes of the field to write when a field to read is
	// missing.
	// +optional
	// +kubebuilder:default=Skip
	WhenMissing WhenMissingPolicy `json:"whenMissing,omitempty"`
}

// WhenMissingPolicy says what becomes of the field to write when a field to read
// is missing.
// +k8s:enum
type WhenMissingPolicy string

// The policies for the field to write when the one to read is missing.
const (
	// WhenMissingSkip does nothing.
	WhenMissingSkip WhenMissingPolicy = "Skip"
	// WhenMissingKeepObserved writes what the observed resource has.
	WhenMissingKeepObserved WhenMissingPolicy = "KeepObserved"
)

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

package v1beta1

// RequiredResource says which resource of the cluster, or which of them, the
// input reads. It has matchName or matchLabels.
// +patchwork:either:fields=matchName;matchLabels
type RequiredResource struct {
	// Name by which the input refers to what was found.
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`

	// APIVersion of the resource.
	APIVersion Text `json:"apiVersion"`

	// Kind of the resource.
	Kind Text `json:"kind"`

	// Namespace that the resource is in. Without one a cluster-scoped resource is
	// meant, or, by labels, one of any namespace.
	// +optional
	Namespace *Text `json:"namespace,omitempty"`

	// MatchName is the name of the resource. What is read is the resource.
	// +optional
	MatchName *Text `json:"matchName,omitempty"`

	// MatchLabels are labels that the resources have. What is read is the array of
	// all that have them, sorted by namespace and name.
	// +optional
	MatchLabels map[string]Text `json:"matchLabels,omitempty"`

	// Policy says what to do while there is no such resource. With Required no
	// resource of the input is created before it is there; those that exist stay.
	// +optional
	// +kubebuilder:default=Optional
	Policy FromFieldPathPolicy `json:"policy,omitempty"`
}

// Text is a string, or says which field of the composite resource has it.
// +patchwork:orString
type Text struct {
	// Fixed is the string, if it is one.
	Fixed *string `json:"-"`

	// FromFieldPath is the path of the field of the composite resource.
	// +kubebuilder:validation:MinLength=1
	FromFieldPath *string `json:"fromFieldPath"`

	// Default is the string if the field is missing. Without it the resource is
	// not looked for then.
	// +optional
	Default *string `json:"default,omitempty"`
}

// SetString makes a fixed text of a string.
func (t *Text) SetString(s string) { t.Fixed = &s }

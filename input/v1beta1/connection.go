package v1beta1

// ConnectionDetailType is a kind of connection detail.
// +k8s:enum
type ConnectionDetailType string

// The types of connection details.
const (
	// ConnectionDetailTypeFromConnectionSecretKey takes a key of the connection
	// Secret of the composed resource.
	ConnectionDetailTypeFromConnectionSecretKey ConnectionDetailType = "FromConnectionSecretKey"
	// ConnectionDetailTypeFromFieldPath takes a field of the observed composed
	// resource.
	ConnectionDetailTypeFromFieldPath ConnectionDetailType = "FromFieldPath"
	// ConnectionDetailTypeFromValue takes a fixed value.
	ConnectionDetailTypeFromValue ConnectionDetailType = "FromValue"
)

// ConnectionDetail is a connection detail that a composed resource contributes
// to those of the composite resource. The field that goes with its type says
// where its value comes from.
// +patchwork:when:type=FromConnectionSecretKey,required=fromConnectionSecretKey
// +patchwork:when:type=FromFieldPath,required=fromFieldPath
// +patchwork:when:type=FromValue,required=value
type ConnectionDetail struct {
	// Name of the connection detail: its key in the connection Secret.
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`

	// Type of the connection detail.
	Type ConnectionDetailType `json:"type"`

	// FromConnectionSecretKey is the key to take from the connection Secret of
	// the composed resource.
	// +optional
	// +kubebuilder:validation:MinLength=1
	FromConnectionSecretKey *string `json:"fromConnectionSecretKey,omitempty"`

	// FromFieldPath is the path of the field to take from the observed composed
	// resource.
	// +optional
	// +kubebuilder:validation:MinLength=1
	FromFieldPath *string `json:"fromFieldPath,omitempty"`

	// Value is a fixed value.
	// +optional
	Value *string `json:"value,omitempty"`
}

// WriteConnectionSecretToRef names the Secret that is composed from the
// connection details. What the composite resource itself asks for in
// spec.writeConnectionSecretToRef wins.
type WriteConnectionSecretToRef struct {
	// Name of the Secret.
	// +optional
	Name *string `json:"name,omitempty"`

	// Namespace of the Secret. A composite resource that lives in a namespace
	// has its Secret there.
	// +optional
	Namespace *string `json:"namespace,omitempty"`

	// Patches from the composite resource to the name and the namespace of the
	// Secret, in order. Their toFieldPath is name or namespace.
	// +optional
	// +listType=atomic
	Patches []ConnectionSecretPatch `json:"patches,omitempty"`
}

package v1beta1

// ReadinessCheckType is a kind of readiness check.
// +k8s:enum
type ReadinessCheckType string

// The types of readiness checks.
const (
	// ReadinessCheckTypeMatchString holds when a field is a given string.
	ReadinessCheckTypeMatchString ReadinessCheckType = "MatchString"
	// ReadinessCheckTypeMatchInteger holds when a field is a given integer.
	ReadinessCheckTypeMatchInteger ReadinessCheckType = "MatchInteger"
	// ReadinessCheckTypeMatchTrue holds when a field is true.
	ReadinessCheckTypeMatchTrue ReadinessCheckType = "MatchTrue"
	// ReadinessCheckTypeMatchFalse holds when a field is false.
	ReadinessCheckTypeMatchFalse ReadinessCheckType = "MatchFalse"
	// ReadinessCheckTypeMatchCondition holds when a condition has a given status.
	ReadinessCheckTypeMatchCondition ReadinessCheckType = "MatchCondition"
	// ReadinessCheckTypeNonEmpty holds when a field is there.
	ReadinessCheckTypeNonEmpty ReadinessCheckType = "NonEmpty"
	// ReadinessCheckTypeMatchExpression holds when a CEL expression does.
	ReadinessCheckTypeMatchExpression ReadinessCheckType = "MatchExpression"
	// ReadinessCheckTypeHealthy holds when the resource is healthy by the rules of
	// its kind.
	ReadinessCheckTypeHealthy ReadinessCheckType = "Healthy"
	// ReadinessCheckTypeNone always holds.
	ReadinessCheckTypeNone ReadinessCheckType = "None"
)

// ReadinessCheck is something that must hold of the observed composed resource
// for it to be ready.
// +patchwork:when:type=MatchString,required=fieldPath;matchString
// +patchwork:when:type=MatchInteger,required=fieldPath;matchInteger
// +patchwork:when:type=MatchTrue;MatchFalse;NonEmpty,required=fieldPath
// +patchwork:when:type=MatchExpression,required=matchExpression
// +patchwork:when:type=MatchCondition;Healthy;None
type ReadinessCheck struct {
	// Type of the check.
	Type ReadinessCheckType `json:"type"`

	// FieldPath is the path of the field to look at. All types need it but
	// MatchCondition and None.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="status.atProvider.state"
	FieldPath *string `json:"fieldPath,omitempty"`

	// MatchString is the string that type MatchString compares with.
	// +optional
	MatchString *string `json:"matchString,omitempty"`

	// MatchInteger is the integer that type MatchInteger compares with.
	// +optional
	MatchInteger *int64 `json:"matchInteger,omitempty"`

	// MatchCondition is the condition that type MatchCondition looks for.
	// Without it, the condition Ready must be True.
	// +optional
	MatchCondition *MatchCondition `json:"matchCondition,omitempty"`

	// MatchExpression is the CEL expression that type MatchExpression evaluates.
	// self is the observed resource.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="self.status.replicas > 1"
	MatchExpression *string `json:"matchExpression,omitempty"`
}

// MatchCondition is a condition that a resource must have.
type MatchCondition struct {
	// Type of the condition. Defaults to Ready.
	// +optional
	// +kubebuilder:default=Ready
	Type string `json:"type,omitempty"`

	// Status of the condition. Defaults to True.
	// +optional
	// +kubebuilder:default="True"
	Status string `json:"status,omitempty"`
}

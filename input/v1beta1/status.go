package v1beta1

// StatusCondition is a condition that the composite resource is given.
type StatusCondition struct {
	// Type of the condition, in PascalCase: NetworkReady. Those that Crossplane
	// sets itself, such as Ready and Synced, cannot be set.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="NetworkReady"
	Type string `json:"type"`

	// Target says who is given the condition.
	// +optional
	// +kubebuilder:default=Composite
	Target ConditionTarget `json:"target,omitempty"`

	// Condition is a CEL expression. Where it is false this one is left out. Of
	// several of the same type the first that is not left out is set.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Condition *string `json:"condition,omitempty"`

	// Status is a CEL expression: a bool, or one of the strings True, False and
	// Unknown.
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="has(composed.network)"
	Status string `json:"status"`

	// Reason of the status, one word in PascalCase, for programs to read.
	// +kubebuilder:validation:Pattern=`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`
	// +kubebuilder:validation:MaxLength=1024
	// +kubebuilder:example="Available"
	Reason string `json:"reason"`

	// Message for people. A verb such as %s stands for each of the variables.
	// +optional
	Message *string `json:"message,omitempty"`

	// Variables are the fields that the message tells, in the order of its verbs.
	// One that is missing is told as <none>.
	// +optional
	// +listType=atomic
	Variables []CombineVariable `json:"variables,omitempty"`
}

// ConditionTarget is who is given a condition.
// +k8s:enum
type ConditionTarget string

// The targets of conditions.
const (
	// ConditionTargetComposite is the composite resource.
	ConditionTargetComposite ConditionTarget = "Composite"
	// ConditionTargetCompositeAndClaim is the claim as well, if there is one.
	ConditionTargetCompositeAndClaim ConditionTarget = "CompositeAndClaim"
)

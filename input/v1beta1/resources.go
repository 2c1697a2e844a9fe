// Package v1beta1 holds the types of the function's input: apiVersion
// pt.fn.crossplane.io/v1beta1, kind Resources. They are plain data. An empty
// Type, Policy or Format means the default that its field documents: nothing
// fills it in.
//
// The CustomResourceDefinition and the JSON Schema of the input are generated
// from these types and the markers in their comments. A marker patchwork:when
// says what an object of some types requires. It becomes an anyOf, not CEL: the
// API server bounds what CEL can cost, and lists of lists may be long here.
package v1beta1

const (
	// APIVersion that an input must have.
	APIVersion = "pt.fn.crossplane.io/v1beta1"
	// Kind that an input must have.
	Kind = "Resources"
)

// Resources is the input of the function: the resources to compose, and how to
// patch them from and to the composite resource and the environment.
// +kubebuilder:validation:XValidation:rule="(has(self.resources) && size(self.resources) > 0) || (has(self.environment) && has(self.environment.patches) && size(self.environment.patches) > 0)",message="there is nothing to do: give resources, or patches of the environment",fieldPath=".resources"
type Resources struct {
	// Condition is a CEL expression. Where it is false the function does nothing:
	// what earlier steps of the pipeline desire passes through as it is, and the
	// resources of this input are not desired, so that those that exist are
	// deleted.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Condition *string `json:"condition,omitempty"`

	// RequiredResources are resources of the cluster that Crossplane fetches for
	// this input, for its patches, loops and expressions to read.
	// +optional
	// +listType=map
	// +listMapKey=name
	RequiredResources []RequiredResource `json:"requiredResources,omitempty"`

	// AllowSecretSources lets patches, loops and combined variables read values
	// of composed and required Secrets, and connection details of composed
	// resources. They are shown in no error, log or event in any case.
	// +optional
	AllowSecretSources *bool `json:"allowSecretSources,omitempty"`

	// PatchSets are named lists of patches. A resource includes one with a patch
	// of type PatchSet.
	// +optional
	// +listType=map
	// +listMapKey=name
	PatchSets []PatchSet `json:"patchSets,omitempty"`

	// Environment holds patches between the environment and the composite
	// resource. They run before those of the resources.
	// +optional
	Environment *Environment `json:"environment,omitempty"`

	// Resources to compose, in the order in which they are patched. May be left
	// out when there are environment patches. Their names are unique.
	// +optional
	// +listType=atomic
	Resources []ComposedTemplate `json:"resources,omitempty"`

	// WriteConnectionSecretToRef names the Secret that is composed from the
	// connection details of a composite resource that has no connection Secret
	// of its own, one with a field spec.crossplane. For any other composite
	// resource it has no effect.
	// +optional
	WriteConnectionSecretToRef *WriteConnectionSecretToRef `json:"writeConnectionSecretToRef,omitempty"`

	// StatusConditions are conditions that the composite resource is given.
	// +optional
	// +listType=atomic
	StatusConditions []StatusCondition `json:"statusConditions,omitempty"`

	// Ready is a CEL expression that decides whether the composite resource is
	// ready. Without it, it is ready when all that is composed is.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="composed.?database.?status.?ready.orValue(false)"
	Ready *string `json:"ready,omitempty"`

	// ResponseTTL is how long Crossplane may use the response for, and after
	// which it asks again though nothing has changed: a duration such as 10m or
	// 1h30m. By default the flag --response-ttl of the server says it.
	// +optional
	// +kubebuilder:validation:Pattern=`^([0-9]+(\.[0-9]+)?(ms|s|m|h))+$`
	// +kubebuilder:example="10m"
	ResponseTTL *string `json:"responseTTL,omitempty"`
}

// Environment holds the patches between the environment and the composite
// resource.
type Environment struct {
	// Patches to apply, in order.
	// +optional
	// +listType=atomic
	Patches []EnvironmentPatch `json:"patches,omitempty"`
}

// PatchSet is a named list of patches that resources can share.
type PatchSet struct {
	// Name of the patch set, unique among the patch sets.
	// +kubebuilder:validation:MinLength=1
	Name string `json:"name"`

	// Condition is a CEL expression. Where it is false the patches of the set do
	// nothing. It is evaluated once for each time that the set is included.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Condition *string `json:"condition,omitempty"`

	// Patches of the set, in order. They take the place of the patch that
	// includes the set. One of type PatchSet includes a patch set that comes
	// before this one.
	// +listType=atomic
	Patches []Patch `json:"patches"`
}

package v1beta1

// ComposedTemplate describes one composed resource; with forEach, one for each
// element of an array; with a selector, those of earlier steps that match.
// +patchwork:either:fields=name;selector
type ComposedTemplate struct {
	// Name of the resource, unique among the resources. It ties the template to
	// the resource that exists already: a resource whose name changes is deleted
	// and made anew. Every resource needs one, unless it has a selector.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="subnet"
	Name string `json:"name,omitempty"`

	// Condition is a CEL expression. Where it is false the resource is not
	// desired, so that one that exists is deleted; one without a base stays as the
	// earlier step desires it.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="xr.spec.?bastion.?enabled.orValue(false)"
	Condition *string `json:"condition,omitempty"`

	// ForEach makes a resource for each element of an array or object. It is named
	// after this one and the key of the element: subnet-a.
	// +optional
	ForEach *ForEach `json:"forEach,omitempty"`

	// DependsOn are the resources that this one waits for: while it does not exist
	// it is not created before they are there. One that exists stays.
	// +optional
	// +listType=atomic
	DependsOn []Dependency `json:"dependsOn,omitempty"`

	// Selector selects resources that earlier steps of the pipeline desire, instead
	// of a name. The patches, checks and details are those of each of them.
	// +optional
	Selector *Selector `json:"selector,omitempty"`

	// IfMissing says what to do when no earlier step desires the resource of a
	// template that has no base.
	// +optional
	// +kubebuilder:default=Fail
	IfMissing IfMissingPolicy `json:"ifMissing,omitempty"`

	// Base is the resource before it is patched, with at least an apiVersion and
	// a kind. Without a base the resource is one that an earlier step of the
	// pipeline desires, and the patches change that one.
	// +optional
	// +kubebuilder:validation:EmbeddedResource
	// +kubebuilder:pruning:PreserveUnknownFields
	// +kubebuilder:validation:Schemaless
	// +kubebuilder:validation:Type=object
	Base map[string]any `json:"base,omitempty"`

	// Patches to and from the resource, in order.
	// +optional
	// +listType=atomic
	Patches []Patch `json:"patches,omitempty"`

	// ConnectionDetails that the resource contributes to the connection details
	// of the composite resource.
	// +optional
	// +listType=atomic
	ConnectionDetails []ConnectionDetail `json:"connectionDetails,omitempty"`

	// ReadinessChecks that must all hold for the resource to be ready. Without
	// any, the resource is ready when its condition Ready is True.
	// +optional
	// +listType=atomic
	ReadinessChecks []ReadinessCheck `json:"readinessChecks,omitempty"`
}

// ForEach says what a resource is made for each element of.
// +patchwork:when:field=source,type=Composite;Environment,default=true,required=fromFieldPath
// +patchwork:when:field=source,type=Composed,required=resource;fromFieldPath
// +patchwork:when:field=source,type=Context,required=contextKey
// +patchwork:when:field=source,type=Required,required=required
// +patchwork:when:field=source,type=Value,required=value
type ForEach struct {
	// Source is the document to read from. Defaults to Composite.
	// +optional
	Source SourceName `json:"source,omitempty"`

	// FromFieldPath is the path of the array or object.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="spec.subnets"
	FromFieldPath *string `json:"fromFieldPath,omitempty"`

	SourceFields `json:",inline"`

	// Key is the path of the field in an element that tells it from the others,
	// and that the resource is named after. Every array of objects needs one; a
	// string or an integer in an array is its own key, and an entry of an object
	// has its key, unless this says which of its fields is.
	// +optional
	// +kubebuilder:validation:MinLength=1
	// +kubebuilder:example="name"
	Key *string `json:"key,omitempty"`

	// Policy says what to do when the array is missing.
	// +optional
	Policy *ForEachPolicy `json:"policy,omitempty"`
}

// ForEachPolicy says what to do when there is nothing to make resources of.
type ForEachPolicy struct {
	// FromFieldPath says what a missing array means: Optional that it is empty, so
	// that resources that exist are deleted; Required that nothing is made yet,
	// which is an error if resources exist.
	// +optional
	// +kubebuilder:default=Optional
	FromFieldPath FromFieldPathPolicy `json:"fromFieldPath,omitempty"`
}

// Dependency is a resource that another one waits for. A string is the name of
// one that must be ready.
// +patchwork:orString
type Dependency struct {
	// Resource is the name of the resource that is waited for; that of one with
	// forEach stands for all that it makes.
	// +kubebuilder:validation:MinLength=1
	Resource string `json:"resource"`

	// Until is what it is waited for. Defaults to Ready.
	// +optional
	// +kubebuilder:default=Ready
	Until DependencyState `json:"until,omitempty"`
}

// SetString makes a dependency of a string.
func (d *Dependency) SetString(s string) { d.Resource = s }

// DependencyState is what a resource is waited for.
// +k8s:enum
type DependencyState string

// What a resource is waited for.
const (
	// DependencyReady waits until the resource is ready, by its readiness checks
	// or by what the step that made it says.
	DependencyReady DependencyState = "Ready"
	// DependencyExists waits until the resource exists.
	DependencyExists DependencyState = "Exists"
)

// Selector selects resources that earlier steps of the pipeline desire. All that
// it has must match.
// +kubebuilder:validation:MinProperties=1
type Selector struct {
	// APIVersion that the resources have.
	// +optional
	// +kubebuilder:validation:MinLength=1
	APIVersion *string `json:"apiVersion,omitempty"`

	// Kind that the resources have.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Kind *string `json:"kind,omitempty"`

	// MatchLabels are labels that the desired resources have.
	// +optional
	MatchLabels map[string]string `json:"matchLabels,omitempty"`

	// Names is a pattern of their names in the pipeline. * stands for any
	// characters, ? for one: subnet-*.
	// +optional
	// +kubebuilder:validation:MinLength=1
	Names *string `json:"names,omitempty"`
}

// IfMissingPolicy says what to do when a resource to patch is missing.
// +k8s:enum
type IfMissingPolicy string

// The policies for a missing resource.
const (
	// IfMissingFail fails the request.
	IfMissingFail IfMissingPolicy = "Fail"
	// IfMissingSkip leaves the template out.
	IfMissingSkip IfMissingPolicy = "Skip"
)

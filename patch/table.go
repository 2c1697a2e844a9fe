package patch

import "github.com/function-patchwork/function-patchwork/input/v1beta1"

// Document is something that patches read from or write to.
type Document int8

// The documents. Of the composite and the composed resources, patches read the
// observed state and write the desired state.
const (
	Composite Document = iota
	Composed           // the resource that is patched
	Environment
	SecretReference
	Other    // another composed resource
	Context  // at a key
	Required // a required resource, or an array of them
	Item     // the element that the resource is made for
	Constant // a fixed value
)

func (d Document) String() string {
	return [...]string{
		"the composite resource", "the composed resource", "the environment", "the Secret reference", "the composed resource",
		"the context", "the required resource", "the item", "a value",
	}[d]
}

// Scope is where in the input a patch stands.
type Scope int8

// The scopes.
const (
	InResource Scope = iota
	InForEach        // a resource that has forEach
	InPatchSet
	InEnvironment
	InSecretReference
	InStatus // the variables of status conditions, and what forEach itself reads
)

// direction is whether a type of patch reads from the document that it names, or
// writes to it.
type direction int8

const (
	from direction = iota
	to
)

// Type is a type of patch: a row of the table of types.
type Type struct {
	Name v1beta1.PatchType

	// Doc says in plain words what the type does.
	Doc string

	// Combines says that it reads several fields, and makes one value of them.
	Combines bool
	// removes says that it reads nothing, and removes the field.
	removes bool

	// names is the document in the type's name, and whether it is read from.
	names     Document
	direction direction
	scopes    []Scope
}

// Types returns the table of types. PatchSet is not in it: a patch of that type
// stands for others.
func Types() []Type { return types }

var everywhere = []Scope{InResource, InPatchSet, InEnvironment, InSecretReference}

var nearlyEverywhere = []Scope{InResource, InPatchSet, InEnvironment}

var aboutResources = []Scope{InResource, InPatchSet}

var types = []Type{
	{
		Name: v1beta1.PatchTypeFromCompositeFieldPath, names: Composite, direction: from, scopes: everywhere,
		Doc: "Copies a field of the observed composite resource to the composed resource; among the environment's patches, to the environment. " +
			"This is the type of a patch that has none.",
	},
	{
		Name: v1beta1.PatchTypeToCompositeFieldPath, names: Composite, direction: to, scopes: nearlyEverywhere,
		Doc: "Copies a field of the observed composed resource to the composite resource; among the environment's patches, of the environment. " +
			"A function can change only the status of a composite resource.",
	},
	{
		Name: v1beta1.PatchTypeCombineFromComposite, names: Composite, direction: from, Combines: true, scopes: everywhere,
		Doc: "Combines several fields of the observed composite resource into one field of the composed resource; " +
			"among the environment's patches, of the environment.",
	},
	{
		Name: v1beta1.PatchTypeCombineToComposite, names: Composite, direction: to, Combines: true, scopes: nearlyEverywhere,
		Doc: "Combines several fields of the observed composed resource into one field of the composite resource; " +
			"among the environment's patches, several fields of the environment.",
	},
	{
		Name: v1beta1.PatchTypeFromEnvironmentFieldPath, names: Environment, direction: from, scopes: nearlyEverywhere,
		Doc: "Copies a field of the environment to the composed resource; among the environment's patches, to the composite resource.",
	},
	{
		Name: v1beta1.PatchTypeToEnvironmentFieldPath, names: Environment, direction: to, scopes: nearlyEverywhere,
		Doc: "Copies a field of the observed composed resource to the environment; among the environment's patches, of the composite resource. " +
			"Resources that come later in the input can read it in the same call.",
	},
	{
		Name: v1beta1.PatchTypeCombineFromEnvironment, names: Environment, direction: from, Combines: true, scopes: nearlyEverywhere,
		Doc: "Combines several fields of the environment into one field of the composed resource; " +
			"among the environment's patches, of the composite resource.",
	},
	{
		Name: v1beta1.PatchTypeCombineToEnvironment, names: Environment, direction: to, Combines: true, scopes: nearlyEverywhere,
		Doc: "Combines several fields of the observed composed resource into one field of the environment; " +
			"among the environment's patches, several fields of the composite resource.",
	},
	{
		Name: v1beta1.PatchTypeFromComposedFieldPath, names: Other, direction: from, scopes: everywhere,
		Doc: "Copies a field of another observed composed resource, which `resource` names, to the composed resource; among the environment's " +
			"patches, to the environment. The other one may be of this input or of an earlier step of the pipeline. With `connectionDetail` instead " +
			"of a field it copies a connection detail.",
	},
	{
		Name: v1beta1.PatchTypeFromContextFieldPath, names: Context, direction: from, scopes: everywhere,
		Doc: "Copies a field of what the pipeline's context has at `contextKey` to the composed resource; among the environment's patches, to the " +
			"environment. Without `fromFieldPath` it copies all that is there.",
	},
	{
		Name: v1beta1.PatchTypeToContextFieldPath, names: Context, direction: to, scopes: nearlyEverywhere,
		Doc: "Copies a field of the observed composed resource to the pipeline's context, at `contextKey`; among the environment's patches, of the " +
			"environment. Resources that come later in the input, and later steps, can read it in the same call.",
	},
	{
		Name: v1beta1.PatchTypeFromRequiredFieldPath, names: Required, direction: from, scopes: everywhere,
		Doc: "Copies a field of the required resource that `required` names to the composed resource; among the environment's patches, to the " +
			"environment. A required resource that is selected by labels is an array. Without `fromFieldPath` it copies all of it.",
	},
	{
		Name: v1beta1.PatchTypeFromItemFieldPath, names: Item, direction: from, scopes: aboutResources,
		Doc: "Copies a field of the element that a resource with `forEach` is made for to the composed resource. Without `fromFieldPath` it copies " +
			"all of it.",
	},
	{
		Name: v1beta1.PatchTypeFromValue, names: Constant, direction: from, scopes: everywhere,
		Doc: "Writes the `value`, which may be of any kind; after transforms, if there are any.",
	},
	{
		Name: v1beta1.PatchTypeRemoveField, names: Constant, direction: from, removes: true, scopes: nearlyEverywhere,
		Doc: "Removes the field at `toFieldPath`, which the base, an earlier patch or an earlier step may have written; among the environment's " +
			"patches, from the environment. A field that is not there is nothing to do.",
	},
}

// does tells in a word what a patch of this type does to its target.
func (t Type) does() string {
	if t.removes {
		return "remove"
	}
	return "write"
}

// ends returns what a patch of this type reads and writes in a scope.
func (t Type) ends(s Scope) (reads, writes Document) {
	other := Composed
	switch s {
	case InEnvironment:
		other = Environment
		if t.names == Environment {
			other = Composite
		}
	case InSecretReference:
		other = SecretReference
	}
	if t.direction == from {
		return t.names, other
	}
	return other, t.names
}

// typeNames returns the names of the types that a scope allows.
func typeNames(s Scope) []string {
	var names []string
	for _, t := range types {
		if t.allowedIn(s) {
			names = append(names, string(t.Name))
		}
	}
	if includes(s) {
		names = append(names, string(v1beta1.PatchTypePatchSet))
	}
	return names
}

// includes tells whether patches in a scope can include patch sets.
func includes(s Scope) bool { return s == InResource || s == InForEach || s == InPatchSet }

func (t Type) allowedIn(s Scope) bool {
	if s == InForEach {
		s = InResource
	}
	for _, allowed := range t.scopes {
		if allowed == s {
			return true
		}
	}
	return false
}

func lookup(name v1beta1.PatchType, s Scope) (Type, bool) {
	for _, t := range types {
		if t.Name == name && t.allowedIn(s) {
			return t, true
		}
	}
	return Type{}, false
}

package patch

import "github.com/function-patchwork/function-patchwork/input/v1beta1"

// Document is something that patches read from or write to.
type Document int8

// The documents. Of the composite and the composed resource, patches read the
// observed state and write the desired state.
const (
	Composite Document = iota
	Composed
	Environment
	SecretReference
)

func (d Document) String() string {
	return [...]string{"the composite resource", "the composed resource", "the environment", "the Secret reference"}[d]
}

// Scope is where in the input a patch stands.
type Scope int8

// The scopes.
const (
	InResource Scope = iota
	InPatchSet
	InEnvironment
	InSecretReference
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
func includes(s Scope) bool { return s == InResource || s == InPatchSet }

func (t Type) allowedIn(s Scope) bool {
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

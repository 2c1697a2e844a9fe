package cli

import (
	"crypto/sha1" //nolint:gosec // A UUID of version 5 is made with it.
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// uid is that of the composite resource, or one made from what identifies it,
// as Crossplane's CLI does.
func (in *inputs) uid() string {
	xr := in.xr.object
	if uid := stringAt(xr, "metadata", "uid"); uid != "" {
		return uid
	}
	group, version, ok := strings.Cut(stringAt(xr, "apiVersion"), "/")
	if !ok {
		group, version = "", group
	}
	id := group + "/" + version + ", Kind=" + kindOf(xr) + "\x00" + namespaceOf(xr) + "\x00" + nameOf(xr)
	// A version 5 UUID, in the namespace of all zeros.
	h := sha1.Sum(append(make([]byte, 16), id...)) //nolint:gosec // See the import.
	h[6] = h[6]&0x0f | 5<<4
	h[8] = h[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", h[0:4], h[4:6], h[6:8], h[8:10], h[10:16])
}

// observedXR is the composite resource as Crossplane shows it to functions: with
// the fields that Crossplane fills in before it runs a pipeline.
func (in *inputs) observedXR() map[string]any {
	xr := cloneObject(in.xr.object)
	set(xr, in.uid(), "metadata", "uid")
	set(xr, in.namePrefix(), "metadata", "labels", labelComposite)
	set(xr, in.composition.Metadata.Name, in.machinery("compositionRef", "name")...)
	if len(in.observed) > 0 {
		var objects []map[string]any
		for _, m := range in.observed {
			objects = append(objects, m.object)
		}
		set(xr, in.resourceRefs(objects), in.machinery("resourceRefs")...)
	}
	conditions, _ := at(xr, "status", "conditions").([]any)
	set(xr, setCondition(conditions, in.responsive()), "status", "conditions")
	return xr
}

// machinery is the path of a field of the composite resource that Crossplane
// keeps for itself.
func (in *inputs) machinery(field ...string) []string {
	if modern, _ := in.isModern(); modern {
		return append([]string{"spec", "crossplane"}, field...)
	}
	return append([]string{"spec"}, field...)
}

// resourceRefs are the references that a composite resource has to what it
// composes, in the order of Crossplane.
func (in *inputs) resourceRefs(objects []map[string]any) []any {
	key := func(o map[string]any) string {
		return stringAt(o, "apiVersion") + kindOf(o) + nameOf(o) + namespaceOf(o)
	}
	sorted := slices.Clone(objects)
	slices.SortFunc(sorted, func(a, b map[string]any) int { return strings.Compare(key(a), key(b)) })
	refs := make([]any, 0, len(sorted))
	for _, o := range sorted {
		ref := map[string]any{"apiVersion": o["apiVersion"], "kind": kindOf(o), "name": nameOf(o)}
		if ns := namespaceOf(o); ns != "" && namespaceOf(in.xr.object) == "" {
			ref["namespace"] = ns
		}
		refs = append(refs, ref)
	}
	return refs
}

// namePrefix is what the names of composed resources begin with. A composite
// resource that is itself composed has the prefix of the one that composes it.
func (in *inputs) namePrefix() string {
	if prefix := stringAt(in.xr.object, "metadata", "labels", labelComposite); prefix != "" {
		return prefix
	}
	return nameOf(in.xr.object)
}

// composed is a desired composed resource as Crossplane applies it: with its
// name, labels, annotation and owner reference. warning is empty or says what
// Crossplane overrides.
func (in *inputs) composed(name string, object map[string]any) (warning string, err error) {
	if o, ok := in.observed[name]; ok {
		setOrDelete(object, namespaceOf(o.object), "namespace")
		setOrDelete(object, nameOf(o.object), "name")
		setOrDelete(object, stringAt(o.object, "metadata", "generateName"), "generateName")
	}
	if ns := namespaceOf(in.xr.object); ns != "" {
		if got := namespaceOf(object); got != "" && got != ns {
			warning = fmt.Sprintf("composed resource %q: its namespace %q is overridden: "+
				"what a composite resource in a namespace composes is in that namespace, %q", name, got, ns)
		}
		set(object, ns, "metadata", "namespace")
	}
	in.label(object)
	set(object, name, "metadata", "annotations", annotationResourceName)
	if err := in.own(object); err != nil {
		return "", fmt.Errorf("composed resource %q: %w", name, err)
	}
	in.name(name, object)
	return warning, nil
}

// name gives a resource without a name one that stays the same.
func (in *inputs) name(name string, object map[string]any) {
	if nameOf(object) != "" {
		return
	}
	prefix := stringAt(object, "metadata", "generateName")
	if prefix == "" {
		prefix = in.namePrefix() + "-"
		set(object, prefix, "metadata", "generateName")
	}
	set(object, childName(prefix, in.uid(), name), "metadata", "name")
}

// childName makes a name of a prefix and a hash, not longer than a label.
func childName(prefix, uid, name string) string {
	const longest, hashed = 63, 12
	h := sha256.Sum256([]byte(uid + name))
	if !strings.HasSuffix(prefix, "-") {
		prefix += "-"
	}
	if room := longest - hashed; len(prefix) > room {
		prefix = prefix[:room]
		if !strings.HasSuffix(prefix, "-") {
			prefix = prefix[:room-1] + "-"
		}
	}
	return prefix + hex.EncodeToString(h[:])[:hashed]
}

// label adds the labels that tell what a resource belongs to.
func (in *inputs) label(object map[string]any) {
	set(object, in.namePrefix(), "metadata", "labels", labelComposite)
	xr := in.xr.object
	name, namespace := stringAt(xr, "metadata", "labels", labelClaimName), stringAt(xr, "metadata", "labels", labelClaimNamespace)
	if modern, _ := in.isModern(); !modern && (name == "" || namespace == "") {
		name, namespace = stringAt(xr, "spec", "claimRef", "name"), stringAt(xr, "spec", "claimRef", "namespace")
	}
	if name != "" && namespace != "" {
		set(object, name, "metadata", "labels", labelClaimName)
		set(object, namespace, "metadata", "labels", labelClaimNamespace)
	}
}

// own makes the composite resource the controller of a composed one.
func (in *inputs) own(object map[string]any) error {
	if c := controllerOf(object); c != nil && stringAt(c, "uid") != in.uid() {
		return fmt.Errorf("metadata.ownerReferences: is already controlled by %s/%s", kindOf(c), stringAt(c, "name"))
	}
	owners, _ := at(object, "metadata", "ownerReferences").([]any)
	owners = slices.DeleteFunc(owners, func(o any) bool {
		m, _ := o.(map[string]any)
		return stringAt(m, "uid") == in.uid()
	})
	set(object, append(owners, map[string]any{
		"apiVersion":         stringAt(in.xr.object, "apiVersion"),
		"kind":               kindOf(in.xr.object),
		"name":               nameOf(in.xr.object),
		"uid":                in.uid(),
		"controller":         true,
		"blockOwnerDeletion": true,
	}), "metadata", "ownerReferences")
	return nil
}

// controllerOf gives the owner reference of a resource's controller, or nil.
func controllerOf(object map[string]any) map[string]any {
	owners, _ := at(object, "metadata", "ownerReferences").([]any)
	for _, o := range owners {
		if m, ok := o.(map[string]any); ok && m["controller"] == true {
			return m
		}
	}
	return nil
}

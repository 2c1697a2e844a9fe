package main

import "github.com/function-patchwork/function-patchwork/input/v1beta1"

// about writes a heading for each group of the cases of a section, and its cases.
func (r *writer) about(section string, groups ...string) {
	for _, group := range groups {
		r.heading(3, group)
		r.row1(section, group)
	}
}

func (r *writer) conditions() {
	r.heading(2, "Conditions")
	r.line("A `condition` is an expression in [CEL](https://cel.dev), the Common Expression Language, that comes to a bool. The whole input, a " +
		"resource, a patch and a patch set can have one, and so can a patch that includes a patch set. It is evaluated in each call, when its turn " +
		"comes: first that of the input, then those of the environment's patches, then those of the resources in their order.")
	r.table([]string{"condition of", "where it is false"}, [][]string{
		{"the input", "The function does nothing. What earlier steps desire passes through; the resources of this input are not desired, so that Crossplane " +
			"deletes those that exist."},
		{"a resource with a base", "It is not desired. Crossplane deletes it if it exists."},
		{"a resource without a base", "It stays as the earlier step desires it."},
		{"a patch", "It does nothing, whatever its policy is."},
		{"a patch set, or a patch that includes one", "The patches of the set do nothing there."},
	})
	r.line("A condition that cannot be worked out is not false: the whole request fails, nothing is changed, and the error tells which field was missing. " +
		"So a field that may be missing has to be written in a way that says what then holds:")
	r.table([]string{"instead of", "write"}, [][]string{
		{code("xr.spec.bastion.enabled"), code("xr.spec.?bastion.?enabled.orValue(false)")},
		{code(`xr.metadata.labels["example.org/team"] == "a"`), code(`xr.metadata.?labels[?"example.org/team"].orValue("") == "a"`)},
		{code("xr.spec.zones[1] != \"\""), code("xr.spec.?zones[?1].hasValue()")},
		{code("composed.vpc.status.ready"), code("composed.?vpc.?status.?ready.orValue(false)")},
		{code("xr.spec.size > 3"), code("xr.spec.?size.orValue(0) > 3")},
	})
	r.line("The condition of a resource says whether it is wanted. What it has to wait for is better said with `dependsOn` or with a patch that " +
		"is Required: the status of another resource may go missing for a while, and a resource that exists is deleted as soon as its condition is false.")
	r.line("There are CEL's own functions and macros, its optional values, and its extensions for strings, lists, sets, math, encoders and macros with " +
		"two variables. Unknown variables and functions, wrong types and results that are no bool are errors in the input; the kinds of fields are known " +
		"only when the function runs. The length of an expression, its nesting and the work that it may do are bounded.")
	r.heading(3, "Variables")
	r.variables()
	r.row1("conditions", "Variables")
	r.about("conditions", "On a resource", "On patches and patch sets", "On the whole input", "Failures")
}

func (r *writer) variables() {
	rows := [][]string{
		{"xr", "the observed composite resource", "everywhere"},
		{"composed", "the observed composed resources by name, with those of other steps", "everywhere"},
		{"environment", "the environment, as the patches so far have left it", "everywhere"},
		{"required", "the required resources that were found, by name: the resource, or the array of those that are selected by labels", "everywhere"},
		{"context", "the pipeline's context by key, as the patches so far have left it", "everywhere"},
		{"item", "the element that the resource is made for", "resources with `forEach`"},
		{"key", "its key, a string", "resources with `forEach`"},
		{"index", "its position, an int that counts from 0", "resources with `forEach`"},
		{"self", "the observed resource", "readiness checks"},
		{"observed", "the observed state as the request has it: `observed.composite.resource`, and `observed.resources.vpc.resource`", "everywhere"},
		{"desired", "likewise the desired state that earlier steps left", "everywhere"},
	}
	for _, row := range rows {
		row[0] = code(row[0])
	}
	r.table([]string{"variable", "is", "exists in"}, rows)
	r.line("A number without a fraction is an int, and one with a fraction a double. In `observed`, `desired` and `context` all numbers are doubles, as " +
		"they are in function-conditional-patch-and-transform, whose conditions work as they are. CEL compares the two kinds, but does not " +
		"calculate with both: write `int(...)` or `double(...)`.")
}

func (r *writer) loops(crd *schema) {
	r.heading(2, "Loops")
	r.line("A resource with `forEach` stands for several: there is one for each element of an array, or for each entry of an object. It is named " +
		"`<name>-<key>`, and that name ties it to what exists. So a resource stays the same when elements are added, removed or moved; it is " +
		"deleted when its element is gone, and made anew when the key changes.")
	r.fields(crd, "resources", "forEach")
	r.line("The array is read once in each call, before the first of its resources is made. The condition, the patches, the checks and the connection " +
		"details of the resource are those of each of them. Names must be unique, with those of all other resources of the input.")
	r.about("loops", "Keys", "Unfit elements")
	r.heading(3, "Patches in a loop")
	r.line("In the paths of patches `[$key]` stands for the field with the element's key and `[$index]` for the element at its position; " +
		"`[name=$key]` is the item of that name. In the `resource` of a patch and in `dependsOn`, `$key` may be a part of the name: `subnet-$key`. " +
		"A position changes when elements move, and leaves null where a resource has nothing yet, which the schema of an array may not allow: " +
		"prefer the key. Outside of loops all of these are names like others.")
	r.row1("loops", "Patches in a loop")
	r.about("loops", "Sources")
	r.heading(3, "Missing arrays")
	r.line("The `policy.fromFieldPath` of forEach says what a missing array means. Optional, the default, takes it for an empty one, so that resources " +
		"that exist are deleted: right for a field of the composite resource, which the user removes on purpose. Required is for what comes from " +
		"elsewhere, as the status of another resource, and may be missing for a while.")
	r.row1("loops", "Missing arrays")
}

func (r *writer) order() {
	r.heading(2, "Order")
	r.line("Crossplane creates all that is desired at once. With `dependsOn` a resource that does not exist yet is held back until others are " +
		"there. One that exists is never taken away, whatever becomes of those it depends on, and `dependsOn` says nothing about the order of deletion. " +
		"Patches whose policy is Required, loops and required resources hold back in the same way. While something is held back the composite " +
		"resource is not ready.")
	r.line("Each of `dependsOn` is the name of a resource, which must be ready, or an object with these fields. The JSON Schema knows both; the CRD leaves it to the function to check.")
	r.table([]string{"field", "type", "default", "meaning"}, [][]string{
		{code("resource"), "string", "required", "The name of the resource that is waited for. That of one with `forEach` stands for all that it makes."},
		{code("until"), "string", code(string(v1beta1.DependencyReady)), "What is waited for."},
	})
	r.table([]string{"until", "waits until"}, [][]string{
		{code(string(v1beta1.DependencyReady)), "the resource exists and is ready: by its readiness checks, or, if an earlier step makes it, by what that step says"},
		{code(string(v1beta1.DependencyExists)), "the resource exists"},
	})
	r.line("A resource whose condition is false is not waited for, nor is one that `ifMissing: Skip` leaves out. A resource that waits for itself " +
		"by way of others is an error in the input.")
	r.about("order", "What is waited for", "Failures of dependsOn")
	r.heading(3, "The condition Waiting")
	r.line("What is held back is told by the condition `Waiting` of the composite resource. Its status is True with the reason HeldBack if something " +
		"is not created yet, or MissingFields if all is there, and something is left without a field that is Required. It becomes False when that is over. " +
		"An event tells the same, but only when it changes.")
	r.row1("order", "The condition Waiting")
}

func (r *writer) selecting(crd *schema) {
	r.heading(2, "Selecting resources")
	r.line("A resource without a base is one that an earlier step of the pipeline desires. Instead of its name it may have a `selector`, and then stands " +
		"for all that match. The condition, the dependencies, the patches, the checks and the connection details are those of each of them. What is " +
		"matched is what earlier steps desire, before this input changes it.")
	r.heading(3, "Selectors")
	r.fields(crd, "resources", "selector")
	r.row1("selecting", "Selectors")
	r.heading(3, "ifMissing")
	r.line("Says what to do when no earlier step desires the resource that a template without a base names: " +
		code(string(v1beta1.IfMissingFail)) + " the request, which is the default, or " + code(string(v1beta1.IfMissingSkip)) +
		" the template, for a resource that the earlier step makes under a condition.")
	r.row1("selecting", "ifMissing")
}

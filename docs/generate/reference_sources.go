package main

import (
	"strings"

	"github.com/function-patchwork/function-patchwork/fn"
	"github.com/function-patchwork/function-patchwork/health"
	"github.com/function-patchwork/function-patchwork/patch"
)

// missingSources describes what a patch may do about a source that is missing.
func (r *writer) missingSources() {
	r.heading(2, "Missing sources")
	r.line("A source is missing when the document that a patch reads is not there, or lacks the field; a field that is null is there. By default the " +
		"patch then does nothing. It may say more:")
	r.table([]string{"with", "a missing source"}, [][]string{
		{code("fromFieldPaths: [a, b]"), "is one that has none of the fields; the first that is there is read"},
		{code("default: ..."), "has this value, of any kind, which goes through the transforms; so it is never missing, and neither policy matters. " +
			"A patch that combines has it when one of its variables is missing."},
		{code("policy.fromFieldPath: Required"), "holds a new resource back"},
		{code("policy.whenMissing: KeepObserved"), "leaves the field as the observed resource has it; with Required too, it holds back only where there is nothing to keep"},
	})
	r.row1("patches", "Missing sources")
	for _, p := range patch.MissingPolicies() {
		r.heading(3, "whenMissing: "+string(p.Name))
		r.line(p.Doc)
		r.row1("policies", string(p.Name))
	}
}

func (r *writer) sources(crd *schema) {
	r.heading(2, "Sources")
	r.line("The type of a patch says what it reads. The variables of a patch that combines, those of the message of a status condition, and a loop " +
		"may each name a `source` of their own, with the fields that say which one of its kind. Without it, a variable reads what the type of its patch says, " +
		"and a loop or a message the composite resource. A variable has `transforms` of its own, before it is combined.")
	var rows [][]string
	for _, s := range patch.SourceTypes() {
		rows = append(rows, []string{code(string(s.Name)), s.Doc})
	}
	r.table([]string{"source", "is"}, rows)
	r.fields(crd, "resources", "patches", "combine", "variables")
	r.line("What is read of composed resources, of this input and of all other steps, is their observed state. A name that no resource of this " +
		"input and none that an earlier step desires has is told in a notice. The context and the environment are read as they have been written so far.")
	r.row1("sources", "")
}

func (r *writer) required(crd *schema) {
	r.heading(2, "Required resources")
	r.line("A function reads nothing from the cluster itself: it asks Crossplane for it. `requiredResources` says what is asked for. Patches of type " +
		"FromRequiredFieldPath, variables and loops with `source: Required`, and expressions by `required.<name>` read what was found.")
	r.fields(crd, "requiredResources")
	r.line("Each text is a string, or an object:")
	r.table([]string{"field", "type", "meaning"}, [][]string{
		{code("fromFieldPath"), "string", "Path of a field of the composite resource, which must be a string or an integer. It is required."},
		{code("default"), "string", "The text if the field is missing, null or an empty string. Without it the object is not looked for then."},
	})
	for _, line := range []string{
		"- In the first call Crossplane is told what is asked for, and nothing else is done. It calls the function again with what there is, and drops " +
			"the response to the first call. The same is asked for in every call, under the names that the input gives.",
		"- By `matchName` there is one object, or none. By `matchLabels` there is an array, sorted by namespace and name, which may be empty.",
		"- An object that there is not, and one that is not looked for since the composite resource lacks a field, are missing sources; messages tell them " +
			"apart, and from an object that lacks the field. More than one object of a name are an error.",
		"- While an object that is not there has the policy Required, no resource of the input is created; those that exist are patched as ever. Of an " +
			"array there must be one object at least.",
		"- Crossplane must be allowed to read the objects: its service account needs the verbs get, list and watch for their kind.",
		"- Crossplane 2.2 and later tell what they can do; one that says that it fetches no resources for functions gets an error. Those " +
			"before do not tell, and are asked in the way of Crossplane 1 as well, which knows no namespaces.",
	} {
		r.text.WriteString(line + "\n")
	}
	r.text.WriteString("\n")
	r.about("required", "Asking", "What is found", "Missing objects", "Wrong required resources")
}

func (r *writer) statusConditions(crd *schema) {
	r.heading(2, "Status conditions")
	r.line("`statusConditions` gives the composite resource conditions, and `ready` decides whether it is ready. They are worked out last, when all " +
		"resources are done. What cannot be worked out fails the request.")
	r.fields(crd, "statusConditions")
	r.line("Of several of the same type the first whose `condition` holds is set. A condition that is set no more, because none holds or because it is " +
		"taken out of the input, stays on the composite resource as it was: give the last one of a type no `condition`. These types are reserved: " +
		strings.Join(codes(fn.ReservedConditions()), ", ") + ". A message cannot tell data of Secrets.")
	r.heading(3, "Conditions")
	r.row1("status", "Conditions")
	for _, t := range fn.ConditionTargets() {
		r.heading(3, "target: "+string(t.Name))
		r.line(t.Doc)
		r.row1("status", string(t.Name))
	}
	r.heading(3, "ready")
	r.line("Without `ready` Crossplane takes the composite resource for ready when all that is composed is, and nothing is held back. The expression wins " +
		"over that, either way.")
	r.row1("status", "ready")
}

func (r *writer) secrets() {
	r.heading(2, "Secrets")
	r.line("Data of composed and of required Secrets, and connection details of composed resources, can be read by patches, variables and loops only where " +
		"the input says `allowSecretSources: true`. That is an error in the input where the input tells that something is a Secret, and fails the request " +
		"where that is only known then. The apiVersion, kind, type and metadata of a Secret can be read without it, but not its annotations.")
	r.line("It is not needed for what function-patch-and-transform can do: read the resource that is patched, by a patch to the composite resource or to " +
		"the environment. Nor is it for expressions, of which nothing comes but a bool. Who may write the field where a value goes to, and read it, is not " +
		"this function's to say: the status of a composite resource is no place for a password.")
	r.line("No error, event, condition or line of the log shows such a value, also when it comes by way of the environment or the context in the same step.")
	r.about("secrets", "Allowing it", "Hidden values")
}

// healthyKinds writes the table of the rules by which resources are healthy.
func (r *writer) healthyKinds() {
	var rows [][]string
	for _, rule := range health.Rules() {
		group, kinds := rule.Group, strings.Join(rule.Kinds, ", ")
		switch {
		case group == health.Any && kinds == health.Any:
			group, kinds = "", "all others"
		case group == health.Any:
			group = "any"
		}
		rows = append(rows, []string{group, kinds, rule.Doc})
	}
	r.table([]string{"group", "kind", "rule"}, rows)
	r.line("The rules are for all versions of a group. Where a controller tells which generation of the resource it has seen, an older one is not healthy. " +
		"A resource that is being deleted is not healthy either.")
}

func codes(texts []string) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = code(t)
	}
	return out
}

package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"sigs.k8s.io/yaml"
)

// renderVersion is the apiVersion of the documents that only rendering makes.
const renderVersion = "render.crossplane.io/v1beta1"

// conditionTime stands in for the time at which a condition changed, so that
// rendering the same gives the same.
const conditionTime = "2024-01-01T00:00:00Z"

// documents are what Crossplane would apply, and what else the flags ask for:
// the composite resource, the composed resources by name, results, context.
func (c *Render) documents(in *inputs, o *outcome, log io.Writer) ([]map[string]any, error) {
	var composed []map[string]any
	names := slices.Sorted(maps.Keys(o.desired.GetResources()))
	for _, name := range names {
		object := o.desired.GetResources()[name].GetResource().AsMap()
		warning, err := in.composed(name, object)
		if err != nil {
			return nil, err
		}
		if warning != "" {
			_, _ = fmt.Fprintln(log, "WARNING "+warning)
		}
		composed = append(composed, object)
	}
	docs := append([]map[string]any{in.renderedXR(o, composed, c.IncludeFullXR)}, composed...)
	in.remark(o, log)
	if c.IncludeFunctionResults {
		for _, r := range o.results {
			docs = append(docs, r.document())
		}
	}
	if c.IncludeContext {
		docs = append(docs, map[string]any{"apiVersion": renderVersion, "kind": "Context", "fields": o.context.AsMap()})
	}
	return docs, nil
}

// remark says what the rendered documents do not show.
func (in *inputs) remark(o *outcome, log io.Writer) {
	for _, name := range slices.Sorted(maps.Keys(in.observed)) {
		if _, ok := o.desired.GetResources()[name]; !ok {
			_, _ = fmt.Fprintf(log, "NOTICE observed resource %q (%s) is not desired: Crossplane would delete it\n",
				name, in.observed[name])
		}
	}
	if modern, sure := in.isModern(); modern && !sure && len(o.desired.GetComposite().GetConnectionDetails()) > 0 {
		_, _ = fmt.Fprintf(log, "NOTICE %s: %s is rendered as a modern composite resource, whose connection details "+
			"are composed as a Secret; if it is a classic one, give its definition with --xrd\n", in.xr.place(), in.xr)
	}
}

func (r result) document() map[string]any {
	return map[string]any{
		"apiVersion": renderVersion,
		"kind":       "Result",
		"reason":     "ComposeResources",
		"severity":   r.severity,
		"message":    fmt.Sprintf("Pipeline step %q: %s", r.step, r.message),
	}
}

// renderedXR is the composite resource with what is desired of its status, and
// references to what it composes. In full it has all that it had before as well.
func (in *inputs) renderedXR(o *outcome, composed []map[string]any, full bool) map[string]any {
	source := in.xr.object
	xr := map[string]any{"apiVersion": source["apiVersion"], "kind": source["kind"]}
	if full {
		xr = cloneObject(source)
	} else {
		set(xr, nameOf(source), "metadata", "name")
		setOrDelete(xr, namespaceOf(source), "namespace")
	}
	set(xr, in.resourceRefs(composed), in.machinery("resourceRefs")...)
	desired := o.desired.GetComposite().GetResource().AsMap()
	if status := objectAt(desired, "status"); status != nil {
		merge(xr, map[string]any{"status": status})
	}
	in.setConditions(xr, o)
	return xr
}

// setConditions adds the conditions that Crossplane sets to those that the
// composite resource has.
func (in *inputs) setConditions(xr map[string]any, o *outcome) {
	conditions, _ := at(xr, "status", "conditions").([]any)
	observed, _ := at(in.xr.object, "status", "conditions").([]any)
	for _, c := range append(slices.Clone(observed),
		responsive(),
		condition("Synced", "True", "ReconcileSuccess", ""),
		ready(o.desired),
	) {
		conditions = setCondition(conditions, c)
	}
	for _, c := range conditions {
		if m, ok := c.(map[string]any); ok {
			m["lastTransitionTime"] = conditionTime
		}
	}
	set(xr, conditions, "status", "conditions")
}

// setCondition replaces the condition of the same type, or adds it.
func setCondition(conditions []any, c any) []any {
	typeOf := func(c any) string {
		m, _ := c.(map[string]any)
		return stringAt(m, "type")
	}
	i := slices.IndexFunc(conditions, func(old any) bool { return typeOf(old) == typeOf(c) })
	if i < 0 {
		return append(conditions, clone(c))
	}
	conditions[i] = clone(c)
	return conditions
}

// responsive is the condition that Crossplane sets before it runs a pipeline.
func responsive() map[string]any {
	c := condition("Responsive", "True", "WatchCircuitClosed", "")
	c["lastTransitionTime"] = conditionTime
	return c
}

func condition(kind, status, reason, message string) map[string]any {
	c := map[string]any{"type": kind, "status": status, "reason": reason}
	if message != "" {
		c["message"] = message
	}
	return c
}

// ready is the condition Ready of the composite resource: what the functions
// say of it, or else whether all composed resources are ready.
func ready(desired *fnv1.State) map[string]any {
	var unready []string
	for name, r := range desired.GetResources() {
		if r.GetReady() != fnv1.Ready_READY_TRUE {
			unready = append(unready, name)
		}
	}
	switch said := desired.GetComposite().GetReady(); {
	case said == fnv1.Ready_READY_FALSE:
		return condition("Ready", "False", "Creating", "")
	case said == fnv1.Ready_READY_TRUE || len(unready) == 0:
		return condition("Ready", "True", "Available", "")
	}
	slices.Sort(unready)
	return condition("Ready", "False", "Creating", "Unready resources: "+firstNames(unready))
}

// firstNames lists three names, as Crossplane does in its conditions.
func firstNames(names []string) string {
	switch {
	case len(names) > 3:
		return fmt.Sprintf("%s, and %d more", strings.Join(names[:3], ", "), len(names)-3)
	case len(names) == 3:
		return fmt.Sprintf("%s, %s, and %s", names[0], names[1], names[2])
	}
	return strings.Join(names, ", ")
}

// write writes documents as YAML or JSON.
func write(w io.Writer, docs []map[string]any, format string) error {
	for _, doc := range docs {
		data, err := encode(doc, format)
		if err != nil {
			return err
		}
		if _, err := w.Write(data); err != nil {
			return err
		}
	}
	return nil
}

func encode(doc map[string]any, format string) ([]byte, error) {
	if format == "json" {
		data, err := json.MarshalIndent(doc, "", "  ")
		return append(data, '\n'), err
	}
	data, err := yaml.Marshal(doc)
	return append([]byte("---\n"), data...), err
}

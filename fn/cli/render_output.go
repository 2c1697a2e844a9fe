package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"

	"sigs.k8s.io/yaml"
)

// renderVersion is the apiVersion of the documents that only rendering makes.
const renderVersion = "render.crossplane.io/v1beta1"

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

package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// Render is the command that prints what Crossplane would apply.
type Render struct {
	XR          string `arg:"" name:"xr" help:"File or folder with the composite resource (XR) to render; - is standard input."`
	Composition string `arg:"" name:"composition" help:"File or folder with the Composition to render it with; - is standard input."`

	ContextFiles           map[string]string `mapsep:"none" placeholder:"KEY=FILE" help:"Context: a YAML or JSON file for a key. Repeatable."`
	ContextValues          map[string]string `mapsep:"none" placeholder:"KEY=YAML" help:"Context: a value for a key, over --context-files."`
	FunctionCredentials    string            `placeholder:"PATH" help:"Secrets: credentials, and connection details of observed resources."`
	IncludeContext         bool              `short:"c" help:"Print the context after the last step, as an object of kind Context."`
	IncludeFullXR          bool              `short:"x" help:"Print all of the XR, with its spec and metadata."`
	IncludeFunctionResults bool              `short:"r" help:"Print the results of the steps, as objects of kind Result."`
	ObservedResources      string            `short:"o" placeholder:"PATH" help:"The composed resources that exist, each with its annotation."`
	Output                 string            `enum:"yaml,json" default:"yaml" help:"Format of what is printed: yaml or json."`
	RequiredResources      []string          `short:"e" placeholder:"PATH" help:"Resources that steps may require. Repeatable."`
	ExtraResources         []string          `hidden:"" placeholder:"PATH" help:"The same, as it was called before."`
	Skip                   []string          `placeholder:"STEP" help:"Leave this step out, whatever function it needs. Repeatable."`
	XRD                    string            `name:"xrd" placeholder:"PATH" help:"The definition of the XR, for its defaults and its scope."`
}

// Help explains the command.
func (c *Render) Help() string {
	return `Runs the steps of a Composition that use this function, in this process, and
prints what Crossplane would apply: the XR with its status, then the composed
resources. Nothing else is needed: no Docker, no cluster, no Crossplane.

Files are YAML or JSON, with any number of objects; a folder stands for the files
in it, and - for standard input. Observed resources have the annotation
crossplane.io/composition-resource-name, which says which is which. Resources
that a step requires are looked for among the required ones.

Standard output has only what is rendered, as YAML documents. What the function has to say
is on standard error: NORMAL, WARNING and FATAL are results, which Crossplane
shows as events; a NOTICE is about what has no effect, or is not there. The exit
status is 1 when a result is fatal or something else is wrong.

  function-patchwork render xr.yaml composition.yaml
  function-patchwork render xr.yaml composition.yaml -o observed.yaml -r
  function-patchwork render xr.yaml composition.yaml --required-resources classes.yaml
  function-patchwork render claims/orders.yaml compositions --xrd definitions --output json
  kubectl get xnetwork my-net -o yaml | function-patchwork render - composition.yaml

A step that needs another function is an error. What such a step puts into the
context can be given instead:

  function-patchwork render xr.yaml composition.yaml --skip environment \
    --context-files apiextensions.crossplane.io/environment=environment.yaml`
}

// Run renders. What cannot be rendered is an error.
func (c *Render) Run(std Streams) error {
	in, err := c.load(&files{stdin: std.In})
	if err != nil {
		return err
	}
	if err := c.skip(in); err != nil {
		return err
	}
	if err := c.refuseOthers(in); err != nil {
		return err
	}
	out, err := in.runPipeline(context.Background(), std.Err)
	if err != nil {
		return err
	}
	docs, err := c.documents(in, out, std.Err)
	if err != nil {
		return err
	}
	return write(std.Out, docs, c.Output)
}

// skip leaves out the steps that --skip names.
func (c *Render) skip(in *inputs) error {
	pipeline := in.composition.Spec.Pipeline
	for _, name := range c.Skip {
		isNamed := func(s step) bool { return s.Step == name }
		if !slices.ContainsFunc(in.composition.Spec.Pipeline, isNamed) {
			return in.composition.manifest.errorf("--skip: there is no step %q", name)
		}
		pipeline = slices.DeleteFunc(slices.Clone(pipeline), isNamed)
	}
	in.composition.Spec.Pipeline = pipeline
	return nil
}

// refuseOthers says which steps need another function, and what renders them.
func (c *Render) refuseOthers(in *inputs) error {
	var others, functions []string
	for _, s := range in.composition.Spec.Pipeline {
		functions = append(functions, s.FunctionRef.Name)
		if !s.usesThisFunction() {
			others = append(others, fmt.Sprintf("step %q needs the function %q", s.Step, s.FunctionRef.Name))
		}
	}
	if len(others) == 0 {
		return nil
	}
	slices.Sort(functions)
	return in.composition.manifest.errorf("%s; render runs only steps that use this function, "+
		"and --skip leaves a step out. Crossplane's CLI renders the whole pipeline:\n  %s\nwhere functions.yaml has the Functions %s",
		strings.Join(others, "; "), c.crossplaneCommand(), strings.Join(slices.Compact(functions), ", "))
}

// crossplaneCommand is the command of Crossplane's CLI that renders the same.
func (c *Render) crossplaneCommand() string {
	file := func(path, fallback string) string {
		if path == stdinPath {
			return fallback
		}
		return path
	}
	words := []string{
		"crossplane composition render", file(c.XR, "xr.yaml"), file(c.Composition, "composition.yaml"), "functions.yaml",
	}
	for _, f := range []struct {
		name, fallback string
		paths          []string
	}{
		{"--observed-resources", "observed.yaml", []string{c.ObservedResources}},
		{"--required-resources", "required.yaml", c.required()},
		{"--function-credentials", "secrets.yaml", []string{c.FunctionCredentials}},
		{"--xrd", "definition.yaml", []string{c.XRD}},
	} {
		for _, path := range f.paths {
			if path != "" {
				words = append(words, f.name+"="+file(path, f.fallback))
			}
		}
	}
	return strings.Join(words, " ")
}

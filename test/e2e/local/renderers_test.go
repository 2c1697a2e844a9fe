package local

import (
	"bytes"
	"os/exec"
	"slices"
	"testing"
)

// renderer is a program that renders compositions.
type renderer struct {
	name    string
	command []string
	// old: it has no flag --xrd, and knows the first form of requirements only.
	old bool
}

const (
	cli25   = "crossplane composition render v2.5"
	crank22 = "crossplane render v2.2"
	crank20 = "crossplane render v1.20"
)

// own is what the others are compared with.
func own() renderer {
	return renderer{name: "function-patchwork render", command: []string{program("function-patchwork"), "render"}}
}

func others() []renderer {
	return []renderer{
		{name: cli25, command: []string{
			program("crossplane-cli"), "composition", "render", "--crossplane-binary=" + program("crossplane"),
		}},
		{name: crank22, command: []string{program("crank-2.2"), "render"}},
		{name: crank20, command: []string{program("crank-1.20"), "render"}, old: true},
	}
}

// with is what an example is rendered with: some of its files, or others.
type with struct {
	xr, composition, observed string
	// brief leaves out all that has to be asked for: the spec and metadata of the
	// composite resource, results and context.
	brief bool
}

// render runs the renderer, for an example.
func (r renderer) render(t *testing.T, e example, w with) (stdout, stderr []byte, err error) {
	t.Helper()
	args := slices.Clone(r.command[1:])
	if r.name == own().name {
		args = append(args, w.xr, w.composition, "--xrd="+e.find("definition.yaml"))
		args = append(args, e.givenEnvironment(t, w)...)
		args = append(args, r.givenRequired(t, e, w)...)
	} else {
		args = append(args, r.crossplane(t, e, w)...)
	}
	if !w.brief {
		args = append(args, "--include-full-xr", "--include-function-results", "--include-context")
	}
	if w.observed != "" {
		args = append(args, "--observed-resources="+w.observed)
	}
	if secrets := e.find("secrets.yaml"); secrets != "" {
		args = append(args, "--function-credentials="+secrets)
	}
	cmd := exec.CommandContext(t.Context(), r.command[0], args...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err = cmd.Run()
	return out.Bytes(), log.Bytes(), err
}

// crossplane are the arguments of a CLI of Crossplane: all steps run, and get
// the resources that they require. An old CLI is given what the step makes of
// them, and a composite resource with the defaults of its definition.
func (r renderer) crossplane(t *testing.T, e example, w with) []string {
	t.Helper()
	composition := readFile(t, w.composition)[0]
	steps := composition.objects("spec", "pipeline")
	var args []string
	switch own := slices.DeleteFunc(slices.Clone(steps), isEnvironment); {
	case len(own) == len(steps):
		args = []string{w.composition, e.functions}
		args = append(args, e.givenEnvironment(t, w)...)
		args = append(args, r.givenRequired(t, e, w)...)
	case r.old:
		composition["spec"].(map[string]any)["pipeline"] = own
		args = []string{writeFile(t, "composition.yaml", composition), e.functions, contextFlag + e.environment}
	default:
		args = []string{w.composition, e.functions, "--required-resources=" + e.find("classes.yaml")}
	}
	if r.old {
		return append([]string{e.withDefaults(t)}, args...)
	}
	return append([]string{w.xr}, append(args, "--xrd="+e.definition)...)
}

// withDefaults is a file with the composite resource as the API server keeps it.
func (e example) withDefaults(t *testing.T) string {
	t.Helper()
	w := e.renders()["first"]
	xr, full := readFile(t, w.xr)[0], own().rendered(t, e, w)[0]
	full.drop("spec", "crossplane", "resourceRefs")
	full.drop("spec", "resourceRefs")
	xr["spec"] = full["spec"]
	return writeFile(t, "xr.yaml", xr)
}

const contextFlag = "--context-files=apiextensions.crossplane.io/environment="

// givenEnvironment are the arguments that give the environment, if there is one,
// and leave a step out that would read it.
func (e example) givenEnvironment(t *testing.T, w with) []string {
	t.Helper()
	if e.environment == "" {
		return nil
	}
	args := []string{contextFlag + e.environment}
	for _, step := range readFile(t, w.composition)[0].objects("spec", "pipeline") {
		if isEnvironment(step) {
			args = append(args, "--skip="+step.text("step"))
		}
	}
	return args
}

// givenRequired are the arguments that give what the function itself requires.
func (r renderer) givenRequired(t *testing.T, e example, w with) []string {
	t.Helper()
	steps := readFile(t, w.composition)[0].objects("spec", "pipeline")
	classes := e.find("classes.yaml")
	if classes == "" || slices.ContainsFunc(steps, isEnvironment) {
		return nil
	}
	if r.old {
		return []string{"--extra-resources=" + classes}
	}
	return []string{"--required-resources=" + classes}
}

func isEnvironment(step object) bool {
	return step.text("functionRef", "name") == "function-environment-configs"
}

// rendered are the objects that are printed.
func (r renderer) rendered(t *testing.T, e example, w with) []object {
	t.Helper()
	stdout, stderr, err := r.render(t, e, w)
	if err != nil {
		t.Fatalf("%s: %v\n%s", r.name, err, stderr)
	}
	return parse(t, stdout)
}

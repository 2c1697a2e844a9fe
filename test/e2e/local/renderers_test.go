package local

import (
	"bytes"
	"os/exec"
	"testing"
)

// renderer is a program that renders compositions.
type renderer struct {
	name    string
	command []string
	// noDefinition: it has no flag --xrd.
	noDefinition bool
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
		{name: crank20, command: []string{program("crank-1.20"), "render"}, noDefinition: true},
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
	args := append(r.command[1:len(r.command):len(r.command)], w.xr, w.composition)
	if r.name != own().name {
		args = append(args, e.functions)
	}
	if !w.brief {
		args = append(args, "--include-full-xr", "--include-function-results", "--include-context")
	}
	if w.observed != "" {
		args = append(args, "--observed-resources="+w.observed)
	}
	if e.has("definition.yaml") && !r.noDefinition {
		args = append(args, "--xrd="+e.file("definition.yaml"))
	}
	if e.has("secrets.yaml") {
		args = append(args, "--function-credentials="+e.file("secrets.yaml"))
	}
	if e.environment != "" {
		args = append(args, "--context-files=apiextensions.crossplane.io/environment="+e.environment)
	}
	cmd := exec.CommandContext(t.Context(), r.command[0], args...)
	var out, log bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &log
	err = cmd.Run()
	return out.Bytes(), log.Bytes(), err
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

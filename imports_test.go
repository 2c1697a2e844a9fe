package main_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/function-patchwork/function-patchwork"

// rooms says which packages of this module each one may import. Imports point
// one way: ARCHITECTURE.md has the picture.
var rooms = map[string][]string{
	"patch/fieldpath": nil,
	"input/v1beta1":   nil,
	"input":           {"input/v1beta1", "patch/fieldpath"},
	"transforms":      {"input", "input/v1beta1", "patch/fieldpath"},
	"patch":           {"input", "input/v1beta1", "patch/fieldpath", "transforms"},
	"proto":           {"patch/fieldpath"},
	"expression":      {"patch/fieldpath"},
	"health":          {"patch/fieldpath"},
	"fn":              {"input", "input/v1beta1", "patch/fieldpath", "transforms", "patch", "proto", "expression", "health"},
	"fn/cli":          {"input", "input/v1beta1", "patch/fieldpath", "transforms", "patch", "proto", "expression", "health", "fn"},
	"":                {"fn/cli"},
}

// belowDoor are the rooms that know neither protobuf nor gRPC nor a logger.
var belowDoor = []string{"patch/fieldpath", "input/v1beta1", "input", "transforms", "patch", "health"}

func TestImports(t *testing.T) {
	packages := list(t)
	t.Run("a new package has a place", func(t *testing.T) {
		for name := range packages {
			if _, known := rooms[name]; !known && !forDevelopers(name) {
				t.Errorf("%q has no row in the table of imports", name)
			}
		}
	})
	t.Run("rooms import one way", func(t *testing.T) {
		for room, allowed := range rooms {
			for _, path := range packages[room].imports {
				name, ours := ofModule(path)
				if ours && !slices.Contains(allowed, name) {
					t.Errorf("%q must not import %q", room, name)
				}
			}
		}
	})
	t.Run("no protobuf, gRPC or logger below the door", func(t *testing.T) {
		for _, room := range belowDoor {
			reject(t, room, packages[room].imports, "log/slog")
			reject(t, room, packages[room].deps, "google.golang.org/protobuf", "google.golang.org/grpc")
		}
	})
	t.Run("no Kubernetes client in the server", func(t *testing.T) {
		reject(t, "the server", packages[""].deps, "k8s.io/client-go", "sigs.k8s.io/controller-runtime", "k8s.io/api")
	})
}

// forDevelopers tells whether a package is no part of the server, so that it may
// import what it wants.
func forDevelopers(name string) bool {
	top, _, _ := strings.Cut(name, "/")
	return slices.Contains([]string{"example", "docs", "test"}, top)
}

func reject(t *testing.T, what string, paths []string, forbidden ...string) {
	t.Helper()
	for _, path := range paths {
		for _, f := range forbidden {
			if path == f || strings.HasPrefix(path, f+"/") {
				t.Errorf("%q must not import %s", what, path)
			}
		}
	}
}

// ofModule returns the name of a package of this module.
func ofModule(path string) (string, bool) {
	rest, ok := strings.CutPrefix(path, module)
	return strings.TrimPrefix(rest, "/"), ok
}

// listed is what a package imports, and that with all that comes with it.
type listed struct{ imports, deps []string }

// list returns the packages of this module by name.
func list(t *testing.T) map[string]listed {
	t.Helper()
	format := `{{.ImportPath}};{{join .Imports " "}};{{join .Deps " "}}`
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", format, "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	packages := map[string]listed{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(line, ";")
		name, _ := ofModule(fields[0])
		packages[name] = listed{imports: strings.Fields(fields[1]), deps: strings.Fields(fields[2])}
	}
	return packages
}

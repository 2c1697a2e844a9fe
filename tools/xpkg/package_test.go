package main

import (
	"bytes"
	"io"
	"log"
	"maps"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// needsCLI skips a test with -short: the first time, the CLI takes minutes to
// build.
func needsCLI(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("the crossplane CLI may have to be built")
	}
}

func TestFilesAreTheSameEachTime(t *testing.T) {
	needsCLI(t)
	var first map[string][]byte
	for range 2 {
		out, args := tiny(t)
		var report bytes.Buffer
		if err := run(t.Context(), args, &report); err != nil {
			t.Fatal(err)
		}
		got := readAll(t, out)
		want := []string{
			"function-tiny-v1.2.3-linux-amd64-runtime.tar", "function-tiny-v1.2.3-linux-amd64.xpkg",
			"function-tiny-v1.2.3-linux-arm64-runtime.tar", "function-tiny-v1.2.3-linux-arm64.xpkg",
		}
		if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
			t.Fatalf("got the files %q", names)
		}
		for name := range got {
			if !strings.Contains(report.String(), filepath.Join(out, name)) {
				t.Errorf("%s is not in the report:\n%s", name, &report)
			}
			if first != nil && !bytes.Equal(got[name], first[name]) {
				t.Errorf("%s is another one the second time", name)
			}
		}
		first = got
	}
}

func TestPushedImageHasEachPlatform(t *testing.T) {
	needsCLI(t)
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer s.Close()
	image := strings.TrimPrefix(s.URL, "http://") + "/org/function-tiny:v1.2.3"
	_, args := tiny(t)
	var report bytes.Buffer
	if err := run(t.Context(), append(args, "-push", image), &report); err != nil {
		t.Fatal(err)
	}
	ref := parse(t, image)
	index, err := remote.Index(ref)
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := index.IndexManifest()
	if err != nil || len(manifest.Manifests) != 2 {
		t.Fatalf("got %v, %v", manifest, err)
	}
	if manifest.Annotations["org.opencontainers.image.source"] != "https://example.org/function-tiny" {
		t.Errorf("it has the annotations %q", manifest.Annotations)
	}
	for _, p := range []v1.Platform{amd64, arm64} {
		got, err := remote.Image(ref, remote.WithPlatform(p))
		if err != nil {
			t.Fatal(err)
		}
		config, err := got.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if config.Architecture != p.Architecture || !slices.Equal(config.Config.Entrypoint, []string{"/function-tiny"}) {
			t.Errorf("%s: got %s, which runs %q", p, config.Architecture, config.Config.Entrypoint)
		}
		files := filesOf(t, got)
		if names := slices.Sorted(maps.Keys(files)); !slices.Equal(names, []string{"function-tiny", "package.yaml"}) {
			t.Errorf("%s: it has %q", p, names)
		}
		if !bytes.Contains(files["package.yaml"], []byte("tinies.example.org")) {
			t.Errorf("%s: the package has no CustomResourceDefinition:\n%s", p, files["package.yaml"])
		}
		digest, err := got.Digest()
		if err != nil || !strings.Contains(report.String(), p.String()+" "+digest.String()) {
			t.Errorf("%s %s is not in the report, %v:\n%s", p, digest, err, &report)
		}
	}
}

func TestPackageWithoutSomeFilesForOnePlatform(t *testing.T) {
	needsCLI(t)
	s := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer s.Close()
	image := strings.TrimPrefix(s.URL, "http://") + "/org/function-tiny:v1.2.3"
	_, args := tiny(t)
	args = append(args, "-ignore", "input/*", "-platforms", "linux/arm64", "-push", image)
	if err := run(t.Context(), args, io.Discard); err != nil {
		t.Fatal(err)
	}
	got, err := remote.Image(parse(t, image))
	if err != nil {
		t.Fatal(err)
	}
	if text := filesOf(t, got)["package.yaml"]; len(text) == 0 || bytes.Contains(text, []byte("CustomResourceDefinition")) {
		t.Errorf("the package is\n%s", text)
	}
}

func parse(t *testing.T, image string) name.Reference {
	t.Helper()
	ref, err := name.ParseReference(image)
	if err != nil {
		t.Fatal(err)
	}
	return ref
}

// readAll returns the files of a folder.
func readAll(t *testing.T, folder string) map[string][]byte {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, e := range entries {
		if files[e.Name()], err = os.ReadFile(filepath.Join(folder, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

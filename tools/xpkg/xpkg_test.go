package main

import (
	"archive/tar"
	"bytes"
	"debug/elf"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

var (
	amd64 = v1.Platform{OS: "linux", Architecture: "amd64"}
	arm64 = v1.Platform{OS: "linux", Architecture: "arm64"}
)

// sources of a function that is built fast.
var sources = map[string]string{
	"go.mod":  "module example.org/function-tiny\n\ngo 1.26.0\n",
	"main.go": "package main\n\nvar version, commit, date string\n\nfunc main() { println(version, commit, date) }\n",
	"package/crossplane.yaml": `apiVersion: meta.pkg.crossplane.io/v1
kind: Function
metadata:
  name: function-tiny
  annotations:
    meta.crossplane.io/source: example.org/function-tiny
    meta.crossplane.io/license: MIT
spec:
  capabilities: [composition]
`,
	"package/input/crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: tinies.example.org}
spec:
  group: example.org
  names: {kind: Tiny, plural: tinies}
  scope: Namespaced
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
`,
}

// tiny writes the sources of a function to a folder of their own, and returns the
// flags that build it.
func tiny(t *testing.T) (out string, args []string) {
	t.Helper()
	root := t.TempDir()
	for file, text := range sources {
		path := filepath.Join(root, file)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out = filepath.Join(root, "out")
	return out, []string{
		"-module", root, "-package-root", filepath.Join(root, "package"), "-out", out, "-cli-module", "../crossplane",
		"-version", "v1.2.3", "-revision", "0a1b2c3",
	}
}

// imageOf builds the image of the function for a platform.
func imageOf(t *testing.T, p v1.Platform) v1.Image {
	t.Helper()
	_, args := tiny(t)
	o, err := parseOptions(args)
	if err != nil {
		t.Fatal(err)
	}
	m, err := readMetadata(o.packageRoot)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(t.TempDir(), "binary")
	if err := buildBinary(t.Context(), o, p, binary); err != nil {
		t.Fatal(err)
	}
	image, err := newImage(binary, m, o, p)
	if err != nil {
		t.Fatal(err)
	}
	// What counts is what others read.
	file := filepath.Join(t.TempDir(), "image.tar")
	if err := writeImage(file, image, m, o.version); err != nil {
		t.Fatal(err)
	}
	image, err = tarball.ImageFromPath(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

func TestImageIsConfigured(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	for _, p := range []v1.Platform{amd64, arm64} {
		got, err := imageOf(t, p).ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		if got.OS != p.OS || got.Architecture != p.Architecture || got.Created.Unix() != 1700000000 {
			t.Errorf("it is for %s/%s, of %s", got.OS, got.Architecture, got.Created)
		}
		if c := got.Config; !slices.Equal(c.Entrypoint, []string{"/function-tiny"}) || c.Cmd != nil || c.User != "65532:65532" {
			t.Errorf("it runs %q %q as %q", c.Entrypoint, c.Cmd, c.User)
		}
		if got := slices.Sorted(maps.Keys(got.Config.ExposedPorts)); !slices.Equal(got, []string{"8080/tcp", "9443/tcp"}) {
			t.Errorf("it exposes %q", got)
		}
		want := map[string]string{
			"org.opencontainers.image.title":    "function-tiny",
			"org.opencontainers.image.source":   "https://example.org/function-tiny",
			"org.opencontainers.image.licenses": "MIT",
			"org.opencontainers.image.version":  "v1.2.3",
			"org.opencontainers.image.revision": "0a1b2c3",
		}
		if !maps.Equal(got.Config.Labels, want) {
			t.Errorf("its labels are %q", got.Config.Labels)
		}
	}
}

func TestImageHasTheBinaryAndNothingElse(t *testing.T) {
	for p, machine := range map[string]elf.Machine{"amd64": elf.EM_X86_64, "arm64": elf.EM_AARCH64} {
		files := filesOf(t, imageOf(t, v1.Platform{OS: "linux", Architecture: p}))
		if got := slices.Collect(maps.Keys(files)); !slices.Equal(got, []string{"function-tiny"}) {
			t.Fatalf("%s: it has %q", p, got)
		}
		binary, err := elf.NewFile(bytes.NewReader(files["function-tiny"]))
		if err != nil {
			t.Fatal(err)
		}
		if binary.Machine != machine {
			t.Errorf("%s: the binary is for %s", p, binary.Machine)
		}
		if libraries, err := binary.ImportedLibraries(); err != nil || len(libraries) > 0 || binary.Section(".interp") != nil {
			t.Errorf("%s: the binary is not static: it needs %q, %v", p, libraries, err)
		}
		for _, path := range []string{os.TempDir(), "xpkg_test"} {
			if bytes.Contains(files["function-tiny"], []byte(path+"/")) {
				t.Errorf("%s: the binary has the path %s in it", p, path)
			}
		}
	}
}

func TestBinaryTellsItsVersion(t *testing.T) {
	t.Setenv("SOURCE_DATE_EPOCH", "1700000000")
	files := filesOf(t, imageOf(t, arm64))
	for _, want := range []string{"v1.2.3", "0a1b2c3", "2023-11-14T22:13:20Z"} {
		if !bytes.Contains(files["function-tiny"], []byte(want)) {
			t.Errorf("the binary does not have %s", want)
		}
	}
}

func TestLayerLetsEveryoneRunTheBinary(t *testing.T) {
	layers, err := imageOf(t, amd64).Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("got %d layers, %v", len(layers), err)
	}
	content, err := layers[0].Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = content.Close() }()
	header, err := tar.NewReader(content).Next()
	if err != nil {
		t.Fatal(err)
	}
	if header.Mode != 0o755 || header.Uid != 0 || header.Gid != 0 || header.ModTime.Unix() != 0 {
		t.Errorf("it has the mode %o, the owner %d:%d and the time %s", header.Mode, header.Uid, header.Gid, header.ModTime)
	}
}

func TestImageIsTheSameEachTime(t *testing.T) {
	var digests []v1.Hash
	for _, goflags := range []string{"", "-tags=other"} {
		t.Setenv("GOFLAGS", goflags)
		digest, err := imageOf(t, arm64).Digest()
		if err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	if digests[0] != digests[1] {
		t.Errorf("got %s, then %s", digests[0], digests[1])
	}
}

func TestMistakesAreToldBeforeAnythingIsBuilt(t *testing.T) {
	cases := map[string]struct {
		args []string
		date string
		want string
	}{
		"Argument":       {args: []string{"now"}, want: `"now" is not a flag`},
		"Platform":       {args: []string{"-platforms=amd64"}, want: `"amd64" is not of the form linux/amd64`},
		"Push":           {args: []string{"-push=function"}, want: "-push needs a registry, a name and a tag"},
		"Version":        {args: []string{"-version=v1.0.0+more"}, want: "-version has to be fit for the tag"},
		"PackageRoot":    {args: []string{"-package-root=."}, want: "-package-root has to be a folder with a crossplane.yaml"},
		"CLI":            {args: []string{"-cli=nowhere/crossplane"}, want: "-cli: "},
		"SourceDate":     {date: "today", want: `SOURCE_DATE_EPOCH: "today"`},
		"NegativeSource": {date: "-1", want: `SOURCE_DATE_EPOCH: "-1"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Setenv("SOURCE_DATE_EPOCH", tc.date)
			out, args := tiny(t)
			err := run(t.Context(), append(args, tc.args...), io.Discard)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("got %v, want %s", err, tc.want)
			}
			if _, err := os.Stat(out); !os.IsNotExist(err) {
				t.Errorf("it wrote something: %v", err)
			}
		})
	}
}

// filesOf returns what the layers of an image have.
func filesOf(t *testing.T, image v1.Image) map[string][]byte {
	t.Helper()
	layers, err := image.Layers()
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, layer := range layers {
		content, err := layer.Uncompressed()
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(content); ; {
			header, err := r.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			if files[header.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
		_ = content.Close()
	}
	return files
}

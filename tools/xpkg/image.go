package main

import (
	"archive/tar"
	"bytes"
	"io"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

// user is nobody in particular. It is a number, as Kubernetes cannot tell that a
// name is not root.
const user = "65532:65532"

// ports are those that Crossplane gives each function: gRPC, and metrics.
var ports = map[string]struct{}{"9443/tcp": {}, "8080/tcp": {}}

// newImage returns an image that has a binary at its root, runs it, and has
// nothing else: a function that calls nobody needs no certificates, and one that
// keeps nothing needs no folder.
func newImage(binary string, m metadata, o options, p v1.Platform) (v1.Image, error) {
	layer, err := newLayer(binary, m.Name, o)
	if err != nil {
		return nil, err
	}
	created := v1.Time{Time: o.created}
	image, err := mutate.Append(empty.Image, mutate.Addendum{
		Layer:   layer,
		History: v1.History{Created: created, CreatedBy: "go build"},
	})
	if err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = p.OS, p.Architecture, created
	file.Config = v1.Config{
		Entrypoint:   []string{"/" + m.Name},
		User:         user,
		ExposedPorts: ports,
		Labels:       m.labels(o),
	}
	return mutate.ConfigFile(image, file)
}

// newLayer returns a layer with a binary that everyone may read and run, and only
// root may write.
func newLayer(binary, name string, o options) (v1.Layer, error) {
	content, err := os.ReadFile(binary)
	if err != nil {
		return nil, err
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	header := &tar.Header{
		Typeflag: tar.TypeReg,
		Name:     name,
		Size:     int64(len(content)),
		Mode:     0o755,
		ModTime:  o.created,
		Format:   tar.FormatUSTAR,
	}
	if err := w.WriteHeader(header); err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(archive.Bytes())), nil
	}, tarball.WithCompressedCaching)
}

// writeImage writes an image to a file, as docker load and the crossplane CLI read
// it.
func writeImage(file string, image v1.Image, m metadata, version string) error {
	tag, err := m.tag(version)
	if err != nil {
		return err
	}
	return tarball.WriteToFile(file, tag, image)
}

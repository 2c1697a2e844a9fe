package kubelet

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// image is an image that was pulled.
type image struct {
	config *v1.Config
	layers v1.Image
}

// pull gets an image for this machine's platform from a registry.
func pull(reference string) (*image, error) {
	ref, err := name.ParseReference(reference)
	if err != nil {
		return nil, err
	}
	img, err := remote.Image(ref, remote.WithPlatform(v1.Platform{OS: "linux", Architecture: runtime.GOARCH}))
	if err != nil {
		return nil, fmt.Errorf("cannot pull %s: %w", reference, err)
	}
	file, err := img.ConfigFile()
	if err != nil {
		return nil, err
	}
	return &image{config: &file.Config, layers: img}, nil
}

// unpack writes the files of the image to a folder.
func (i *image) unpack(folder string) error {
	content := mutate.Extract(i.layers)
	defer content.Close()
	files := tar.NewReader(content)
	for {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := unpackFile(filepath.Join(folder, filepath.Clean("/"+header.Name)), header, files); err != nil {
			return fmt.Errorf("cannot unpack %s: %w", header.Name, err)
		}
	}
}

func unpackFile(path string, header *tar.Header, content io.Reader) error {
	mode := header.FileInfo().Mode()
	if header.Typeflag == tar.TypeDir {
		return os.MkdirAll(path, mode|0o700)
	}
	if header.Typeflag != tar.TypeReg {
		return fmt.Errorf("type %q is not supported", header.Typeflag)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil { //nolint:gosec // The program's user reads it.
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, mode)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, content); err != nil {
		return errors.Join(err, file.Close())
	}
	return file.Close()
}

package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// reportFiles writes the size, digest and name of each file.
func reportFiles(out io.Writer, files []string) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, file := range files {
		size, digest, err := sum(file)
		if err != nil {
			return err
		}
		fmt.Fprintf(t, "%.1f MB\tsha256:%x\t%s\n", float64(size)/1e6, digest, file)
	}
	return t.Flush()
}

// sum returns the size and the SHA-256 digest of a file.
func sum(file string) (size int64, digest []byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = f.Close() }()
	h := sha256.New()
	size, err = io.Copy(h, f)
	return size, h.Sum(nil), err
}

// reportPushed writes what the registry has for an image that was pushed: its
// digest, and that of each platform if there are several. It is an error if a
// platform is not there.
func reportPushed(ctx context.Context, out io.Writer, o options) error {
	tag, err := name.NewTag(o.push, name.StrictValidation)
	if err != nil {
		return err
	}
	got, err := remote.Get(tag, remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain))
	if err != nil {
		return fmt.Errorf("%s was pushed, and cannot be read: %w", o.push, err)
	}
	fmt.Fprintf(out, "pushed %s\n", tag.Digest(got.Digest.String()))
	if !got.MediaType.IsIndex() {
		return nil
	}
	index, err := got.ImageIndex()
	if err != nil {
		return err
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return err
	}
	for _, p := range o.platforms {
		digest, ok := digestOf(manifest, p)
		if !ok {
			return fmt.Errorf("%s has nothing for %s", o.push, p)
		}
		fmt.Fprintf(out, "  %s %s\n", p, digest)
	}
	return nil
}

// digestOf returns the digest of a platform's image.
func digestOf(index *v1.IndexManifest, p v1.Platform) (v1.Hash, bool) {
	for _, image := range index.Manifests {
		if image.Platform != nil && image.Platform.Satisfies(p) {
			return image.Digest, true
		}
	}
	return v1.Hash{}, false
}

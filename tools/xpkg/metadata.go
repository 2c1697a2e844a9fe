package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"
)

// Annotations of a package's metadata that say the same as a label of an image.
const (
	sourceAnnotation  = "meta.crossplane.io/source"
	licenseAnnotation = "meta.crossplane.io/license"
)

// metadata is what crossplane.yaml says of a function. Its name is that of the
// binary and of the files as well.
type metadata struct{ metav1.ObjectMeta }

// readMetadata reads crossplane.yaml of a package's root.
func readMetadata(root string) (metadata, error) {
	file := filepath.Join(root, "crossplane.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return metadata{}, fmt.Errorf("-package-root has to be a folder with a crossplane.yaml: %w", err)
	}
	var pkg struct {
		Kind     string            `json:"kind"`
		Metadata metav1.ObjectMeta `json:"metadata"`
	}
	if err := yaml.Unmarshal(text, &pkg); err != nil {
		return metadata{}, fmt.Errorf("%s: %w", file, err)
	}
	if pkg.Kind != "Function" || pkg.Metadata.Name == "" {
		return metadata{}, fmt.Errorf("%s has to be a Function with a name", file)
	}
	return metadata{pkg.Metadata}, nil
}

// tag names an image of a version, for those that load it.
func (m metadata) tag(version string) (name.Tag, error) {
	tag, err := name.NewTag(m.Name + ":" + version)
	if err != nil {
		return tag, fmt.Errorf("-version has to be fit for the tag of an image, as v1.2.3 is: %w", err)
	}
	return tag, nil
}

// labels are the labels of an image that OCI defines, as far as they are known.
func (m metadata) labels(o options) map[string]string {
	source := m.Annotations[sourceAnnotation]
	if source != "" && !strings.Contains(source, "://") {
		source = "https://" + source
	}
	labels := map[string]string{}
	for key, value := range map[string]string{
		"title":    m.Name,
		"source":   source,
		"licenses": m.Annotations[licenseAnnotation],
		"version":  o.version,
		"revision": o.revision,
	} {
		if value != "" {
			labels["org.opencontainers.image."+key] = value
		}
	}
	return labels
}

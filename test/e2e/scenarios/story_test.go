package scenarios

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// patience is how long a story waits for something that is to come about.
const patience = 3 * time.Minute

// A story is a test that has a namespace, and API groups, of its own, so that
// it runs beside others.
type story struct {
	*testing.T

	name      string
	namespace string
	folder    string // of its manifests
}

// tell begins a story: its name is that of its namespace, and its manifests are
// in testdata/NAME.
func tell(t *testing.T, name string) *story {
	t.Helper()
	t.Parallel()
	return tellAlone(t, name)
}

// tellAlone is tell for a story that nothing else is to run beside. Those are
// told before all others.
func tellAlone(t *testing.T, name string) *story {
	t.Helper()
	s := &story{T: t, name: name, namespace: name, folder: filepath.Join("testdata", name)}
	begin := time.Now()
	t.Cleanup(func() {
		if !t.Failed() {
			fmt.Printf("ok   %-34s %5.1fs\n", t.Name(), time.Since(begin).Seconds())
		}
	})
	s.must(s.createNamespace(name))
	s.must(here.Allow(s.Context(), "story-"+name, name+".example.org", "*"))
	return s
}

// createNamespace creates a namespace, beside the one that each story has.
func (s *story) createNamespace(name string) error {
	return here.Client.Create(s.Context(), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
}

// must ends the story if there is an error.
func (s *story) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// apply applies the manifests of one of the story's files, in which ${NAME} is
// replaced for each pair of a name and a value. ${story} is the story's name.
func (s *story) apply(file string, pairs ...string) {
	s.Helper()
	objects, err := s.read(file, pairs...)
	s.must(err)
	for _, o := range objects {
		s.eventually("applying "+o.GetKind()+" "+o.GetName(), func() error { return applyObject(s.Context(), o.DeepCopy()) })
	}
}

// applyObject applies an object as kubectl apply --server-side does.
func applyObject(ctx context.Context, o *unstructured.Unstructured) error {
	return here.Client.Apply(ctx, client.ApplyConfigurationFromUnstructured(o), client.FieldOwner("e2e"), client.ForceOwnership)
}

func (s *story) read(file string, pairs ...string) ([]*unstructured.Unstructured, error) {
	content, err := os.ReadFile(filepath.Join(s.folder, file))
	if err != nil {
		return nil, err
	}
	for i, p := range pairs {
		if i%2 == 0 {
			pairs[i] = "${" + p + "}"
		}
	}
	text := strings.NewReplacer(append([]string{"${story}", s.name}, pairs...)...).Replace(string(content))
	if at := strings.Index(text, "${"); at >= 0 {
		return nil, fmt.Errorf("%s has %.30s..., which nothing is put in for", file, text[at:])
	}
	var objects []*unstructured.Unstructured
	for documents := utilyaml.NewYAMLOrJSONDecoder(bytes.NewBufferString(text), 4096); ; {
		o := &unstructured.Unstructured{}
		err := documents.Decode(&o.Object)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		if len(o.Object) > 0 {
			objects = append(objects, o)
		}
	}
}

// eventually waits until a condition has no error any more, or fails with the
// last one.
func (s *story) eventually(what string, condition func() error) {
	s.Helper()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.After(patience)
	for {
		err := condition()
		if err == nil {
			return
		}
		select {
		case <-s.Context().Done():
			s.Fatalf("%s: %v", what, err)
		case <-deadline:
			s.Fatalf("%s: not after %s: %v", what, patience, err)
		case <-ticker.C:
		}
	}
}

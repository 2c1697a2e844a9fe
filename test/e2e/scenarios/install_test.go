package scenarios

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// Crossplane's package manager has installed the package that make xpkg builds,
// by the name that users know: it read what the function is capable of, runs
// the image of the package, and calls it with mutual TLS.
func TestInstalledAsAPackage(t *testing.T) {
	s := tell(t, "installed")
	revision, err := s.activeRevision(world.Function)
	s.must(err)
	if !slices.Contains(revision.Status.Capabilities, "composition") {
		s.Errorf("Crossplane read the capabilities %q, which have no composition", revision.Status.Capabilities)
	}
	if want := "dns:///function-patchwork.crossplane-system:9443"; revision.Status.Endpoint != want {
		s.Errorf("Crossplane calls %s, and not %s", revision.Status.Endpoint, want)
	}
	// The name that users know leads to the cluster's registry, by an ImageConfig.
	if want := "ghcr.io/function-patchwork/function-patchwork:" + world.Version; revision.Spec.Package != want {
		s.Errorf("the revision is of %s, and not of %s", revision.Spec.Package, want)
	}
	if !strings.HasPrefix(revision.Status.ResolvedPackage, here.Registry) {
		s.Errorf("the package was pulled as %s, and not from %s", revision.Status.ResolvedPackage, here.Registry)
	}
	pods := here.Kubelet.Pods(pkgv1.LabelFunction, world.Function)
	if len(pods) == 0 {
		s.Fatal("the function has no pod")
	}
	s.refuses(net.JoinHostPort(pods[0].Address, "9443"))
}

// refuses sees that a client without a certificate cannot call a function.
func (s *story) refuses(address string) {
	s.Helper()
	dialer := &tls.Dialer{Config: &tls.Config{InsecureSkipVerify: true}}
	conn, err := dialer.DialContext(s.Context(), "tcp", address)
	if err == nil {
		// With TLS 1.3 the client hears of it when it reads.
		_, err = conn.Read(make([]byte, 1))
		s.must(conn.Close())
	}
	if err == nil || !strings.Contains(err.Error(), "certificate required") {
		s.Errorf("a client without a certificate is not refused, but gets: %v", err)
	}
}

// activeRevision reads the revision of a function that is in use.
func (s *story) activeRevision(function string) (pkgv1.FunctionRevision, error) {
	all := &pkgv1.FunctionRevisionList{}
	if err := here.Client.List(s.Context(), all, client.MatchingLabels{pkgv1.LabelParentPackage: function}); err != nil {
		return pkgv1.FunctionRevision{}, err
	}
	for _, r := range all.Items {
		if r.Spec.DesiredState == pkgv1.PackageRevisionActive {
			return r, nil
		}
	}
	return pkgv1.FunctionRevision{}, fmt.Errorf("function %s has no active revision", function)
}

// The manifests that the documentation tells to apply are accepted, with all of
// their fields.
func TestDocumentedManifestsAreValid(t *testing.T) {
	s := tell(t, "documented")
	for _, name := range []string{"README.md", "docs/install.md"} {
		page, err := os.ReadFile(filepath.Join("..", "..", "..", name))
		s.must(err)
		manifests := manifestsOf(string(page))
		if len(manifests) == 0 {
			s.Errorf("%s has no manifests", name)
		}
		for i, manifest := range manifests {
			s.must(s.valid(fmt.Sprintf("manifest %d of %s", i+1, name), manifest))
		}
	}
}

// manifestsOf returns the blocks of YAML of a page that are whole manifests.
func manifestsOf(page string) []string {
	var found []string
	for _, block := range strings.Split(page, "```yaml\n")[1:] {
		block, _, _ = strings.Cut(block, "```")
		if strings.HasPrefix(block, "apiVersion: ") {
			found = append(found, block)
		}
	}
	return found
}

// valid asks the API server whether it would take a manifest, which it does not
// keep.
func (s *story) valid(name, manifest string) error {
	file := filepath.Join(s.TempDir(), "manifest.yaml")
	if err := os.WriteFile(file, []byte(manifest), 0o600); err != nil {
		return err
	}
	_, err := here.Kubectl("apply", "--server-side", "--force-conflicts", "--dry-run=server", "--validate=strict", "-f", file)
	if err != nil {
		return errors.Join(fmt.Errorf("%s is not valid:\n%s", name, manifest), err)
	}
	return context.Cause(s.Context())
}

package scenarios

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/function-patchwork/function-patchwork/test/e2e/kubelet"
	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// The function gets a second replica and new certificates, while fifty composite
// resources change all the time.
func TestReplicas(t *testing.T) {
	s := tell(t, "replicas")
	f := s.install("function-patchwork-replicas", "")
	c := s.gather(f.name, 50)
	stop := c.change()
	defer stop()
	f.serves(1, world.Version)

	alone := f.pods()
	s.applyDocumentedRuntime(f.name, 2)
	f.change(world.Version, f.name)
	f.serves(2, world.Version, alone...)
	f.looksAsDocumented()

	f.renewsCertificates()
	// Crossplane connects anew to a pod that was killed, with the new certificate.
	killed := f.pods()[0]
	killed.Kill()
	f.restarted(killed)
	f.serves(2, world.Version)

	stop()
	s.eventually("the crowd has settled", c.settled)
	c.unharmed()
	f.wasRestarted(1)
}

// applyDocumentedRuntime applies the DeploymentRuntimeConfig that the
// documentation shows, with another name and another number of replicas.
func (s *story) applyDocumentedRuntime(name string, replicas int64) {
	s.Helper()
	page, err := os.ReadFile(filepath.FromSlash("../../../docs/install.md"))
	s.must(err)
	_, section, _ := bytes.Cut(page, []byte("## Several replicas"))
	_, block, _ := bytes.Cut(section, []byte("```yaml\n"))
	manifest, _, _ := bytes.Cut(block, []byte("---"))
	o := &unstructured.Unstructured{}
	s.must(utilyaml.Unmarshal(manifest, &o.Object))
	if o.GetKind() != "DeploymentRuntimeConfig" {
		s.Fatalf("the first manifest on several replicas is a %q", o.GetKind())
	}
	o.SetName(name)
	s.must(unstructured.SetNestedField(o.Object, replicas, "spec", "deploymentTemplate", "spec", "replicas"))
	s.must(applyObject(s.Context(), o))
}

// looksAsDocumented sees that what the documentation sets is in the Deployment,
// next to what it says that Crossplane adds.
func (f *function) looksAsDocumented() {
	f.Helper()
	deployments, err := f.list(kind{"apps/v1", "Deployment"}, "crossplane-system")
	f.must(err)
	for _, d := range deployments {
		if label, _ := d.text("spec.template.metadata.labels[pkg.crossplane.io/function]"); label != f.name {
			continue
		}
		f.must(d.has(map[string]any{
			"spec.replicas": int64(2),
			"spec.strategy.rollingUpdate.maxUnavailable":                              int64(0),
			"spec.selector.matchLabels[pkg.crossplane.io/function]":                   f.name,
			"spec.template.metadata.labels[pkg.crossplane.io/revision]":               d.GetName(),
			"spec.template.metadata.annotations[prometheus.io/port]":                  "8080",
			"spec.template.spec.securityContext.runAsUser":                            int64(2000),
			"spec.template.spec.containers[0].name":                                   "package-runtime",
			"spec.template.spec.containers[0].ports[0]":                               map[string]any{"name": "metrics", "containerPort": int64(8080), "protocol": "TCP"},
			"spec.template.spec.containers[0].ports[1]":                               map[string]any{"name": "grpc", "containerPort": int64(9443), "protocol": "TCP"},
			"spec.template.spec.containers[0].readinessProbe.httpGet.path":            "/readyz",
			"spec.template.spec.containers[0].livenessProbe.httpGet.path":             "/healthz",
			"spec.template.spec.containers[0].securityContext.readOnlyRootFilesystem": true,
			"spec.template.spec.containers[0].volumeMounts[0].mountPath":              "/tls/server",
		}))
		return
	}
	f.Fatal("there is no Deployment")
}

// renewsCertificates deletes the Secret of the function's certificate, which
// Crossplane makes again, and sees that all pods serve the new one without
// having been started again.
func (f *function) renewsCertificates() {
	f.Helper()
	pods := f.pods()
	old, err := f.certificate(pods[0])
	f.must(err)
	revisions, err := f.list(kind{"pkg.crossplane.io/v1", "FunctionRevision"}, "")
	f.must(err)
	for _, r := range revisions {
		if r.GetLabels()["pkg.crossplane.io/package"] == f.name {
			name, err := r.text("status.tlsServerSecretName")
			f.must(err)
			f.must(here.Client.Delete(f.Context(), &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "crossplane-system", Name: name}}))
		}
	}
	f.eventually("new certificates are served", func() error {
		for _, p := range pods {
			got, err := f.certificate(p)
			if err != nil {
				return err
			}
			if bytes.Equal(got.RawSubjectPublicKeyInfo, old.RawSubjectPublicKeyInfo) {
				return fmt.Errorf("%s serves the old one", p.Name)
			}
		}
		return nil
	})
	for i, p := range f.pods() {
		if !p.Running() || p != pods[i] || p.Restarts != pods[i].Restarts {
			f.Errorf("%s was started again", p.Name)
		}
	}
}

// certificate is that which a pod serves to Crossplane, which trusts it.
func (f *function) certificate(p *kubelet.Pod) (*x509.Certificate, error) {
	dialer := tls.Dialer{Config: f.clientTLS()}
	dialer.Config.NextProtos = []string{"h2"}
	conn, err := dialer.DialContext(f.Context(), "tcp", p.Address+":9443")
	if err != nil {
		return nil, err
	}
	certificates := conn.(*tls.Conn).ConnectionState().PeerCertificates
	// A server that refuses the client's certificate says so after the handshake.
	// Otherwise it sends its settings.
	err = conn.SetReadDeadline(time.Now().Add(time.Second))
	if err == nil {
		_, err = conn.Read(make([]byte, 1))
	}
	return certificates[0], errors.Join(err, conn.Close())
}

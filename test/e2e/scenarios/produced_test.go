package scenarios

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// Another function produces a database. This one patches it, tells whether it is
// ready, and what it takes to connect.
func TestProducedNamespaced(t *testing.T) {
	s := tell(t, "produced")
	archives := kind{"produced.example.org/v1", "Archive"}
	s.apply("namespaced.yaml")
	release := here.Cloud.Hold(cloud.Filter{Kind: cloud.Database, Namespace: "produced"})
	defer release()
	s.apply("archive.yaml")

	archive := func() (object, error) { return s.get(archives, "produced", "invoices") }
	s.eventually("the archive waits for the cloud", func() error {
		xr, err := archive()
		if err != nil {
			return err
		}
		return errors.Join(xr.condition("Synced", "True"), xr.unready("database"))
	})
	release()
	s.archiveReady(archive)
}

// The same with a claim.
func TestProducedClaim(t *testing.T) {
	s := tell(t, "produced-claim")
	s.folder = "testdata/produced"
	claims := kind{"produced-claim.example.org/v1", "ArchiveClaim"}
	s.apply("claim.yaml")
	s.apply("archiveclaim.yaml")
	s.archiveReady(func() (object, error) { return s.composite(claims, "produced-claim", "invoices", "XArchive") })
}

// archiveReady sees that the database has what the other function says, where no
// patch says otherwise, and what the Secret is derived from.
func (s *story) archiveReady(archive func() (object, error)) {
	s.Helper()
	s.eventually("the archive is ready", func() error {
		xr, err := archive()
		if err != nil {
			return err
		}
		composed, err := s.composed(xr)
		if err != nil {
			return err
		}
		database := composed["database"]
		if database.Unstructured == nil {
			return errors.New("there is no database")
		}
		own, _ := database.text("spec.writeConnectionSecretToRef.name") // A Secret without a name is not found.
		cloud, err := s.secret(s.namespace, own)
		if err != nil {
			return err
		}
		secret, err := s.secret(s.namespace, "invoices-connection")
		if err != nil {
			return err
		}
		want := map[string]string{"password": cloud["password"], "host": cloud["endpoint"]}
		if diff := cmp.Diff(want, secret); diff != "" || secret["password"] == "" {
			return fmt.Errorf("the Secret is not what is derived (-want +got):\n%s", diff)
		}
		return errors.Join(xr.ready(), xr.has(map[string]any{"status.endpoint": cloud["endpoint"]}),
			database.has(map[string]any{
				"spec.forProvider.storageGB": int64(100), "spec.forProvider.engine": "postgres", "spec.forProvider.class": "small",
			}))
	})
}

package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// A team asks for a database in its namespace, and the composition gives it a
// network and, once that is there, a database in it.
func TestCreateNamespaced(t *testing.T) {
	s := tell(t, "create")
	xrs := kind{"create.example.org/v1", "Database"}
	s.apply("namespaced.yaml")
	release := here.Cloud.Hold(cloud.Filter{Kind: cloud.Network, Composite: "orders"})
	defer release()
	s.apply("database.yaml")

	xr := s.waitsForNetwork(func() (object, error) { return s.get(xrs, "create", "orders") }, databaseKind)
	release()
	s.eventually("the database is ready", func() (err error) {
		if xr, err = s.get(xrs, "create", "orders"); err != nil {
			return err
		}
		return xr.ready()
	})
	s.arrived(xr, "create-orders")
	// Composite resources of Crossplane 2 have no connection details: the function composes the Secret.
	s.connection("create", "orders-connection", xr)
}

// The same with a claim of a composite resource that is cluster-scoped, as they
// were before Crossplane 2.
func TestCreateClaim(t *testing.T) {
	s := tell(t, "create-claim")
	s.folder = "testdata/create"
	claims := kind{"create-claim.example.org/v1", "DatabaseClaim"}
	s.apply("claim.yaml")
	release := here.Cloud.Hold(cloud.Filter{Kind: cloud.Network})
	defer release()
	s.apply("databaseclaim.yaml")

	xr := s.waitsForNetwork(func() (object, error) { return s.composite(claims, "create-claim", "orders", "XDatabase") }, clusterDatabaseKind)
	release()
	s.eventually("the claim is ready", func() error {
		claim, err := s.get(claims, "create-claim", "orders")
		if err != nil {
			return err
		}
		if err := claim.ready(); err != nil {
			return err
		}
		xr, err = s.composite(claims, "create-claim", "orders", "XDatabase")
		return errors.Join(err, claim.has(map[string]any{"status.endpoint": xr.value("status.endpoint")}))
	})
	s.arrived(xr, "create-claim-orders")
	// Crossplane itself writes the Secret of the claim.
	s.connection("create-claim", "orders-connection", xr)
}

// waitsForNetwork sees that there is no database while the cloud is still
// making the network, and that the composite resource is not ready, as its
// readiness checks say.
func (s *story) waitsForNetwork(get func() (object, error), databases kind) object {
	s.Helper()
	var xr object
	s.eventually("the network is being made", func() (err error) {
		if xr, err = get(); err != nil {
			return err
		}
		composed, err := s.composed(xr)
		if err != nil {
			return err
		}
		network, ok := composed["network"]
		if !ok {
			return errors.New("there is no network")
		}
		return errors.Join(network.has(map[string]any{"status.atProvider.state": "creating"}),
			xr.condition("Synced", "True"), xr.condition("Ready", "False"))
	})
	composed, err := s.composed(xr)
	s.must(err)
	if names := slices.Collect(maps.Keys(composed)); !slices.Equal(names, []string{"network"}) {
		s.Errorf("while the network is made there are %q; the database has to wait", names)
	}
	all, err := s.list(databases, s.namespace)
	s.must(err)
	for _, db := range all {
		if db.GetLabels()["crossplane.io/composite"] == xr.GetName() {
			s.Errorf("there is a database %s before the network is ready", db.GetName())
		}
	}
	return xr
}

// arrived sees that patches, transforms, patch sets and combines arrived.
func (s *story) arrived(xr object, combined string) {
	s.Helper()
	composed, err := s.composed(xr)
	s.must(err)
	network, database := composed["network"], composed["database"]
	if network.Unstructured == nil || database.Unstructured == nil {
		s.Fatalf("%s has not composed both", xr.GetName())
	}
	id, _ := network.text("status.atProvider.id") // The database's networkID is compared with it.
	s.must(errors.Join(
		network.has(map[string]any{
			"spec.forProvider.region":    "eu-west-1",
			"spec.forProvider.tags.team": "payments",
		}),
		database.has(map[string]any{
			"spec.forProvider.region":              "eu-west-1",
			"spec.forProvider.tags.team":           "payments",
			"spec.forProvider.class":               "xlarge",
			"spec.forProvider.storageGB":           int64(40),
			"spec.forProvider.networkID":           id,
			"spec.forProvider.parameters[0].value": combined,
			"spec.forProvider.parameters[0].name":  "application_name",
		}),
		xr.has(map[string]any{
			"status.networkID": id,
			"status.endpoint":  database.value("status.atProvider.endpoint"),
			"status.subnets":   network.value("status.atProvider.subnetIDs"),
		}),
	))
	if id == "" || database.value("status.atProvider.endpoint") == nil {
		s.Errorf("the network has the id %q, the database the endpoint %v", id, database.value("status.atProvider.endpoint"))
	}
}

// connection sees that a Secret has what the composition derives, and no more.
func (s *story) connection(namespace, name string, xr object) {
	s.Helper()
	composed, err := s.composed(xr)
	s.must(err)
	own, _ := composed["database"].text("spec.writeConnectionSecretToRef.name") // A Secret without a name is not found.
	s.eventually("the connection Secret is complete", func() error {
		secret, err := s.secret(namespace, name)
		if err != nil {
			return err
		}
		cloud, err := s.secret(namespace, own)
		if err != nil {
			return err
		}
		want := map[string]string{
			"user": cloud["username"], "password": cloud["password"], "sslmode": "require",
			"host": fmt.Sprint(xr.value("status.endpoint")),
		}
		if diff := cmp.Diff(want, secret); diff != "" || cloud["password"] == "" {
			return fmt.Errorf("it is not what the composition derives (-want +got):\n%s", diff)
		}
		return nil
	})
}

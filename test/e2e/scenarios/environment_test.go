package scenarios

import (
	"errors"
	"testing"
)

// An account's settings are in an EnvironmentConfig. Two steps of the function
// read them, and the second one what the first one has added.
func TestEnvironmentNamespaced(t *testing.T) {
	s := tell(t, "environment")
	products := kind{"environment.example.org/v1", "Product"}
	s.apply("config.yaml", "stage", "test", "storage", "20")
	s.apply("namespaced.yaml")
	s.apply("product.yaml", "kind", "Product")
	s.environmentStory(func() (object, error) { return s.get(products, "environment", "billing") })
}

// The same with a claim.
func TestEnvironmentClaim(t *testing.T) {
	s := tell(t, "environment-claim")
	s.folder = "testdata/environment"
	claims := kind{"environment-claim.example.org/v1", "ProductClaim"}
	s.apply("config.yaml", "stage", "test", "storage", "20")
	s.apply("claim.yaml")
	s.apply("product.yaml", "kind", "ProductClaim")
	s.environmentStory(func() (object, error) { return s.composite(claims, "environment-claim", "billing", "XProduct") })
	s.eventually("the claim is ready", func() error {
		claim, err := s.get(claims, "environment-claim", "billing")
		if err != nil {
			return err
		}
		return errors.Join(claim.ready(), claim.has(map[string]any{"status.stage": "production"}))
	})
}

// environmentStory sees what the environment brings, and that a change of it
// reaches what is composed.
func (s *story) environmentStory(product func() (object, error)) {
	s.Helper()
	var ids [2]string
	s.eventually("the environment arrives", func() (err error) {
		ids, err = s.hasEnvironment(product, "test", 20)
		return err
	})
	s.apply("config.yaml", "stage", "production", "storage", "50")
	s.eventually("the changed environment arrives", func() error {
		now, err := s.hasEnvironment(product, "production", 50)
		if err == nil && now != ids {
			err = errors.New("the network, or the database, is another one now")
		}
		return err
	})
	db, ok := here.Cloud.Get(ids[1])
	if !ok || db.Properties["storageGB"] != int64(50) {
		s.Errorf("the cloud's database has %v GB", db.Properties["storageGB"])
	}
}

// hasEnvironment sees that the fields of the environment are where the
// composition puts them, and returns the ids of the network and the database.
func (s *story) hasEnvironment(product func() (object, error), stage string, storage int64) (ids [2]string, err error) {
	xr, err := product()
	if err != nil {
		return ids, err
	}
	composed, err := s.composed(xr)
	if err != nil {
		return ids, err
	}
	network, database := composed["network"], composed["database"]
	if network.Unstructured == nil || database.Unstructured == nil {
		return ids, errors.Join(errors.New("not both are composed"), xr.ready())
	}
	ids[0], _ = network.text("status.atProvider.id")
	ids[1], _ = database.text("status.atProvider.id")
	if ids[0] == "" || ids[1] == "" {
		return ids, errors.New("not both have ids")
	}
	return ids, errors.Join(xr.ready(), xr.has(map[string]any{"status.stage": stage}),
		network.has(map[string]any{
			"spec.forProvider.region":    "eu-west-1",
			"spec.forProvider.tags.name": "payments-" + stage,
		}),
		database.has(map[string]any{
			"spec.forProvider.region":     "eu-west-1",
			"spec.forProvider.storageGB":  storage,
			"status.atProvider.storageGB": storage,
			"spec.forProvider.networkID":  ids[0],
			"spec.forProvider.tags.owner": "payments in " + ids[0],
		}))
}

package scenarios

import (
	"errors"
	"fmt"
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// A shop composes a store, which composes a database. What the database reports
// comes up through both, and the shop waits for it.
func TestNestedNamespaced(t *testing.T) {
	s := tell(t, "nested")
	shops := kind{"nested.example.org/v1", "Shop"}
	s.apply("namespaced.yaml")
	release := here.Cloud.Hold(cloud.Filter{Kind: cloud.Database, Namespace: "nested"})
	defer release()
	s.apply("shop.yaml")

	shop := func() (object, error) { return s.get(shops, "nested", "books") }
	s.eventually("the shop waits for the database of its store", func() error { return s.shopWaits(shop) })
	release()
	s.eventually("the shop is ready", func() error { return s.shopReady(shop) })
}

// The same with a claim, whose Secret has what the store's has, which has what
// the database's has.
func TestNestedClaim(t *testing.T) {
	s := tell(t, "nested-claim")
	s.folder = "testdata/nested"
	claims := kind{"nested-claim.example.org/v1", "ShopClaim"}
	s.apply("claim.yaml")
	s.apply("shopclaim.yaml")

	shop := func() (object, error) { return s.composite(claims, "nested-claim", "books", "XShop") }
	s.eventually("the shop is ready", func() error { return s.shopReady(shop) })
	xr, err := shop()
	s.must(err)
	_, database, err := s.shopParts(xr)
	s.must(err)
	own, err := database.text("spec.writeConnectionSecretToRef.name")
	s.must(err)
	s.eventually("the claim is ready, and has the database's Secret", func() error {
		claim, err := s.get(claims, "nested-claim", "books")
		if err != nil {
			return err
		}
		secret, err := s.secret("nested-claim", "books-connection")
		if err != nil {
			return errors.Join(claim.ready(), err)
		}
		cloud, err := s.secret("nested-claim", own)
		if err != nil {
			return err
		}
		if secret["dsn"] != cloud["endpoint"] || secret["password"] != cloud["password"] || secret["password"] == "" {
			return fmt.Errorf("it has %v, but the database %v", secret, cloud)
		}
		return errors.Join(claim.ready(), claim.has(map[string]any{"status.endpoint": cloud["endpoint"]}))
	})
}

// shopWaits sees that neither the shop nor its store is ready before the cloud
// has made the database.
func (s *story) shopWaits(shop func() (object, error)) error {
	xr, err := shop()
	if err != nil {
		return err
	}
	store, database, err := s.shopParts(xr)
	if err != nil {
		return err
	}
	return errors.Join(xr.unready("store"), store.unready("database"),
		database.has(map[string]any{"status.atProvider.state": "creating"}))
}

// shopReady sees that the database's endpoint has come up.
func (s *story) shopReady(shop func() (object, error)) error {
	xr, err := shop()
	if err != nil {
		return err
	}
	store, database, err := s.shopParts(xr)
	if err != nil {
		return err
	}
	endpoint, err := database.text("status.atProvider.endpoint")
	if err != nil {
		return err
	}
	want := map[string]any{"status.endpoint": endpoint}
	return errors.Join(xr.ready(), store.ready(), database.ready(), xr.has(want), store.has(want),
		database.has(map[string]any{"spec.forProvider.region": "eu-west-1"}))
}

// shopParts reads a shop's store, and its database.
func (s *story) shopParts(xr object) (store, database object, err error) {
	parts, err := s.composed(xr)
	if err != nil {
		return store, database, err
	}
	store = parts["store"]
	if store.Unstructured == nil {
		return store, database, errors.New("the shop has no store")
	}
	if parts, err = s.composed(store); err != nil {
		return store, database, err
	}
	database = parts["database"]
	if database.Unstructured == nil {
		return store, database, errors.New("the store has no database")
	}
	return store, database, nil
}

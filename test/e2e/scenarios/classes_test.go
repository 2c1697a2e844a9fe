package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// The example of classes of service, as it is.
const classes = "../../../example/classes"

// Two teams ask for the same database. Each namespace has its own provider, and
// a class that is named brings more than the default one.
func TestClassesNamespaced(t *testing.T) {
	s := tell(t, "team-a")
	s.must(s.createNamespace("team-b"))
	s.must(here.Allow(s.Context(), "classes", "classes.example.org", "*"))
	s.folder = classes + "/namespaced"
	for _, file := range []string{
		"definition.yaml", "composition.yaml", "composition-favourite.yaml", "composition-rival.yaml", "classes.yaml",
		"xr-team-a.yaml", "xr-team-b.yaml", "xr-premium.yaml",
	} {
		s.apply(file)
	}

	// What the classes and the namespaces say, in the platform's words ...
	s.classInstance("team-a", "orders", map[string]any{
		"spec.size": "small", "spec.storageGB": int64(50), "spec.region": "europe", "spec.backupWindow": nil,
	})
	s.classInstance("team-b", "orders", map[string]any{
		"spec.size": "small", "spec.storageGB": int64(50), "spec.region": "america", "spec.backupWindow": nil,
	})
	s.classInstance("team-a", "ledger", map[string]any{
		"spec.size": "large", "spec.storageGB": int64(200), "spec.region": "europe", "spec.backupWindow": "02:00-03:00",
		"spec.engineVersion": "16",
	})

	// ... and in those of the providers.
	s.classDatabase(databaseKind, "team-a", "orders", map[string]any{
		"spec.forProvider.class": "small", "spec.forProvider.storageGB": int64(50), "spec.forProvider.region": "eu-central-1",
	})
	s.classDatabase(rivalDatabaseKind, "team-b", "orders", map[string]any{
		"spec.forProvider.labels.tier": "shared", "spec.forProvider.diskSize": "50Gi", "spec.forProvider.location": "Virginia",
		"spec.forProvider.flavour": "PostgreSQL",
	})
	s.classDatabase(databaseKind, "team-a", "ledger", map[string]any{
		"spec.forProvider.class": "xlarge", "spec.forProvider.storageGB": int64(200), "spec.forProvider.engineVersion": "16",
		"spec.forProvider.backupWindow": "02:00-03:00",
	})

	// Whoever connects need not know who satisfied the claim.
	databases := kind{"classes.example.org/v1alpha1", "Database"}
	for _, d := range [][2]string{{"team-a", "orders"}, {"team-b", "orders"}, {"team-a", "ledger"}} {
		s.classConnects(databases, d[0], d[1])
	}

	// The cloud did what was asked for, once.
	s.cloudHasDatabase("team-a", "orders", map[string]any{"class": "small", "storageGB": int64(50), "engine": "postgres", "region": "eu-central-1"})
	s.cloudHasDatabase("team-b", "orders", map[string]any{"storageGB": int64(50), "engine": "postgres", "region": "Virginia"})
	s.cloudHasDatabase("team-a", "ledger", map[string]any{"class": "xlarge", "storageGB": int64(200), "engineVersion": "16"})
}

// The same with claims: one names a class, one a provider.
func TestClassesClaims(t *testing.T) {
	s := tell(t, "claims-team-a")
	s.must(s.createNamespace("claims-team-b"))
	s.must(here.Allow(s.Context(), "classes-claims", "classes.example.org", "*"))
	s.folder = classes + "/claims"
	for _, file := range []string{"definition.yaml", "composition-favourite.yaml", "composition-rival.yaml"} {
		s.apply(file)
	}
	// The namespaces team-a and team-b are those of the other story.
	found, err := s.read("claims.yaml")
	s.must(err)
	for _, claim := range found {
		claim.SetNamespace("claims-" + claim.GetNamespace())
		s.eventually("claiming", func() error { return applyObject(s.Context(), claim.DeepCopy()) })
	}

	claims := kind{"classes.example.org/v1alpha1", "DatabaseClaim"}
	xrs := map[string]object{}
	for _, namespace := range []string{"claims-team-a", "claims-team-b"} {
		s.classConnects(claims, namespace, "orders")
		xrs[namespace], err = s.composite(claims, namespace, "orders", "XDatabase")
		s.must(err)
	}
	s.classDatabase(clusterDatabaseKind, "", xrs["claims-team-a"].GetName(), map[string]any{
		"spec.forProvider.class": "xlarge", "spec.forProvider.storageGB": int64(200), "spec.forProvider.engine": "postgres",
		"spec.forProvider.backupWindow": "02:00-03:00", "spec.forProvider.region": "eu-central-1",
	})
	s.classDatabase(rivalDatabaseKind, "claims-team-b", xrs["claims-team-b"].GetName(), map[string]any{
		"spec.forProvider.labels.tier": "shared", "spec.forProvider.diskSize": "20Gi", "spec.forProvider.location": "Frankfurt",
		"spec.forProvider.flavour": "PostgreSQL",
	})
	s.cloudHasDatabase("", xrs["claims-team-a"].GetName(), map[string]any{"class": "xlarge", "storageGB": int64(200), "engine": "postgres"})
	s.cloudHasDatabase("claims-team-b", xrs["claims-team-b"].GetName(), map[string]any{"storageGB": int64(20), "engine": "postgres", "region": "Frankfurt"})
}

// classInstance sees what a Database composes.
func (s *story) classInstance(namespace, name string, want map[string]any) {
	s.Helper()
	s.eventually("the instance of "+namespace+"/"+name, func() error {
		xr, err := s.get(kind{"classes.example.org/v1alpha1", "Database"}, namespace, name)
		if err != nil {
			return err
		}
		composed, err := s.composed(xr)
		if err != nil {
			return err
		}
		if len(composed) != 1 || composed["instance"].Unstructured == nil {
			return fmt.Errorf("it composes %q, not just the instance", slices.Sorted(maps.Keys(composed)))
		}
		return composed["instance"].has(want)
	})
}

// classDatabase sees that a composite resource has one database, of the kind of its
// provider, and none of another's.
func (s *story) classDatabase(k kind, namespace, composite string, want map[string]any) {
	s.Helper()
	s.eventually(k.kind+" of "+namespace+"/"+composite, func() error {
		var mine []object
		for _, each := range []kind{databaseKind, clusterDatabaseKind, rivalDatabaseKind} {
			all, err := s.list(each, namespace)
			if err != nil {
				return err
			}
			for _, o := range all {
				if o.GetLabels()["crossplane.io/composite"] == composite {
					mine = append(mine, o)
				}
			}
		}
		if len(mine) != 1 || mine[0].GetKind() != k.kind {
			return fmt.Errorf("there are %d databases, and not one %s", len(mine), k.kind)
		}
		return mine[0].has(want)
	})
}

// cloudHasDatabase sees that the cloud has one database for a composite resource.
func (s *story) cloudHasDatabase(namespace, composite string, want map[string]any) {
	s.Helper()
	found := here.Cloud.List(cloud.Filter{Kind: cloud.Database, Namespace: namespace, Composite: composite})
	if len(found) != 1 {
		s.Fatalf("the cloud has %d databases for %s/%s", len(found), namespace, composite)
	}
	for name, value := range want {
		if got := found[0].Properties[name]; got != value {
			s.Errorf("the cloud's database of %s/%s has the %s %v, and not %v", namespace, composite, name, got, value)
		}
	}
}

// classConnects sees that what a team asked for is ready, and that its Secret has the
// keys that those of all providers have.
func (s *story) classConnects(k kind, namespace, name string) {
	s.Helper()
	s.eventually(namespace+"/"+name+" is ready", func() error {
		o, err := s.get(k, namespace, name)
		if err != nil {
			return err
		}
		secret, err := s.secret(namespace, name+"-connection")
		if err != nil {
			return errors.Join(o.ready(), err)
		}
		want := []string{"endpoint", "password", "port", "username"}
		if keys := slices.Sorted(maps.Keys(secret)); !slices.Equal(keys, want) {
			return fmt.Errorf("its Secret has the keys %q, and not %q", keys, want)
		}
		for key, value := range secret {
			if value == "" {
				return fmt.Errorf("%s is empty in its Secret", key)
			}
		}
		return errors.Join(o.ready(), o.has(map[string]any{"status.address": secret["endpoint"]}))
	})
}

package provider

import (
	"testing"
	"time"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
	"github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/favourite"
	namespaced "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/namespaced/v1alpha1"
	rival "github.com/function-patchwork/function-patchwork/test/e2e/provider/apis/rival/v1alpha1"
)

// newExternal returns a client for the kind of an object, and its cloud.
func newExternal(t *testing.T, kind func(Object) bool, o cloud.Options) (*external, *cloud.Cloud) {
	t.Helper()
	c := cloud.New(o)
	for _, k := range kinds() {
		if kind(k.object()) {
			return &external{cloud: c, kind: k}, c
		}
	}
	t.Fatal("there is no such kind")
	return nil, nil
}

func isDB(o Object) bool { _, ok := o.(*namespaced.FavouriteDBInstance); return ok }

func newDB() *namespaced.FavouriteDBInstance {
	db := &namespaced.FavouriteDBInstance{ObjectMeta: metav1.ObjectMeta{
		Namespace: "team", Name: "x-1",
		Labels:      map[string]string{"crossplane.io/composite": "x"},
		Annotations: map[string]string{"crossplane.io/composition-resource-name": "database"},
	}}
	db.ForProvider = favourite.DBInstanceParameters{
		Region: "eu", Engine: new("postgres"), StorageGB: new(int64(20)),
		Tags:       map[string]string{"a": "b"},
		Parameters: []favourite.Parameter{{Name: "x", Value: "1"}},
	}
	db.InitProvider = favourite.DBInstanceInitParameters{Class: new("large"), StorageGB: new(int64(99))}
	return db
}

func mustObserve(t *testing.T, e *external, o Object) managed.ExternalObservation {
	t.Helper()
	obs, err := e.Observe(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return obs
}

func TestLifecycle(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	e, c := newExternal(t, isDB, cloud.Options{
		CreateTime: time.Second, DeleteTime: time.Second, Clock: func() time.Time { return now },
	})
	db := newDB()
	if obs := mustObserve(t, e, db); obs.ResourceExists {
		t.Error("exists before creation")
	}
	if _, err := e.Create(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	created := c.Created(cloud.Filter{Kind: cloud.Database, Namespace: "team", Name: "x-1", Composite: "x", Resource: "database"})
	if len(created) != 1 || created[0].ID != meta.GetExternalName(db) {
		t.Fatalf("created %v, external name %q", created, meta.GetExternalName(db))
	}
	if p := created[0].Properties; p["class"] != "large" || p["storageGB"] != int64(20) {
		t.Errorf("forProvider does not go before initProvider: %v", p)
	}

	obs := mustObserve(t, e, db)
	if !obs.ResourceExists || !obs.ResourceUpToDate || !obs.ResourceLateInitialized || len(obs.ConnectionDetails) != 0 {
		t.Errorf("while creating: %+v", obs)
	}
	if got := db.GetCondition(xpv2.TypeReady); !got.Equal(xpv2.Creating()) {
		t.Errorf("while creating: %v", got)
	}
	if db.ForProvider.BackupWindow == nil || db.ForProvider.EngineVersion == nil || db.ForProvider.Class != nil {
		t.Errorf("late initialized: %+v", db.ForProvider)
	}

	now = now.Add(time.Second)
	obs = mustObserve(t, e, db)
	if !obs.ResourceUpToDate || obs.ResourceLateInitialized || len(obs.ConnectionDetails) != 4 {
		t.Errorf("once available: %+v", obs)
	}
	if got := db.GetCondition(xpv2.TypeReady); !got.Equal(xpv2.Available()) {
		t.Errorf("once available: %v", got)
	}
	if at := db.AtProvider; at.Endpoint == nil || *at.Port != 5432 || *at.State != "available" || *at.Class != "large" {
		t.Errorf("observed: %+v", at)
	}

	if _, err := e.Delete(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if obs := mustObserve(t, e, db); !obs.ResourceExists || db.GetCondition(xpv2.TypeReady).Reason != xpv2.ReasonDeleting {
		t.Errorf("while deleting: %+v", obs)
	}
	now = now.Add(time.Second)
	if obs := mustObserve(t, e, db); obs.ResourceExists {
		t.Error("exists after deletion")
	}
	if _, err := e.Delete(t.Context(), db); err != nil {
		t.Errorf("deletion of nothing: %v", err)
	}
}

func TestUpdate(t *testing.T) {
	e, c := newExternal(t, isDB, cloud.Options{})
	db := newDB()
	if _, err := e.Create(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	id := meta.GetExternalName(db)
	mustObserve(t, e, db)
	db.ForProvider.StorageGB = new(int64(30))
	c.Drift(id, map[string]any{"tags": map[string]string{"z": "z"}, "class": "xlarge"})
	if obs := mustObserve(t, e, db); obs.ResourceUpToDate {
		t.Error("up to date before the update")
	}
	for range 2 {
		if _, err := e.Update(t.Context(), db); err != nil {
			t.Fatal(err)
		}
	}
	if obs := mustObserve(t, e, db); !obs.ResourceUpToDate {
		t.Error("not up to date after the update")
	}
	updated := c.Updated(cloud.Filter{ID: id})
	if len(updated) != 1 || len(updated[0].Properties) != 2 {
		t.Errorf("updated %v, want storageGB and tags, once", updated)
	}
	if got, _ := c.Get(id); got.Properties["class"] != "xlarge" {
		t.Error("updated what only initProvider says")
	}
}

func TestAdopt(t *testing.T) {
	e, c := newExternal(t, isDB, cloud.Options{})
	there, err := c.Create(cloud.Request{Kind: cloud.Database, Properties: map[string]any{
		"region": "eu", "engine": "postgres", "storageGB": 20, "tags": map[string]string{"a": "b"},
		"parameters": []map[string]any{{"name": "x", "value": "1"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	db := newDB()
	meta.SetExternalName(db, there.ID)
	if obs := mustObserve(t, e, db); !obs.ResourceExists || !obs.ResourceUpToDate || !obs.ResourceLateInitialized {
		t.Errorf("adopted: %+v", obs)
	}
	named := newDB()
	meta.SetExternalName(named, "db-mine")
	if obs := mustObserve(t, e, named); obs.ResourceExists {
		t.Error("exists before creation")
	}
	if _, err := e.Create(t.Context(), named); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Get("db-mine"); !ok || meta.GetExternalName(named) != "db-mine" {
		t.Error("not created with the given name")
	}
}

func TestErrorsArePassedOn(t *testing.T) {
	e, c := newExternal(t, isDB, cloud.Options{})
	db := newDB()
	c.FailNext(cloud.Create, cloud.Filter{Name: "x-1"}, 1, nil)
	if _, err := e.Create(t.Context(), db); !cloud.Is(err, cloud.Throttled) || meta.GetExternalName(db) != "" {
		t.Errorf("creation: %v, external name %q", err, meta.GetExternalName(db))
	}
	if _, err := e.Create(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	mustObserve(t, e, db)
	db.ForProvider.StorageGB = new(int64(12))
	if _, err := e.Update(t.Context(), db); !cloud.Is(err, cloud.InvalidParameter) {
		t.Errorf("update: %v", err)
	}
	c.FailNext(cloud.Describe, cloud.Filter{}, 1, nil)
	if _, err := e.Observe(t.Context(), db); !cloud.Is(err, cloud.Throttled) {
		t.Errorf("observation: %v", err)
	}
	c.FailNext(cloud.Delete, cloud.Filter{}, 1, nil)
	if _, err := e.Delete(t.Context(), db); !cloud.Is(err, cloud.Throttled) {
		t.Errorf("deletion: %v", err)
	}
}

func TestRival(t *testing.T) {
	e, c := newExternal(t, func(o Object) bool { _, ok := o.(*rival.RivalDatabase); return ok }, cloud.Options{})
	db := &rival.RivalDatabase{}
	db.ForProvider = rival.RivalDatabaseParameters{
		Flavour: "MySQL", DiskSize: "20Gi", Location: "eu", Labels: map[string]string{"a": "b"},
	}
	if _, err := e.Create(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	id := meta.GetExternalName(db)
	got, _ := c.Get(id)
	if p := got.Properties; p["engine"] != "mysql" || p["storageGB"] != int64(20) || p["region"] != "eu" {
		t.Errorf("created %v", p)
	}
	if obs := mustObserve(t, e, db); !obs.ResourceUpToDate || obs.ResourceLateInitialized {
		t.Errorf("observed %+v", obs)
	}
	if at := db.AtProvider; *at.Address != id+".eu.db.example.org:3306" || *at.DiskSize != "20Gi" || *at.ID != id {
		t.Errorf("observed %+v", at)
	}
	db.ForProvider.DiskSize = "30Gi"
	if obs := mustObserve(t, e, db); obs.ResourceUpToDate {
		t.Error("up to date before the update")
	}
	if _, err := e.Update(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if got, _ := c.Get(id); got.Properties["storageGB"] != int64(30) {
		t.Errorf("updated to %v", got.Properties)
	}
}

package scenarios

import "testing"

// A team changes fields of one of its databases, and takes some away. Each time
// just that changes in the cloud.
func TestDayTwoFields(t *testing.T) {
	teams(t, "fields", "composition.yaml", func(t *team) {
		t.applies("database.yaml", "name", "orders")
		t.applies("database.yaml", "name", "payments")
		_, before := t.settled("orders", "primary", "replica")
		others, _ := t.settled("payments", "primary", "replica")
		begin := here.Cloud.Mark()

		t.changes(before, `{"spec":{"class":"large"}}`, "update primary class=large")
		// Nothing but the creation reads initProvider.
		after := t.changes(before, `{"spec":{"storage":40}}`)
		t.check(after["replica"].has(map[string]any{"spec.initProvider.storageGB": int64(40), "spec.forProvider.storageGB": nil}))
		if got := t.existence(after["replica"]).Properties["storageGB"]; got != int64(20) {
			t.Errorf("the replica has %v GB, and was created with 20", got)
		}
		// The source of an optional patch, and that of a required one: a resource
		// that exists is never taken away for its sake.
		t.changes(before, `{"spec":{"note":null}}`, "update primary tags=map[app:shop owner:ann]")
		t.changes(before, `{"spec":{"owner":null}}`, "update primary tags=map[app:shop]")
		// What nobody says any more is the cloud's to choose, and it has chosen.
		after = t.changes(before, `{"spec":{"window":null}}`)
		t.check(after["primary"].has(map[string]any{"spec.forProvider.backupWindow": "01:00-02:00"}))

		// Nothing of all this is done, and undone, again and again.
		mark := here.Cloud.Mark()
		xr, still := t.settled("orders", "primary", "replica")
		t.did(mark, xr)
		for name, o := range still {
			t.check(o.has(map[string]any{"metadata.generation": after[name].GetGeneration()}))
		}
		t.did(begin, others)
	})
}

// changes changes orders, and sees that this is all that the cloud then does,
// that the resources stay the same, and that what was late initialized stays.
func (t *team) changes(before map[string]object, patch string, want ...string) map[string]object {
	t.Helper()
	mark := here.Cloud.Mark()
	t.change(t.asks("orders"), patch)
	xr, after := t.settled("orders", "primary", "replica")
	t.did(mark, xr, want...)
	t.same(before, after)
	for name, o := range after {
		t.check(o.has(map[string]any{"spec.forProvider.engineVersion": "18"}))
		if name == "replica" {
			t.check(o.has(map[string]any{"spec.forProvider.backupWindow": "03:00-04:00", "spec.forProvider.class": "small"}))
		}
	}
	return after
}

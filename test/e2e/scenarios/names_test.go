package scenarios

import (
	"errors"
	"strings"
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

const externalName = "metadata.annotations[crossplane.io/external-name]"

// A team brings a database along that the cloud has, by its external name: it is
// taken over, and not made again.
func TestDayTwoNameGiven(t *testing.T) {
	teams(t, "names", "composition.yaml", func(t *team) {
		id := t.existing()
		mark := here.Cloud.Mark()
		t.applies("existing.yaml", "id", id)
		xr, composed := t.settled("orders", "database")
		database := composed["database"]

		tags := map[string]any{"team": "payments"}
		if t.claims {
			tags["claim"] = "names-claim/orders"
			tags["crossplane.io/claim-name"] = "orders"
			tags["crossplane.io/claim-namespace"] = "names-claim"
		}
		t.check(errors.Join(
			xr.has(map[string]any{externalName: id, "status.id": id, "status.class": "large", "status.endpoint": id + ".eu.db.example.org"}),
			database.has(map[string]any{externalName: id, "spec.forProvider.class": "large"}),
		))
		for name, value := range tags {
			t.check(database.has(map[string]any{"spec.forProvider.tags[" + name + "]": value}))
		}
		if !t.claims && database.value("spec.forProvider.tags.claim") != nil {
			t.Error("there is a tag of a claim, and no claim")
		}
		t.did(mark, xr) // For it nothing was made.
		if events := here.Cloud.Updated(cloud.Filter{ID: id, Since: mark}); len(events) != 1 || len(events[0].Properties) != 1 || events[0].Properties["tags"] == nil {
			t.Errorf("the database that was there was updated so, and not once, by its tags: %v", events)
		}

		mark = here.Cloud.Mark()
		_, again := t.settled("orders", "database")
		t.same(composed, again)
		t.did(mark, xr)
		t.happened(cloud.Filter{ID: id, Since: mark})
	})
}

// The cloud names a database, and the composite resource tells the name. It
// keeps the name, however often it is composed.
func TestDayTwoNameGenerated(t *testing.T) {
	teams(t, "generated", "../names/composition.yaml", func(t *team) {
		mark := here.Cloud.Mark()
		t.applies("../names/new.yaml")
		xr, first := t.settled("invoices", "database")
		id, _ := first["database"].text(externalName)
		if !strings.HasPrefix(id, "db-") {
			t.Errorf("the cloud has named it %q", id)
		}
		for range 3 {
			now, composed := t.settled("invoices", "database")
			t.same(first, composed)
			t.check(now.has(map[string]any{"status.id": id, "status.endpoint": id + ".eu.db.example.org", externalName: nil}))
			t.check(composed["database"].has(map[string]any{externalName: id, "metadata.generation": first["database"].GetGeneration()}))
		}
		t.did(mark, xr, "create database")
	})
}

package scenarios

import (
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// A team looks at a database that the cloud has, without touching it, then takes
// it over, and in the end lets it go.
func TestDayTwoObserve(t *testing.T) {
	teams(t, "observe", "composition.yaml", func(t *team) {
		id := t.existing()
		everything := cloud.Filter{ID: id, Since: here.Cloud.Mark()}
		t.applies("database.yaml", "id", id)
		_, before := t.settled("orders", "database")
		t.change(t.asks("orders"), `{"spec":{"class":"medium"}}`)
		xr, looking := t.settled("orders", "database")
		t.check(xr.has(map[string]any{"status.class": "large", "status.endpoint": id + ".eu.db.example.org"}))
		t.check(looking["database"].has(map[string]any{
			"spec.forProvider.class": "medium", "spec.managementPolicies": []any{"Observe"},
		}))
		t.happened(everything)

		t.change(t.asks("orders"), `{"spec":{"policies":["*"]}}`)
		_, taken := t.settled("orders", "database")
		t.happened(everything, "update database class=medium")

		t.change(t.asks("orders"), `{"spec":{"policies":["Observe"]}}`)
		_, left := t.settled("orders", "database")
		t.same(before, taken)
		t.same(before, left)
		t.deleted("orders")
		t.happened(everything, "update database class=medium")
		t.did(everything.Since, xr)
		if got := t.existence(left["database"]); got.State != cloud.Available {
			t.Errorf("it was let go, and is %s", got.State)
		}
	})
}

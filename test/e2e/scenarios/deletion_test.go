package scenarios

import (
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// A team deletes one of its databases. In the cloud just that is deleted, and
// not the archive, as that is to be kept.
func TestDayTwoDeletion(t *testing.T) {
	teams(t, "deletion", "composition.yaml", func(t *team) {
		keeping := "policies: [Observe, Create, Update, LateInitialize]"
		if t.claims {
			keeping = "deletion: Orphan"
		}
		for _, name := range []string{"orders", "payments"} {
			t.applies("database.yaml", "name", name, "keeping", keeping)
		}
		xr, composed := t.settled("orders", "archive", "database")
		others, before := t.settled("payments", "archive", "database")
		mark := here.Cloud.Mark()

		t.deleted("orders")
		t.did(mark, xr, "delete database")
		if archive := t.existence(composed["archive"]); archive.State != cloud.Available {
			t.Errorf("the archive is %s", archive.State)
		}
		_, after := t.settled("payments", "archive", "database")
		t.same(before, after)
		t.did(mark, others)
	})
}

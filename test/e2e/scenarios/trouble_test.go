package scenarios

import (
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// The cloud refuses things now and then, and somebody changes the database
// there by hand. All of that is put right, and nothing is made anew.
func TestDayTwoTrouble(t *testing.T) {
	teams(t, "trouble", "composition.yaml", func(t *team) {
		resource := t.name + "-database"
		begin := here.Cloud.Mark()
		ours := cloud.Filter{Resource: resource, Since: begin}
		for _, o := range []cloud.Operation{cloud.Create, cloud.Update, cloud.Delete} {
			here.Cloud.FailNext(o, ours, 2, nil)
		}
		t.applies("database.yaml")
		xr, before := t.settled("orders", resource)
		t.did(begin, xr, "create "+resource)
		t.refused(ours, 2)

		mark := here.Cloud.Mark()
		t.change(t.asks("orders"), `{"spec":{"class":"medium"}}`)
		_, after := t.settled("orders", resource)
		t.did(mark, xr, "update "+resource+" class=medium")
		t.same(before, after)
		t.refused(ours, 4)

		mark = here.Cloud.Mark()
		id := t.existence(after[resource]).ID
		here.Cloud.Drift(id, map[string]any{"class": "xlarge"})
		_, after = t.settled("orders", resource)
		t.did(mark, xr, "update "+resource+" class=medium")
		t.same(before, after)

		mark = here.Cloud.Mark()
		t.deleted("orders")
		t.did(mark, xr, "delete "+resource)
		t.refused(ours, 6)
		if left := here.Cloud.List(ours); len(left) > 0 {
			t.Errorf("the cloud still has %v", left)
		}
	})
}

// refused sees that the cloud has refused at least as many calls.
func (t *team) refused(f cloud.Filter, least int) {
	t.Helper()
	if failed := here.Cloud.Failed(f); len(failed) < least {
		t.Errorf("the cloud has refused %d calls, and not %d: %v", len(failed), least, failed)
	}
}

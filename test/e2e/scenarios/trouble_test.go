package scenarios

import (
	"errors"
	"fmt"
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
		for _, o := range []cloud.Operation{cloud.Create, cloud.Delete} {
			here.Cloud.FailNext(o, ours, 2, nil)
		}
		t.applies("database.yaml")
		xr, before := t.settled("orders", resource)
		t.did(begin, xr, "create "+resource)
		t.refused(ours, 2)

		mark := here.Cloud.Mark()
		stop := here.Cloud.Fail(cloud.Update, ours, nil)
		defer stop()
		t.change(t.asks("orders"), `{"spec":{"class":"medium"}}`)
		for range 2 { // It is composed anew while its update is known to fail.
			t.same(before, t.refusesUpdates("orders", resource))
		}
		t.did(mark, xr)
		stop()
		_, after := t.settled("orders", resource)
		t.did(mark, xr, "update "+resource+" class=medium")
		t.same(before, after)
		t.refused(ours, 3)

		mark = here.Cloud.Mark()
		id := t.existence(after[resource]).ID
		here.Cloud.Drift(id, map[string]any{"class": "xlarge"})
		_, after = t.settled("orders", resource)
		t.did(mark, xr, "update "+resource+" class=medium")
		t.same(before, after)

		mark = here.Cloud.Mark()
		t.deleted("orders")
		t.did(mark, xr, "delete "+resource)
		t.refused(ours, 5)
		if left := here.Cloud.List(ours); len(left) > 0 {
			t.Errorf("the cloud still has %v", left)
		}
	})
}

// refusesUpdates asks for a reconciliation, and waits until it has come to a
// composed resource whose update fails. It returns what is composed then.
func (t *team) refusesUpdates(name, resource string) map[string]object {
	t.Helper()
	token := t.asksForAll(name)
	var composed map[string]object
	t.eventually("the update of "+name+" fails", func() error {
		xr, err := t.xr(name)
		if err != nil {
			return err
		}
		if composed, err = t.composed(xr); err != nil {
			return err
		}
		database, ok := composed[resource]
		if !ok {
			return fmt.Errorf("there is no %s", resource)
		}
		return errors.Join(database.condition("Synced", "False"), database.has(map[string]any{
			"metadata.annotations[" + asksForReconciliation + "]": token, "spec.forProvider.class": "medium",
		}))
	})
	return composed
}

// refused sees that the cloud has refused at least as many calls.
func (t *team) refused(f cloud.Filter, least int) {
	t.Helper()
	if failed := here.Cloud.Failed(f); len(failed) < least {
		t.Errorf("the cloud has refused %d calls, and not %d: %v", len(failed), least, failed)
	}
}

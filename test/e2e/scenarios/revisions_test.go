package scenarios

import (
	"errors"
	"fmt"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// The platform's people change a composition: the databases follow, one by
// making just what is new, and removing just what is no more. That of a team
// that wants to say when waits until it does.
func TestDayTwoRevisions(t *testing.T) {
	teams(t, "revisions", "first.yaml", func(t *team) {
		for _, name := range []string{"orders", "payments"} {
			t.applies("database.yaml", "name", name)
		}
		_, before := t.settled("orders", "primary")
		t.settled("payments", "primary")
		t.change(t.asks("payments"), t.machinery("compositionUpdatePolicy", `"Manual"`))
		waiting, theirs := t.settled("payments", "primary")
		t.check(waiting.has(map[string]any{t.machineryPath("compositionUpdatePolicy"): "Manual"}))
		begin := here.Cloud.Mark()

		mark := here.Cloud.Mark()
		added := t.follows("added.yaml")
		xr, after := t.settled("orders", "primary", "replica")
		t.did(mark, xr, "create replica")
		t.same(before, after)
		replica := after["replica"]

		mark = here.Cloud.Mark()
		t.follows("removed.yaml")
		_, after = t.settled("orders", "primary")
		t.eventually("the replica is gone", func() error {
			_, err := t.get(t.databases, replica.GetNamespace(), replica.GetName())
			if err == nil {
				return fmt.Errorf("there is still %s", replica.GetName())
			}
			return client.IgnoreNotFound(err)
		})
		t.did(mark, xr, "delete replica", "update primary tags=map[app:shop]")
		t.same(before, after)

		// All this time the other one has stayed as it was.
		now, still := t.settled("payments", "primary")
		t.did(begin, now)
		t.same(theirs, still)
		t.check(now.has(map[string]any{t.revision(): waiting.value(t.revision())}))

		t.change(t.asks("payments"), t.machinery("compositionRevisionRef", fmt.Sprintf(`{"name":%q}`, added)))
		t.eventually("payments follows", func() error {
			now, err := t.xr("payments")
			return errors.Join(err, now.has(map[string]any{t.revision(): added}))
		})
		_, still = t.settled("payments", "primary", "replica")
		t.did(begin, now, "create replica")
		t.same(theirs, still)
	})
}

// follows changes the composition, waits until orders follows, and returns the
// name of the new revision.
func (t *team) follows(file string) string {
	t.Helper()
	xr, err := t.xr("orders")
	t.must(err)
	was := xr.value(t.revision())
	t.applies(file)
	var is any
	t.eventually("orders follows to "+file, func() error {
		xr, err := t.xr("orders")
		if err != nil {
			return err
		}
		if is = xr.value(t.revision()); is == was {
			return fmt.Errorf("it is still of revision %v", was)
		}
		return nil
	})
	return fmt.Sprint(is)
}

// machinery returns a patch of a field that Crossplane adds to composite
// resources.
func (t *team) machinery(field, value string) string {
	if t.claims {
		return fmt.Sprintf(`{"spec":{%q:%s}}`, field, value)
	}
	return fmt.Sprintf(`{"spec":{"crossplane":{%q:%s}}}`, field, value)
}

func (t *team) machineryPath(field string) string {
	if t.claims {
		return "spec." + field
	}
	return "spec.crossplane." + field
}

func (t *team) revision() string { return t.machineryPath("compositionRevisionRef.name") }

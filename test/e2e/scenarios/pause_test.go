package scenarios

import (
	"errors"
	"fmt"
	"testing"
)

const paused = "crossplane.io/paused"

// A team pauses its database: what it changes has no effect before it goes on.
func TestDayTwoPauseComposite(t *testing.T) {
	teams(t, "pause", "composition.yaml", func(t *team) {
		t.applies("database.yaml")
		xr, before := t.settled("orders", "database")
		mark := here.Cloud.Mark()

		t.annotate(xr, paused, "true")
		t.paused("the composite resource", func() (object, error) { return t.xr("orders") }, nil)
		t.change(t.asks("orders"), `{"spec":{"class":"large"}}`)
		t.paused("the composite resource with the change", func() (object, error) { return t.xr("orders") },
			map[string]any{"spec.class": "large"})
		meanwhile, err := t.composed(xr)
		t.must(err)
		t.same(before, meanwhile)
		t.check(meanwhile["database"].has(map[string]any{
			"spec.forProvider.class": "small", "metadata.generation": before["database"].GetGeneration(),
		}))
		t.did(mark, xr)

		t.annotate(xr, paused, "")
		_, after := t.settled("orders", "database")
		t.same(before, after)
		t.check(after["database"].has(map[string]any{"spec.forProvider.class": "large"}))
		t.did(mark, xr, "update database class=large")
	})
}

// Somebody pauses a composed resource: it is still composed, but the cloud is
// not asked for anything. Nobody takes the annotation away, or sets it again.
func TestDayTwoPauseComposed(t *testing.T) {
	teams(t, "pause-composed", "../pause/composition.yaml", func(t *team) {
		t.applies("../pause/database.yaml")
		xr, before := t.settled("orders", "database")
		database := before["database"]
		read := func() (object, error) { return t.get(t.databases, database.GetNamespace(), database.GetName()) }
		mark := here.Cloud.Mark()

		t.annotate(database, paused, "true")
		t.paused("the database", read, nil)
		for _, class := range []string{"large", "xlarge"} {
			t.change(t.asks("orders"), fmt.Sprintf(`{"spec":{"class":%q}}`, class))
			t.paused("the database that is to be "+class, read, map[string]any{
				"spec.forProvider.class": class, "metadata.annotations[" + paused + "]": "true",
			})
		}
		t.did(mark, xr)

		t.annotate(database, paused, "")
		_, after := t.settled("orders", "database")
		t.same(before, after)
		t.check(after["database"].has(map[string]any{"metadata.annotations[" + paused + "]": nil}))
		t.did(mark, xr, "update database class=xlarge")
	})
}

// paused waits until an object's controller has seen how the object is, and
// that it is paused.
func (t *team) paused(what string, read func() (object, error), want map[string]any) {
	t.Helper()
	t.eventually(what+" is paused", func() error {
		o, err := read()
		if err != nil {
			return err
		}
		conditions, _ := o.array("status.conditions") // It may have none.
		for _, c := range conditions {
			c := c.(map[string]any)
			if c["type"] == "Synced" && c["reason"] == "ReconcilePaused" && c["observedGeneration"] == o.GetGeneration() {
				return o.has(want)
			}
		}
		return errors.Join(fmt.Errorf("generation %d is not paused: %v", o.GetGeneration(), conditions), o.has(want))
	})
}

package cloud

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"
)

func TestFilter(t *testing.T) {
	o := Owner{Namespace: "team", Name: "x-1", Composite: "x", Resource: "database"}
	for _, f := range []Filter{
		{}, {Kind: Database}, {ID: "db-1"}, {Namespace: "team"}, {Name: "x-1"}, {Composite: "x"},
		{Resource: "database"}, {Kind: Database, Composite: "x", Resource: "database"},
	} {
		if !f.matches(Database, "db-1", o) {
			t.Errorf("%+v does not match", f)
		}
	}
	for _, f := range []Filter{
		{Kind: Network}, {ID: "db-2"}, {Namespace: "tea"}, {Name: "x"}, {Composite: "y"},
		{Resource: "network"}, {Kind: Database, Composite: "y"},
	} {
		if f.matches(Database, "db-1", o) {
			t.Errorf("%+v matches", f)
		}
	}
}

func TestJournal(t *testing.T) {
	c, at := newTest(Options{})
	first := mustCreate(t, c, network())
	mark := c.Mark()
	at.advance(time.Second)
	second := mustCreate(t, c, database(nil))
	created := c.Created(Filter{})
	if len(created) != 2 || created[0].ID != first.ID || created[1].ID != second.ID {
		t.Fatalf("created %v", created)
	}
	e := created[1]
	if e.Kind != Database || e.Owner.Name != "db" || e.Owner.Namespace != "team" || e.Properties["class"] != "small" ||
		!e.Time.Equal(at.now) {
		t.Errorf("event %+v", e)
	}
	if later := c.Created(Filter{Since: mark}); len(later) != 1 || later[0].ID != second.ID {
		t.Errorf("created later %v", later)
	}
}

func TestAwait(t *testing.T) {
	c := New(Options{})
	var wg sync.WaitGroup
	defer wg.Wait()
	for range 20 {
		wg.Go(func() { _, _ = c.Create(database(nil)) })
	}
	events, err := c.Await(t.Context(), Create, Filter{Kind: Database}, 20)
	if err != nil || len(events) != 20 {
		t.Errorf("%d events, error %v", len(events), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if events, err := c.Await(ctx, Create, Filter{}, 21); !errors.Is(err, context.Canceled) || len(events) != 20 {
		t.Errorf("%d events, error %v", len(events), err)
	}
}

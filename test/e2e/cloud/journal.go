package cloud

import (
	"context"
	"time"
)

// An Operation that the cloud was called for, or that a test did behind
// everybody's back.
type Operation string

// The operations.
const (
	Create   Operation = "create"
	Describe Operation = "describe"
	Update   Operation = "update"
	Delete   Operation = "delete"

	// Drifted and Vanished are done by tests: see Cloud.Drift and Cloud.Vanish.
	Drifted  Operation = "drift"
	Vanished Operation = "vanish"
)

// An Event is a call, as the journal has it.
type Event struct {
	Time      time.Time
	Operation Operation
	Kind      Kind
	ID        string
	Owner     Owner

	// Properties are those that were set.
	Properties map[string]any

	// Err is why the call failed, nil if it did not.
	Err error
}

// A Filter selects events and resources: those that are as all of its fields
// that are not empty say.
type Filter struct {
	Kind Kind
	ID   string

	// Namespace, Name, Composite and Resource are those of the owner.
	Namespace, Name, Composite, Resource string

	// Since excludes events from before Cloud.Mark returned the value.
	Since int
}

func (f Filter) matches(k Kind, id string, o Owner) bool {
	return (f.Kind == "" || f.Kind == k) && (f.ID == "" || f.ID == id) &&
		(f.Namespace == "" || f.Namespace == o.Namespace) && (f.Name == "" || f.Name == o.Name) &&
		(f.Composite == "" || f.Composite == o.Composite) && (f.Resource == "" || f.Resource == o.Resource)
}

// Created returns the successful calls that created resources, oldest first.
func (c *Cloud) Created(f Filter) []Event { return c.succeeded(Create, f) }

// Updated returns the successful calls that changed resources, oldest first.
func (c *Cloud) Updated(f Filter) []Event { return c.succeeded(Update, f) }

// Deleted returns the successful calls that deleted resources, oldest first.
// Resources may be seen until their deletion has taken its time.
func (c *Cloud) Deleted(f Filter) []Event { return c.succeeded(Delete, f) }

// Failed returns the calls that failed, oldest first.
func (c *Cloud) Failed(f Filter) []Event {
	return c.events(f, func(e Event) bool { return e.Err != nil })
}

// Events returns all calls but successful descriptions, which Calls counts,
// and what tests did behind everybody's back; oldest first.
func (c *Cloud) Events(f Filter) []Event {
	return c.events(f, func(Event) bool { return true })
}

// Calls returns how many calls were made for an operation, failed ones included.
func (c *Cloud) Calls(o Operation) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[o]
}

// Mark returns a value for Filter.Since that excludes all events up to now.
func (c *Cloud) Mark() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.journal)
}

// Await waits until n calls of an operation have succeeded that the filter
// selects, and returns them. It fails when the context is done before, with
// those that there are.
func (c *Cloud) Await(ctx context.Context, o Operation, f Filter, n int) ([]Event, error) {
	for {
		c.mu.Lock()
		changed := c.changed
		c.mu.Unlock()
		if events := c.succeeded(o, f); len(events) >= n {
			return events, nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return c.succeeded(o, f), ctx.Err()
		}
	}
}

func (c *Cloud) succeeded(o Operation, f Filter) []Event {
	return c.events(f, func(e Event) bool { return e.Operation == o && e.Err == nil })
}

func (c *Cloud) events(f Filter, wanted func(Event) bool) []Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Event
	for i := f.Since; i < len(c.journal); i++ {
		if e := c.journal[i]; f.matches(e.Kind, e.ID, e.Owner) && wanted(e) {
			out = append(out, e)
		}
	}
	return out
}

// record writes an event to the journal, and returns err.
func (c *Cloud) record(e Event, err error) error {
	e.Time, e.Err = c.opts.Clock(), err
	c.journal = append(c.journal, e)
	close(c.changed)
	c.changed = make(chan struct{})
	return err
}

package cloud

import (
	"slices"
	"strings"
)

// Get returns the resource of an id, and whether there is one. It is for tests:
// it never fails, and is no call.
func (c *Cloud) Get(id string) (Resource, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	res, ok := c.find(id)
	if !ok {
		return Resource{}, false
	}
	return res.view(c.opts.Clock()), true
}

// List returns the resources that a filter selects, by creation, including
// those that are being deleted. Like Get, it is for tests.
func (c *Cloud) List(f Filter) []Resource {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []*resource
	for id := range c.resources {
		if res, ok := c.find(id); ok && f.matches(res.kind, res.id, res.owner) {
			found = append(found, res)
		}
	}
	slices.SortFunc(found, func(a, b *resource) int {
		if order := a.created.Compare(b.created); order != 0 {
			return order
		}
		return strings.Compare(a.id, b.id)
	})
	out := make([]Resource, len(found))
	for i, res := range found {
		out[i] = res.view(c.opts.Clock())
	}
	return out
}

// Drift sets properties of a resource behind everybody's back, unchecked.
// It tells whether there is such a resource.
func (c *Cloud) Drift(id string, properties map[string]any) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	res, ok := c.find(id)
	if !ok {
		return false
	}
	for k, v := range properties {
		res.properties[k] = clone(v)
	}
	_ = c.record(Event{Operation: Drifted, Kind: res.kind, ID: id, Owner: res.owner, Properties: cloneMap(properties)}, nil)
	return true
}

// Vanish removes a resource behind everybody's back, at once and unchecked.
// It tells whether there was such a resource.
func (c *Cloud) Vanish(id string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	res, ok := c.find(id)
	if !ok {
		return false
	}
	delete(c.resources, id)
	_ = c.record(Event{Operation: Vanished, Kind: res.kind, ID: id, Owner: res.owner}, nil)
	return true
}

package cloud

import (
	"fmt"
	"sync"
	"time"
)

// Options of a cloud. The zero value is a cloud in which everything is done at
// once and nothing fails.
type Options struct {
	// CreateTime, UpdateTime and DeleteTime are what these operations take.
	CreateTime, UpdateTime, DeleteTime time.Duration

	// FailEvery makes every n-th call of an operation fail.
	FailEvery map[Operation]int

	// Clock tells the time: time.Now unless set.
	Clock func() time.Time
}

// A Cloud has resources. It may be used by several goroutines.
type Cloud struct {
	opts Options

	mu        sync.Mutex
	resources map[string]*resource
	calls     map[Operation]int
	journal   []Event
	changed   chan struct{}
	faults    []*fault
	holds     []*hold
}

// A Request asks for a resource.
type Request struct {
	Kind Kind

	// ID is generated unless it is given.
	ID string

	// Owner is who asks, for the journal.
	Owner Owner

	// Properties are what the resource shall be like: JSON-like values by name.
	// Those left out get the cloud's defaults.
	Properties map[string]any
}

// New returns an empty cloud.
func New(o Options) *Cloud {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	return &Cloud{
		opts:      o,
		resources: map[string]*resource{},
		calls:     map[Operation]int{},
		changed:   make(chan struct{}),
	}
}

// Create a resource. It is returned as it is then: it becomes available later.
func (c *Cloud) Create(r Request) (Resource, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.ID == "" {
		r.ID = newID(r.Kind)
	}
	e := Event{Operation: Create, Kind: r.Kind, ID: r.ID, Owner: r.Owner}
	created, err := c.create(&e, r)
	return created, c.record(e, err)
}

func (c *Cloud) create(e *Event, r Request) (Resource, error) {
	if err := c.fails(*e); err != nil {
		return Resource{}, err
	}
	rules, known := kinds[r.Kind]
	if !known {
		return Resource{}, refuse(InvalidParameter, "there is no kind %q", r.Kind)
	}
	if _, exists := c.find(r.ID); exists {
		return Resource{}, refuse(AlreadyExists, "%s exists", r.ID)
	}
	properties := cloneMap(r.Properties)
	rules.fill(properties)
	if err := rules.check(c, properties); err != nil {
		return Resource{}, err
	}
	now := c.opts.Clock()
	res := &resource{
		kind: r.Kind, id: r.ID, owner: r.Owner, properties: properties, connection: map[string]string{},
		created: now, availableAt: now.Add(c.opts.CreateTime), holds: c.holding(*e),
	}
	rules.provision(res)
	c.resources[r.ID] = res
	e.Properties = cloneMap(properties)
	return res.view(now), nil
}

// Describe tells how a resource is at the moment.
// It fails with NotFound if there is none of that kind and id.
func (c *Cloud) Describe(k Kind, id string) (Resource, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := Event{Operation: Describe, Kind: k, ID: id}
	res, err := c.findKind(k, id)
	if res != nil {
		e.Owner = res.owner
	}
	if fault := c.fails(e); fault != nil {
		return Resource{}, c.record(e, fault)
	}
	if err != nil {
		return Resource{}, err
	}
	return res.view(c.opts.Clock()), nil
}

// Update sets the given properties of a resource, and leaves the others alone.
func (c *Cloud) Update(k Kind, id string, properties map[string]any) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := Event{Operation: Update, Kind: k, ID: id, Properties: cloneMap(properties)}
	return c.record(e, c.update(&e))
}

func (c *Cloud) update(e *Event) error {
	res, err := c.findKind(e.Kind, e.ID)
	if res != nil {
		e.Owner = res.owner
	}
	if fault := c.fails(*e); fault != nil {
		return fault
	}
	if err != nil {
		return err
	}
	now := c.opts.Clock()
	if s := res.state(now); s == Creating || s == Deleting {
		return refuse(InvalidState, "%s is %s", e.ID, s)
	}
	rules := kinds[e.Kind]
	next := cloneMap(res.properties)
	for k, v := range e.Properties {
		next[k] = clone(v)
	}
	if err := rules.change(res.properties, next); err != nil {
		return err
	}
	if err := rules.check(c, next); err != nil {
		return err
	}
	res.properties = next
	res.updatedAt = now.Add(c.opts.UpdateTime)
	rules.provision(res)
	return nil
}

// Delete a resource. It is gone later. Deleting one that is being deleted
// does nothing; one that does not exist is NotFound.
func (c *Cloud) Delete(k Kind, id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := Event{Operation: Delete, Kind: k, ID: id}
	res, err := c.findKind(k, id)
	if res != nil {
		e.Owner = res.owner
	}
	if fault := c.fails(e); fault != nil {
		return c.record(e, fault)
	}
	if err != nil {
		return c.record(e, err)
	}
	now := c.opts.Clock()
	if res.state(now) == Deleting {
		return nil
	}
	if user, used := c.userOf(id); used {
		return c.record(e, refuse(DependencyViolation, "%s is used by %s", id, user))
	}
	res.deleting, res.goneAt = true, now.Add(c.opts.DeleteTime)
	return c.record(e, nil)
}

// find returns the resource of an id, unless there is none, or none any more.
func (c *Cloud) find(id string) (*resource, bool) {
	res, ok := c.resources[id]
	if ok && res.gone(c.opts.Clock()) {
		delete(c.resources, id)
		return nil, false
	}
	return res, ok
}

// findKind is find for a resource that is of a kind.
func (c *Cloud) findKind(k Kind, id string) (*resource, error) {
	res, ok := c.find(id)
	if !ok || res.kind != k {
		return nil, refuse(NotFound, "there is no %s %q", k, id)
	}
	return res, nil
}

// userOf returns a resource that is in the network, or the subnet, of the id.
func (c *Cloud) userOf(place string) (string, bool) {
	for id := range c.resources {
		if res, ok := c.find(id); ok && (res.properties["networkID"] == place || res.properties["subnetID"] == place) {
			return id, true
		}
	}
	return "", false
}

func refuse(code Code, format string, args ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

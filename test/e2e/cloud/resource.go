package cloud

import (
	"crypto/rand"
	"encoding/hex"
	"time"
)

// A Kind of resources.
type Kind string

// The kinds of resources.
const (
	Database Kind = "database"
	Network  Kind = "network"
	Subnet   Kind = "subnet"
	Route    Kind = "route"
	Machine  Kind = "machine"
)

// A State of a resource.
type State string

// The states of a resource, in the order in which it has them.
const (
	Creating  State = "creating"
	Available State = "available"
	Updating  State = "updating"
	Deleting  State = "deleting"
)

// An Owner is the Kubernetes object that a resource was asked for by.
type Owner struct {
	Namespace string
	Name      string

	// Composite is the name of the composite resource that the object is part
	// of, and Resource is the object's name in that one's composition.
	Composite string
	Resource  string
}

// A Resource is what somebody who looks at one sees. It is a copy.
type Resource struct {
	Kind  Kind
	ID    string
	Owner Owner
	State State

	// Properties are what was asked for, and the cloud's defaults, as JSON-like
	// values: integers are int64.
	Properties map[string]any

	// Outputs are what the cloud tells of the resource, like endpoint.
	// There are none before it is available.
	Outputs map[string]any

	// Connection has what is needed to connect to the resource, once available.
	Connection map[string]string
}

type resource struct {
	kind       Kind
	id         string
	owner      Owner
	properties map[string]any
	outputs    map[string]any
	connection map[string]string

	created, availableAt, updatedAt, goneAt time.Time

	deleting bool
	holds    []*hold
}

func (r *resource) state(now time.Time) State {
	switch {
	case r.deleting:
		return Deleting
	case now.Before(r.availableAt) || r.held():
		return Creating
	case now.Before(r.updatedAt):
		return Updating
	}
	return Available
}

func (r *resource) held() bool {
	for _, h := range r.holds {
		if !h.released {
			return true
		}
	}
	return false
}

func (r *resource) gone(now time.Time) bool {
	return r.deleting && !now.Before(r.goneAt)
}

func (r *resource) view(now time.Time) Resource {
	v := Resource{Kind: r.kind, ID: r.id, Owner: r.owner, State: r.state(now), Properties: cloneMap(r.properties)}
	if v.State != Creating {
		v.Outputs = cloneMap(r.outputs)
		v.Connection = make(map[string]string, len(r.connection))
		for k, s := range r.connection {
			v.Connection[k] = s
		}
	}
	return v
}

// newID returns an id that no other resource has.
func newID(k Kind) string {
	prefix, ok := map[Kind]string{Database: "db-", Network: "net-", Subnet: "sub-", Route: "rt-", Machine: "vm-"}[k]
	if !ok {
		prefix = "res-"
	}
	return prefix + random(6)
}

func random(bytes int) string {
	b := make([]byte, bytes)
	_, _ = rand.Read(b) // It never fails.
	return hex.EncodeToString(b)
}

package proto

// Tags of the records of a State and of a Resource.
const (
	tagComposite = 1<<3 | wireBytes
	tagResources = 2<<3 | wireBytes

	tagResource = 1<<3 | wireBytes
	tagDetails  = 2<<3 | wireBytes
	tagReady    = 3<<3 | wireVarint
)

// Ready says whether a resource is ready, as far as a function has an opinion.
type Ready int32

// What a function may say of a resource's readiness.
const (
	ReadyUnspecified Ready = 0
	ReadyTrue        Ready = 1
	ReadyFalse       Ready = 2
)

// State is the composite resource and the composed resources, observed or
// desired.
type State struct {
	index     *index
	body      span
	present   bool
	composite Resource
	node      int32
	resources []*Resource // by entry of the node, made when asked for
	order     []int32     // of the entries by name, made when asked for
	names     []string
}

func newState(x *index, body span) State {
	s := State{index: x, body: body, present: true}
	b := x.b[:body.to]
	for pos := int(body.from); pos < len(b); {
		rec := next(b, pos)
		if rec.tag == tagComposite {
			s.composite = newResource(x, spanOf(rec.from, rec.to))
		}
		pos = rec.to
	}
	s.node = x.addMap(body, tagResources)
	return s
}

// Composite returns the composite resource, which may be empty.
func (s *State) Composite() *Resource { return &s.composite }

// Resource returns a composed resource by its name.
func (s *State) Resource(name string) (*Resource, bool) {
	if s.node == 0 {
		return nil, false
	}
	e := s.index.find(s.node, name)
	if e < 0 {
		return nil, false
	}
	return s.at(e), true
}

func (s *State) at(e int32) *Resource {
	n := s.index.nodes[s.node]
	if s.resources == nil {
		s.resources = make([]*Resource, n.count)
	}
	i := e - n.first
	if s.resources[i] == nil {
		r := newResource(s.index, s.index.entries[e].value)
		s.resources[i] = &r
	}
	return s.resources[i]
}

// Names returns the names of the composed resources, sorted. They must not be
// changed.
func (s *State) Names() []string {
	if s.names == nil && s.node != 0 {
		for _, e := range s.sorted() {
			s.names = append(s.names, string(s.index.bytes(s.index.entries[e].key)))
		}
	}
	return s.names
}

// sorted returns the entries of the resources by name.
func (s *State) sorted() []int32 {
	if s.order == nil && s.node != 0 {
		s.order = s.index.sorted(s.node)
	}
	return s.order
}

// Resource is a composite or composed resource with what Crossplane keeps beside
// it. The zero Resource is empty.
type Resource struct {
	index   *index
	body    span
	object  Struct
	ready   Ready
	details int32
}

func newResource(x *index, body span) Resource {
	r := Resource{index: x, body: body}
	b := x.b[:body.to]
	for pos := int(body.from); pos < len(b); {
		rec := next(b, pos)
		switch rec.tag {
		case tagResource:
			r.object = *newStruct(x, spanOf(rec.from, rec.to))
		case tagReady:
			v, _ := varint(b, rec.from)
			r.ready = Ready(v)
		}
		pos = rec.to
	}
	return r
}

// Object returns the resource itself, which may be empty.
func (r *Resource) Object() *Struct { return &r.object }

// Ready returns what a function said of its readiness.
func (r *Resource) Ready() Ready { return r.ready }

// ConnectionDetail returns a connection detail. It is part of the request's
// bytes and must not be changed.
func (r *Resource) ConnectionDetail(key string) ([]byte, bool) {
	n := r.detailsNode()
	if n == 0 {
		return nil, false
	}
	e := r.index.find(n, key)
	if e < 0 {
		return nil, false
	}
	return r.index.bytes(r.index.entries[e].value), true
}

// ConnectionDetails returns all connection details, nil if there are none. The
// values are parts of the request's bytes and must not be changed.
func (r *Resource) ConnectionDetails() map[string][]byte {
	n := r.detailsNode()
	if n == 0 || r.index.nodes[n].count == 0 {
		return nil
	}
	all := r.index.all(n)
	details := make(map[string][]byte, len(all))
	for _, e := range all {
		details[string(r.index.bytes(e.key))] = r.index.bytes(e.value)
	}
	return details
}

// detailsNode returns the node of the connection details, 0 of an empty resource.
func (r *Resource) detailsNode() int32 {
	if r.details == 0 && r.index != nil {
		r.details = r.index.addMap(r.body, tagDetails)
	}
	return r.details
}

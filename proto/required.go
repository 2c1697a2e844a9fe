package proto

// Tags of the records of a RunFunctionRequest that hold what a function asked
// for, and of those in them.
const (
	tagCredentials = 7<<3 | wireBytes
	tagRequired    = 8<<3 | wireBytes
	tagExtra       = 6<<3 | wireBytes // the deprecated name of the same

	tagItems          = 1<<3 | wireBytes
	tagCredentialData = 1<<3 | wireBytes
	tagData           = 1<<3 | wireBytes
)

// RequiredResources returns the resources that Crossplane fetched for a
// requirement of this name, in its order. It is false if Crossplane did not look
// for any yet; none at all if it found none. What an older Crossplane calls extra
// resources is looked at where there are no required ones.
func (r *Request) RequiredResources(name string) ([]*Resource, bool) {
	body, ok := r.lookup(&r.required, tagRequired, name)
	if !ok {
		body, ok = r.lookup(&r.extra, tagExtra, name)
	}
	if !ok {
		return nil, false
	}
	var out []*Resource
	r.index.each(body, tagItems, func(item span) {
		resource := newResource(r.index, item)
		out = append(out, &resource)
	})
	return out, true
}

// Credentials returns the credentials of a name by key. They are part of the
// request's bytes, and must not be changed.
func (r *Request) Credentials(name string) (map[string][]byte, bool) {
	body, ok := r.lookup(&r.credentials, tagCredentials, name)
	if !ok {
		return nil, false
	}
	out := map[string][]byte{}
	r.index.each(body, tagCredentialData, func(data span) {
		for _, e := range r.index.all(r.index.addMap(data, tagData)) {
			out[string(r.index.bytes(e.key))] = r.index.bytes(e.value)
		}
	})
	return out, true
}

// lookup returns the value of an entry of one of the request's own maps, whose
// node is made when it is first asked for.
func (r *Request) lookup(node *int32, tag uint64, name string) (span, bool) {
	if *node == 0 {
		*node = r.index.addMap(spanOf(0, len(r.index.b)), tag)
	}
	e := r.index.find(*node, name)
	if e < 0 {
		return span{}, false
	}
	return r.index.entries[e].value, true
}

// each calls do with the payload of each record of a message that has the tag.
func (x *index) each(body span, tag uint64, do func(span)) {
	b := x.b[:body.to]
	for pos := int(body.from); pos < len(b); {
		r := next(b, pos)
		if r.tag == tag {
			do(spanOf(r.from, r.to))
		}
		pos = r.to
	}
}

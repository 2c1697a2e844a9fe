package proto

import (
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// View is a read-only view on an object, key by key, for readers that have no
// paths. It is made of the index that the request remembers, so that looking into
// an object again and again costs little and allocates nothing. It is as large as
// a pointer. Like the Struct that it is of, it is not safe for concurrent use, and
// must not be used when the request is freed. The zero View is an empty object.
type View struct{ of *viewed }

// viewed is an object of which there is a view. Each node has at most one.
type viewed struct {
	index *index
	node  int32
	body  span
}

// View returns a view on the object, an empty one if there is none. What a context
// key has may be no object: that is empty here, and Request.ContextView has it.
func (s *Struct) View() View {
	if s == nil || s.index == nil || s.kind != kindObject {
		return View{}
	}
	return s.index.view(s.nodeOf(s.whole()), s.body)
}

// Field returns the value at a key: a View of an object, a plain value of anything
// else. One that JSON does not have is a *ValueError, whose path begins here.
func (v View) Field(key string) (any, bool, error) {
	if v.of == nil {
		return nil, false, nil
	}
	x := v.of.index
	e := x.find(v.of.node, key)
	if e < 0 {
		return nil, false, nil
	}
	k, body := x.open(x.entries[e].value)
	if k == kindObject {
		if x.entries[e].below == 0 {
			// addMap moves the entries: its result must not be assigned in place.
			below := x.addMap(body, tagEntry)
			x.entries[e].below = below
		}
		return x.view(x.entries[e].below, body), true, nil
	}
	value, f := x.decode(k, body)
	if f != nil {
		return nil, false, f.in(inKey(key)).valueError(fieldpath.Path{})
	}
	return value, true, nil
}

// Keys returns the keys of the object, sorted.
func (v View) Keys() ([]string, error) {
	if v.of == nil {
		return nil, nil
	}
	return v.of.index.keys(v.of.node), nil
}

// Value decodes the whole object. A value that JSON does not have is a
// *ValueError.
func (v View) Value() (map[string]any, error) {
	if v.of == nil {
		return map[string]any{}, nil
	}
	o, f := v.of.index.object(v.of.body)
	if f != nil {
		return nil, f.valueError(fieldpath.Path{})
	}
	return o, nil
}

// ContextView returns a view on the whole context, an empty one if there is none.
func (r *Request) ContextView() View { return r.context.View() }

// ContextKeys returns the keys of the context, sorted.
func (r *Request) ContextKeys() []string {
	keys, _ := r.ContextView().Keys()
	return keys
}

// mostViews is how many views are made at once.
const mostViews = 64

// view returns the view on a node, which it makes if there is none yet. Views are
// used again for the next request, and never move.
func (x *index) view(n int32, body span) View {
	at := &x.nodes[n]
	if at.view == 0 {
		block := x.viewCount / mostViews
		if block == len(x.views) {
			x.views = append(x.views, new([mostViews]viewed))
		}
		x.views[block][x.viewCount%mostViews] = viewed{index: x, node: n, body: body}
		x.viewCount++
		at.view = int32(x.viewCount)
	}
	i := int(at.view - 1)
	return View{of: &x.views[i/mostViews][i%mostViews]}
}

// keys returns the keys of a map, sorted.
func (x *index) keys(n int32) []string {
	sorted := x.sorted(n)
	keys := make([]string, len(sorted))
	for i, e := range sorted {
		keys[i] = string(x.key(e))
	}
	return keys
}

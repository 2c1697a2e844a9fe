package proto

import (
	"cmp"
	"maps"
	"slices"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// context writes the context, with those drafts at their keys that there is
// something in.
func (w *writer) context(req *Request, drafts map[string]*fieldpath.Draft) *fault {
	mark := w.written()
	keys := make([]string, 0, len(drafts))
	for key, draft := range drafts {
		if draft != nil && !draft.IsEmpty() {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		if req.context != nil {
			w.bytes(req.index.bytes(req.context.body))
			w.head(tagResponseContext, mark)
		}
		return nil
	}
	there := []int32(nil)
	if c := req.context; c != nil {
		there = req.index.sorted(c.nodeOf(c.whole()))
		w.keep(req.index, c.body, func(tag uint64) bool { return tag != tagEntry })
	}
	slices.Sort(keys)
	f := w.merged(req.index, there, tagEntry, keys, func(key string) *fault {
		return w.node(drafts[key].Root(), 0)
	})
	w.head(tagResponseContext, mark)
	return f
}

// desired writes the desired state, if there is any.
func (w *writer) desired(req *Request, r *Response) *fault {
	s := &req.desired
	composite := r.Composite != nil || r.CompositeReady != ReadyUnspecified || len(r.ConnectionDetails) > 0
	if !s.present && !composite && len(r.Resources) == 0 {
		return nil
	}
	mark := w.written()
	w.keep(s.index, s.body, func(tag uint64) bool {
		return tag != tagResources && (tag != tagComposite || !composite)
	})
	names := slices.Sorted(maps.Keys(r.Resources))
	f := w.merged(s.index, s.sorted(), tagResources, names, func(name string) *fault {
		d := r.Resources[name]
		return w.resource(cmp.Or(d.Earlier, &Resource{}), d.Object, d.Ready, nil)
	})
	if f != nil {
		return f.in(inKey("resources"))
	}
	if composite {
		at := w.written()
		if f := w.resource(&s.composite, r.Composite, r.CompositeReady, r.ConnectionDetails); f != nil {
			return f.in(inKey("composite"))
		}
		w.head(tagComposite, at)
	}
	w.head(tagResponseDesired, mark)
	return nil
}

// merged writes the entries of a map in the order of their keys: those that are
// there, sorted, as they lie, and over and between them those with the new keys.
func (w *writer) merged(x *index, there []int32, tag byte, keys []string, write func(key string) *fault) *fault {
	i := len(there) - 1
	for _, key := range slices.Backward(keys) {
		for i >= 0 && string(x.key(there[i])) > key {
			w.entry(x, there[i], tag)
			i--
		}
		if i >= 0 && string(x.key(there[i])) == key {
			i--
		}
		at := w.written()
		if f := write(key); f != nil {
			return f.in(inKey(key))
		}
		w.head(tagValue, at)
		if f := w.key(key); f != nil {
			return f.in(inKey(key))
		}
		w.head(tag, at)
	}
	for ; i >= 0; i-- {
		w.entry(x, there[i], tag)
	}
	return w.fits(0)
}

// entry writes an entry of a map as it lies.
func (w *writer) entry(x *index, e int32, tag byte) {
	at := w.written()
	w.bytes(x.bytes(x.entries[e].value))
	w.head(tagValue, at)
	from := w.written()
	w.bytes(x.key(e))
	w.head(tagKey, from)
	w.head(tag, at)
}

// resource writes a Resource as it was earlier with what is given instead.
func (w *writer) resource(earlier *Resource, object *fieldpath.Draft, ready Ready, details map[string][]byte) *fault {
	replaced := object != nil && !object.IsEmpty()
	if earlier.index != nil {
		w.keep(earlier.index, earlier.body, func(tag uint64) bool {
			return (tag != tagReady || ready == ReadyUnspecified) &&
				(tag != tagDetails || len(details) == 0) &&
				(tag != tagResource || !replaced)
		})
	}
	if ready != ReadyUnspecified {
		w.number(tagReady, uint64(ready))
	}
	if len(details) > 0 {
		if f := w.details(earlier.ConnectionDetails(), details); f != nil {
			return f
		}
	}
	if !replaced {
		return w.fits(0)
	}
	mark := w.written()
	f := w.root(object.Root(), 0)
	w.head(tagResource, mark)
	return f
}

// details writes connection details, the new ones over the old ones.
func (w *writer) details(old, set map[string][]byte) *fault {
	all := make(map[string][]byte, len(old)+len(set))
	maps.Copy(all, old)
	maps.Copy(all, set)
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(all))) {
		at := w.written()
		if f := w.fits(len(all[k])); f != nil {
			return f
		}
		w.bytes(all[k])
		w.head(tagValue, at)
		if f := w.key(k); f != nil {
			return f.in(inKey(k)).in(inKey("connectionDetails"))
		}
		w.head(tagDetails, at)
	}
	return nil
}

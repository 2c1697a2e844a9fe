package cli

// Objects are plain maps, as JSON decodes them. These helpers read and write
// the few fields that rendering knows.

// at gives the value at a path of keys, or nil.
func at(object map[string]any, path ...string) any {
	var v any = object
	for _, key := range path {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[key]
	}
	return v
}

func stringAt(object map[string]any, path ...string) string {
	s, _ := at(object, path...).(string)
	return s
}

func objectAt(object map[string]any, path ...string) map[string]any {
	m, _ := at(object, path...).(map[string]any)
	return m
}

func kindOf(object map[string]any) string      { return stringAt(object, "kind") }
func nameOf(object map[string]any) string      { return stringAt(object, "metadata", "name") }
func namespaceOf(object map[string]any) string { return stringAt(object, "metadata", "namespace") }

// set writes a value at a path of keys, making objects on the way. What is in
// the way and no object is replaced.
func set(object map[string]any, value any, path ...string) {
	last := len(path) - 1
	for _, key := range path[:last] {
		next, ok := object[key].(map[string]any)
		if !ok {
			next = map[string]any{}
			object[key] = next
		}
		object = next
	}
	object[path[last]] = value
}

// setOrDelete writes a string at a path of metadata, or deletes it when the
// string is empty.
func setOrDelete(object map[string]any, value, key string) {
	if value != "" {
		set(object, value, "metadata", key)
		return
	}
	if m := objectAt(object, "metadata"); m != nil {
		delete(m, key)
	}
}

// merge writes the fields of an object to those of another, however deep.
// Arrays are replaced.
func merge(into, from map[string]any) {
	for key, v := range from {
		a, aok := into[key].(map[string]any)
		b, bok := v.(map[string]any)
		if aok && bok {
			merge(a, b)
			continue
		}
		into[key] = v
	}
}

// clone copies a plain value, however deep.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return cloneObject(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = clone(v[i])
		}
		return out
	default:
		return v
	}
}

func cloneObject(object map[string]any) map[string]any {
	out := make(map[string]any, len(object))
	for k, v := range object {
		out[k] = clone(v)
	}
	return out
}

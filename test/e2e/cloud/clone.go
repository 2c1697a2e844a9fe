package cloud

// cloneMap copies JSON-like values deeply. Of nil it makes an empty map.
func cloneMap(m map[string]any) map[string]any {
	out := make(map[string]any, len(m))
	for k, v := range m {
		out[k] = clone(v)
	}
	return out
}

// clone copies a JSON-like value, and makes one of what Go programs write
// instead, such as int and []string.
func clone(v any) any {
	switch v := v.(type) {
	case map[string]any:
		return cloneMap(v)
	case map[string]string:
		out := make(map[string]any, len(v))
		for k, s := range v {
			out[k] = s
		}
		return out
	case []any:
		return cloneSlice(v)
	case []string:
		return cloneSlice(v)
	case []map[string]any:
		return cloneSlice(v)
	case int:
		return int64(v)
	}
	return v
}

func cloneSlice[T any](s []T) []any {
	out := make([]any, len(s))
	for i, e := range s {
		out[i] = clone(e)
	}
	return out
}

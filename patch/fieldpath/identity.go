package fieldpath

import (
	"maps"
	"slices"
	"strconv"
)

// composite is the identity of an array or object: its canonical text.
type composite string

// identity returns what is equal for equal values and for no others.
func (d *Draft) identity(v any) (any, error) {
	switch v.(type) {
	case []any, map[string]any:
		text := appendCanonical(nil, v)
		return composite(text), d.budget.Spend(len(text))
	}
	return v, nil
}

func appendCanonical(b []byte, v any) []byte {
	switch t := v.(type) {
	case nil:
		return append(b, 'n')
	case bool:
		return strconv.AppendBool(b, t)
	case int64:
		return strconv.AppendInt(b, t, 10)
	case float64:
		return strconv.AppendFloat(b, t, 'g', -1, 64)
	case string:
		return strconv.AppendQuote(b, t)
	case []any:
		b = append(b, '[')
		for _, e := range t {
			b = append(appendCanonical(b, e), ',')
		}
		return append(b, ']')
	case map[string]any:
		b = append(b, '{')
		for _, k := range slices.Sorted(maps.Keys(t)) {
			b = append(strconv.AppendQuote(b, k), ':')
			b = append(appendCanonical(b, t[k]), ',')
		}
		return append(b, '}')
	}
	return b
}

package fieldpath

import (
	"maps"
	"slices"
	"strconv"
)

const previewLength = 60

// Preview returns a value as JSON for people, cut off after about 60 characters.
func Preview(v any) string {
	b := preview(nil, v)
	if len(b) <= previewLength {
		return string(b)
	}
	return string(cutRunes(b, previewLength)) + "…"
}

// preview appends no more than is needed to know that it is too long.
func preview(b []byte, v any) []byte {
	if len(b) > previewLength {
		return b
	}
	switch t := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, t)
	case int64:
		return strconv.AppendInt(b, t, 10)
	case float64:
		return strconv.AppendFloat(b, t, 'g', -1, 64)
	case string:
		if len(t) > previewLength {
			t = string(cutRunes([]byte(t), previewLength))
		}
		return strconv.AppendQuote(b, t)
	case []any:
		return previewArray(b, t)
	case map[string]any:
		return previewObject(b, t)
	}
	return append(b, '?')
}

func previewArray(b []byte, array []any) []byte {
	b = append(b, '[')
	for i, e := range array {
		if len(b) > previewLength {
			return b
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = preview(b, e)
	}
	return append(b, ']')
}

func previewObject(b []byte, object map[string]any) []byte {
	b = append(b, '{')
	for i, k := range slices.Sorted(maps.Keys(object)) {
		if len(b) > previewLength {
			return b
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, k), ':')
		b = preview(b, object[k])
	}
	return append(b, '}')
}

// cutRunes cuts to at most n bytes without splitting a rune.
func cutRunes(b []byte, n int) []byte {
	for n > 0 && n < len(b) && b[n]&0xC0 == 0x80 {
		n--
	}
	return b[:min(n, len(b))]
}

package transforms

import (
	"maps"
	"slices"
	"strconv"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// appendScalar appends the text of a string, number or bool: numbers are in
// decimal, without an exponent. Anything else has none.
func appendScalar(dst []byte, v any) ([]byte, bool) {
	switch t := v.(type) {
	case string:
		return append(dst, t...), true
	case int64:
		return strconv.AppendInt(dst, t, 10), true
	case float64:
		return strconv.AppendFloat(dst, t, 'f', -1, 64), true
	case bool:
		return strconv.AppendBool(dst, t), true
	}
	return dst, false
}

// scalarText returns the text of a string, number or bool.
func scalarText(v any) (string, bool) {
	if s, ok := v.(string); ok {
		return s, true
	}
	var buf [32]byte
	text, ok := appendScalar(buf[:0], v)
	return string(text), ok
}

// leaf appends a string, number or bool.
type leaf func(dst []byte, v any) ([]byte, error)

func plainLeaf(dst []byte, v any) ([]byte, error) {
	if s, ok := v.(string); ok && len(s) > MaxText-len(dst) {
		return dst, &TooLongError{}
	}
	dst, _ = appendScalar(dst, v)
	return dst, nil
}

// appendValue appends a value as Go's package fmt would, [a b] and map[k:v]
// with sorted keys, except for what is in it, which the leaf appends. A null
// has no text, wherever it is.
func appendValue(dst []byte, v any, leaf leaf) (_ []byte, err error) {
	switch t := v.(type) {
	case nil:
		return dst, errNullText
	case []any:
		return appendArray(dst, t, leaf)
	case map[string]any:
		return appendObject(dst, t, leaf)
	}
	if dst, err = leaf(dst, v); err == nil && len(dst) > MaxText {
		return dst, &TooLongError{}
	}
	return dst, err
}

func appendArray(dst []byte, array []any, leaf leaf) (_ []byte, err error) {
	dst = append(dst, '[')
	for i, e := range array {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if dst, err = appendValue(dst, e, leaf); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

func appendObject(dst []byte, object map[string]any, leaf leaf) (_ []byte, err error) {
	dst = append(dst, "map["...)
	for i, k := range slices.Sorted(maps.Keys(object)) {
		if i > 0 {
			dst = append(dst, ' ')
		}
		if dst, err = appendValue(dst, k, leaf); err != nil {
			return dst, err
		}
		if dst, err = appendValue(append(dst, ':'), object[k], leaf); err != nil {
			return dst, err
		}
	}
	return append(dst, ']'), nil
}

// textOf returns the text of a value.
func textOf(v any) (string, error) {
	if s, ok := scalarText(v); ok {
		return s, nil
	}
	text, err := appendValue(nil, v, plainLeaf)
	return string(text), err
}

// onText makes a transform of a function from a text to a text that spends
// nothing for the length of either.
func onText(f func(s string, b *fieldpath.Budget) (string, error)) Func {
	return func(v any, b *fieldpath.Budget) (any, error) {
		s, err := textOf(v)
		if err != nil {
			return nil, err
		}
		if err := takeText(s, b); err != nil {
			return nil, err
		}
		out, err := f(s, b)
		if err != nil {
			return nil, err
		}
		if _, same := v.(string); same && out == s {
			return v, nil // spares an allocation
		}
		return textResult(out, b)
	}
}

// takeText checks and accounts for a text that goes in.
func takeText(s string, b *fieldpath.Budget) error {
	if len(s) > MaxText {
		return &TooLongError{}
	}
	return b.Spend(len(s) + 1)
}

// textResult checks and accounts for a text that comes out.
func textResult(out string, b *fieldpath.Budget) (any, error) {
	if len(out) > MaxText {
		return nil, &TooLongError{}
	}
	if err := b.Spend(len(out)); err != nil {
		return nil, err
	}
	return out, nil
}

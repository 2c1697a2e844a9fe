package proto

import (
	"encoding/binary"
	"math"
)

// Reasons of a ValueError.
const (
	reasonNothing  = "the value has no kind: it is not even null"
	reasonNoNumber = "the number is infinite or none, which JSON does not have"
)

// decode returns a value of a kind as a plain value.
func (x *index) decode(k kind, body span) (any, *fault) {
	switch k {
	case kindNull:
		return nil, nil
	case kindBool:
		v, _ := varint(x.bytes(body), 0)
		return v != 0, nil
	case kindText:
		return string(x.bytes(body)), nil
	case kindNumber:
		return number(x.bytes(body))
	case kindArray:
		return x.array(body)
	case kindObject:
		return x.object(body)
	}
	return nil, &fault{reason: reasonNothing}
}

// number returns a double as an int64 if it has no fraction and fits.
func number(b []byte) (any, *fault) {
	n := math.Float64frombits(binary.LittleEndian.Uint64(b))
	switch {
	case math.IsNaN(n) || math.IsInf(n, 0):
		return nil, &fault{reason: reasonNoNumber}
	case n == math.Trunc(n) && math.Abs(n) < 1<<63:
		return int64(n), nil
	}
	return n, nil
}

func (x *index) array(body span) (any, *fault) {
	b := x.b[:body.to]
	array := make([]any, 0, x.count(body))
	for pos := int(body.from); pos < len(b); {
		r := next(b, pos)
		pos = r.to
		if r.tag != tagEntry {
			continue
		}
		v, f := x.decode(x.open(spanOf(r.from, r.to)))
		if f != nil {
			return nil, f.in(inItem(len(array)))
		}
		array = append(array, v)
	}
	return array, nil
}

func (x *index) object(body span) (map[string]any, *fault) {
	b := x.b[:body.to]
	object := make(map[string]any, x.count(body))
	var bad map[string]*fault
	for pos := int(body.from); pos < len(b); {
		r := next(b, pos)
		pos = r.to
		if r.tag != tagEntry {
			continue
		}
		key := next(b[:r.to], r.from)
		value := next(b[:r.to], key.to)
		name := string(b[key.from:key.to])
		v, f := x.decode(x.open(spanOf(value.from, value.to)))
		if f != nil && bad == nil {
			bad = map[string]*fault{}
		}
		if bad != nil {
			bad[name] = f
		}
		object[name] = v
	}
	return object, firstOf(bad)
}

// firstOf returns the fault of the first key that has one: an entry is good if
// another of the same key comes after it.
func firstOf(bad map[string]*fault) *fault {
	first := ""
	for k, f := range bad {
		if f != nil && (bad[first] == nil || k < first) {
			first = k
		}
	}
	if bad[first] == nil {
		return nil
	}
	return bad[first].in(inKey(first))
}

// count returns how many records there are.
func (x *index) count(body span) int {
	n := 0
	for pos := int(body.from); pos < int(body.to); n++ {
		pos = next(x.b[:body.to], pos).to
	}
	return n
}

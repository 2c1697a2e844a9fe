package proto

// usualEntry takes the entry of a Struct at pos apart: where its content begins,
// its key, and where its value begins and it ends. value is negative if there is
// no entry as encoders write it, of a key and then a value.
func usualEntry(b []byte, pos int) (entry int, key span, value, end int) {
	if b[pos] != tagEntry {
		return 0, span{}, -1, 0
	}
	entry, end = sized(b, pos+1)
	if entry < 0 || entry == end || b[entry] != tagKey {
		return 0, span{}, -1, 0
	}
	b = b[:end]
	from, to := sized(b, entry+1)
	if from < 0 || to == end || b[to] != tagValue || !valid(b[from:to]) {
		return 0, span{}, -1, 0
	}
	value, valueEnd := sized(b, to+1)
	if valueEnd != end {
		return 0, span{}, -1, 0
	}
	return entry, spanOf(from, to), value, end
}

// usualValue returns the kind of the Value that b ends with, from a position on,
// and where the content of its object or array begins. It is kindNone if it is
// not as encoders write it, of one sound record, or may not be nested so deep.
func usualValue(b []byte, from, depth int) (k kind, at int) {
	if len(b)-from < 2 {
		return kindNone, 0
	}
	switch tag := b[from]; tag {
	case tagText:
		if at, end := sized(b, from+1); end == len(b) && valid(b[at:]) {
			return kindText, at
		}
	case tagNumber:
		if len(b)-from == 9 {
			return kindNumber, 0
		}
	case tagBool, tagNull:
		if len(b)-from == 2 && b[from+1] < 0x80 {
			return kindBool, 0
		}
	case tagObject, tagArray:
		if at, end := sized(b, from+1); end == len(b) && depth > 1 {
			if tag == tagObject {
				return kindObject, at
			}
			return kindArray, at
		}
	}
	return kindNone, 0
}

package proto

import (
	"encoding/binary"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"
)

// Wire types that the fields of this protocol have.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
)

// Tags of the records that Structs are made of.
const (
	tagEntry  = 1<<3 | wireBytes // Struct.fields, and ListValue.values
	tagKey    = 1<<3 | wireBytes
	tagValue  = 2<<3 | wireBytes
	tagNull   = 1<<3 | wireVarint
	tagNumber = 2<<3 | wireFixed64
	tagText   = 3<<3 | wireBytes
	tagBool   = 4<<3 | wireVarint
	tagObject = 5<<3 | wireBytes
	tagArray  = 6<<3 | wireBytes
)

// span is a range of the request's bytes.
type span struct{ from, to int32 }

func spanOf(from, to int) span { return span{int32(from), int32(to)} }

// varint reads a varint at pos. next is negative if there is none in b.
func varint(b []byte, pos int) (v uint64, next int) {
	if pos < len(b) && b[pos] < 0x80 {
		return uint64(b[pos]), pos + 1
	}
	if pos+1 < len(b) && b[pos+1] < 0x80 {
		return uint64(b[pos]&0x7f) | uint64(b[pos+1])<<7, pos + 2
	}
	if pos > len(b) {
		return 0, -1
	}
	v, n := protowire.ConsumeVarint(b[pos:])
	if n < 0 {
		return 0, -1
	}
	return v, pos + n
}

// sized reads a length at pos and returns the range of the bytes it announces.
// from is negative if they are not all in b. It is small, to be inlined.
func sized(b []byte, pos int) (from, to int) {
	if uint(pos) < uint(len(b)) && b[pos] < 0x80 && pos+1+int(b[pos]) <= len(b) {
		return pos + 1, pos + 1 + int(b[pos])
	}
	return sizedLong(b, pos)
}

func sizedLong(b []byte, pos int) (from, to int) {
	n, from := varint(b, pos)
	if from < 0 || n > uint64(len(b)-from) {
		return -1, -1
	}
	return from, from + int(n)
}

// valid tells whether a text is UTF-8. Most texts are short and ASCII.
func valid(b []byte) bool {
	const high = 0x8080808080808080
	n := len(b)
	switch {
	case n >= 8:
		all := binary.LittleEndian.Uint64(b[n-8:])
		for i := 0; i+8 < n; i += 8 {
			all |= binary.LittleEndian.Uint64(b[i:])
		}
		if all&high == 0 {
			return true
		}
	case n >= 4:
		if (binary.LittleEndian.Uint32(b)|binary.LittleEndian.Uint32(b[n-4:]))&(high&0xffffffff) == 0 {
			return true
		}
	}
	return utf8.Valid(b)
}

// record is one field of a message. Its payload is what follows the tag, for
// wire type 2 without the length.
type record struct {
	tag   uint64
	start int
	from  int
	to    int
}

// next returns the record at pos of bytes that a scan found to be sound. Of
// others it returns one that ends at the end.
func next(b []byte, pos int) record {
	if tag := b[pos]; tag < 0x80 && tag&7 == wireBytes {
		if from, to := sized(b, pos+1); from >= 0 {
			return record{tag: uint64(tag), start: pos, from: from, to: to}
		}
	}
	return nextLong(b, pos)
}

func nextLong(b []byte, pos int) record {
	tag, at := varint(b, pos)
	if at < 0 {
		return record{start: pos, from: len(b), to: len(b)}
	}
	if tag&7 == wireBytes {
		if from, to := sized(b, at); from >= 0 {
			return record{tag: tag, start: pos, from: from, to: to}
		}
	}
	n := protowire.ConsumeFieldValue(protowire.Number(tag>>3), protowire.Type(tag&7), b[at:])
	if n < 0 {
		n = len(b) - at
	}
	return record{tag: tag, start: pos, from: at, to: at + n}
}

package proto

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"
)

// maxDepth is how deep messages may be nested, as in the standard decoder.
const maxDepth = protowire.DefaultRecursionLimit

// scanner reads bytes once to tell whether they are a message, and whether they
// have a shape that no encoder writes, which is odd.
type scanner struct {
	b   []byte
	odd bool

	// input is the hash of the input, zero if it was not hashed on the way.
	input  Hash
	hasher hasher
}

// reset makes a scanner of other bytes, in the same memory.
func (s *scanner) reset(b []byte) {
	s.b, s.odd, s.input = b, false, Hash{}
	s.hasher.reset(b)
}

func failed(at int, format string, args ...any) *fault {
	return &fault{offset: at, reason: fmt.Sprintf(format, args...)}
}

// message scans a message. depth is how many more may be nested, with this one.
func (s *scanner) message(m *message, from, to, depth int) *fault {
	if depth == 0 {
		return failed(from, "nested more than %d deep", maxDepth)
	}
	switch m {
	case protocol.structure:
		return s.structure(from, to, depth)
	case protocol.list:
		return s.list(from, to, depth)
	case protocol.value:
		return s.value(from, to, depth)
	}
	return s.records(m, from, to, depth)
}

// records scans a message record by record.
func (s *scanner) records(m *message, pos, to, depth int) *fault {
	seen := uint64(0)
	for pos < to {
		next, f := s.record(m, pos, to, depth, &seen)
		if f != nil {
			return f
		}
		pos = next
	}
	if m.entry && seen != 1<<1|1<<2 {
		s.odd = true
	}
	return nil
}

// record scans the record at pos and returns where the next one is. The numbers
// of the fields that were seen are bits of seen.
func (s *scanner) record(m *message, pos, to, depth int, seen *uint64) (int, *fault) {
	tag, at := varint(s.b[:to], pos)
	number, wire := tag>>3, tag&7
	if at < 0 || number == 0 || number > uint64(protowire.MaxValidNumber) {
		return 0, failed(pos, "malformed tag")
	}
	f := m.at(number)
	if f != nil && f.form == formEntry && depth == 1 {
		return 0, failed(pos, "nested more than %d deep", maxDepth).in(step{name: f.name})
	}
	if f == nil || !f.accepts(wire) {
		s.odd = s.odd || m.entry
		n := protowire.ConsumeFieldValue(protowire.Number(number), protowire.Type(wire), s.b[at:to])
		if n < 0 {
			return 0, failed(pos, "malformed field %d: %v", number, protowire.ParseError(n))
		}
		return at + n, nil
	}
	s.note(m, f, number, *seen)
	*seen |= 1 << number
	next, flt := s.payload(f, wire, at, to, depth)
	if flt != nil {
		return 0, flt.in(step{name: f.name})
	}
	return next, nil
}

// note tells whether a known field is odd after those that were seen.
func (s *scanner) note(m *message, f *field, number, seen uint64) {
	again := !f.repeated && seen&(1<<number) != 0
	another := m.oneof && seen != 0
	valueFirst := m.entry && number == 2 && seen == 0
	if again || another || valueFirst {
		s.odd = true
	}
}

// payload scans what follows a known field's tag and returns where it ends.
func (s *scanner) payload(f *field, wire uint64, at, to, depth int) (int, *fault) {
	switch {
	case wire == wireVarint:
		if _, next := varint(s.b[:to], at); next >= 0 {
			return next, nil
		}
		return 0, failed(at, "malformed number")
	case wire == wireFixed64:
		if to-at >= 8 {
			return at + 8, nil
		}
		return 0, failed(at, "cut off in a number")
	}
	from, end := sized(s.b[:to], at)
	if from < 0 {
		return 0, failed(at, "longer than what it is in")
	}
	switch f.form {
	case formText:
		if !valid(s.b[from:end]) {
			return 0, failed(from, "text is not UTF-8")
		}
	case formVarints:
		for at := from; at < end; {
			if _, at = varint(s.b[:end], at); at < 0 {
				return 0, failed(from, "malformed number")
			}
		}
	case formInput:
		return end, s.hashed(f.message, from, end, depth-1)
	case formMessage:
		return end, s.message(f.message, from, end, depth-1)
	case formEntry:
		if flt := s.message(f.message, from, end, depth-1); flt != nil {
			return 0, flt.in(s.keyOf(from, end))
		}
	}
	return end, nil
}

// hashed scans the input, and hashes it if it is as encoders write it.
func (s *scanner) hashed(m *message, from, to, depth int) *fault {
	s.input = Hash{}
	if sum, ok := s.hasher.structure(span{}, from, to, depth); ok {
		s.input = sum.hash()
		return nil
	}
	return s.message(m, from, to, depth)
}

// keyOf returns the step to an entry's value, as far as it can be read.
func (s *scanner) keyOf(from, to int) step {
	if from < to && s.b[from] == tagKey {
		if k, end := sized(s.b[:to], from+1); k >= 0 {
			return inKey(string(s.b[k:end]))
		}
	}
	return step{}
}

// structure scans a Struct. Entries as encoders write them are taken apart right
// here, all others record by record.
func (s *scanner) structure(pos, to, depth int) *fault {
	for pos < to {
		entry, _, value, end := usualEntry(s.b[:to], pos)
		if value < 0 || depth <= 2 {
			next, f := s.record(protocol.structure, pos, to, depth, new(uint64))
			if f != nil {
				return f
			}
			pos = next
			continue
		}
		if f := s.value(value, end, depth-2); f != nil {
			return f.in(s.keyOf(entry, end))
		}
		pos = end
	}
	return nil
}

// value scans a Value: as encoders write it, of just one record, or else record
// by record.
func (s *scanner) value(from, to, depth int) *fault {
	switch k, at := usualValue(s.b[:to], from, depth); k {
	case kindNone:
		return s.records(protocol.value, from, to, depth)
	case kindObject:
		return s.structure(at, to, depth-1)
	case kindArray:
		return s.list(at, to, depth-1)
	}
	return nil
}

// list scans a ListValue.
func (s *scanner) list(pos, to, depth int) *fault {
	for i := 0; pos < to; i++ {
		value, end := -1, 0
		if s.b[pos] == tagEntry && depth > 1 {
			value, end = sized(s.b[:to], pos+1)
		}
		if value < 0 {
			next, f := s.record(protocol.list, pos, to, depth, new(uint64))
			if f != nil {
				return f
			}
			pos = next
			continue
		}
		if f := s.value(value, end, depth-1); f != nil {
			return f.in(step{key: fmt.Sprint(i)})
		}
		pos = end
	}
	return nil
}

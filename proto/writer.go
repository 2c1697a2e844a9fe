package proto

import (
	"encoding/binary"
	"math/bits"
)

// writer writes a message from its end to its start: what is written last stands
// first. So a length is known when it is written, before what it is the length of.
type writer struct {
	buf   []byte // written from pos on
	pos   int
	limit int // of bytes written; 0 is none
	spans []span
}

// newWriter returns a writer into the free capacity of buf.
func newWriter(buf []byte, limit int) *writer {
	buf = buf[:cap(buf)]
	return &writer{buf: buf, pos: len(buf), limit: limit}
}

// written returns the number of bytes written: a mark of the current place.
func (w *writer) written() int { return len(w.buf) - w.pos }

func (w *writer) result() []byte { return w.buf[w.pos:] }

// fits returns a fault if n more bytes are more than may be written.
func (w *writer) fits(n int) *fault {
	if w.limit > 0 && w.written()+n > w.limit {
		return &fault{large: true}
	}
	return nil
}

// room makes room for n bytes in front of what is written.
func (w *writer) room(n int) []byte {
	if w.pos < n {
		more := make([]byte, max(2*len(w.buf), len(w.buf)+n, 512))
		pos := len(more) - w.written()
		copy(more[pos:], w.result())
		w.buf, w.pos = more, pos
	}
	w.pos -= n
	return w.buf[w.pos : w.pos+n]
}

func (w *writer) bytes(b []byte) { copy(w.room(len(b)), b) }

func (w *writer) text(s string) { copy(w.room(len(s)), s) }

func (w *writer) varint(v uint64) {
	n := (bits.Len64(v|1) + 6) / 7
	binary.PutUvarint(w.room(n), v)
}

// number writes a varint field.
func (w *writer) number(tag byte, v uint64) {
	w.varint(v)
	w.room(1)[0] = tag
}

// head makes one field of wire type 2 of all that was written since the mark.
func (w *writer) head(tag byte, mark int) {
	w.varint(uint64(w.written() - mark))
	w.room(1)[0] = tag
}

// textField writes a text, and nothing for an empty one, which is the default.
func (w *writer) textField(tag byte, s string) {
	if s == "" {
		return
	}
	mark := w.written()
	w.text(s)
	w.head(tag, mark)
}

// keep writes those records of a message that keep wants, as they lie.
func (w *writer) keep(x *index, body span, keep func(tag uint64) bool) {
	mark := len(w.spans)
	b := x.b[:body.to]
	for pos := int(body.from); pos < len(b); {
		r := next(b, pos)
		if keep(r.tag) {
			w.spans = append(w.spans, spanOf(r.start, r.to))
		}
		pos = r.to
	}
	for i := len(w.spans) - 1; i >= mark; i-- {
		w.bytes(x.bytes(w.spans[i]))
	}
	w.spans = w.spans[:mark]
}

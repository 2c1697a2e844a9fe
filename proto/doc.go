// Package proto is the door: it reads a RunFunctionRequest where it lies and
// writes a RunFunctionResponse straight into bytes. It is the only room that
// knows how protobuf puts values into bytes.
//
// # Why
//
// Kubernetes objects travel as google.protobuf.Struct, a tree of maps of
// oneofs. The standard decoder makes three Go objects of every field in it. A
// request holds every field of every observed object, and a composition reads
// a few dozen of them: decoding costs many times what the function itself does.
// So nothing is decoded here but what is asked for, and what passes through is
// copied as bytes.
//
// # The format
//
// A message is a sequence of records. A record is a tag, which is the number of
// a field times 8 plus a wire type, and a payload: a varint (wire type 0), 8
// bytes (1), a length and so many bytes (2), records up to an end mark (3, ended
// by 4), or 4 bytes (5). A varint has 7 bits a byte, lowest first; the highest
// bit says that another byte follows. There is no order among fields, and a
// record with an unknown number, or a wire type that is not its field's, is one
// to step over and to keep.
//
// A map is a repeated message of a key (1) and a value (2), so that a Struct
//
//	{"a": "x", "b": [1]}
//
// is, with lengths in parentheses:
//
//	0a (8)                  Struct.fields, an entry
//	   0a (1) "a"             its key
//	   12 (3)                 its value, a Value
//	      1a (1) "x"            string_value
//	0a (18)                 another entry
//	   0a (1) "b"
//	   12 (13)
//	      32 (11)               list_value, a ListValue
//	         0a (9)               ListValue.values, a Value
//	            11 <8 bytes>        number_value
//
// Lengths come first, so that a reader hops over whole objects. [Struct] does
// that: it makes an index of the fields of each object on a path that is looked
// up, once, and never looks into the others.
//
// # What the reader can rely on
//
// Bytes from the network may be anything. [ParseRequest] reads all of them once,
// by the table in schema.go, and accepts what the standard decoder accepts and
// nothing else. What follows therefore has no errors but those about values:
// numbers that JSON does not have and values without a kind.
//
// Protobuf allows shapes that no encoder writes: a message split into parts that
// are to be merged, a field given twice, a map entry without its key. The same
// pass notices them, and then the standard decoder and encoder make a usual
// request of the bytes first. Only a map key that comes twice is left for the
// readers, for whom the last one wins.
//
// That pass also makes a [Hash] of the input, by which the function knows it again
// without decoding it, whatever order the encoder put its maps in: hash.go.
//
// # Writing
//
// A record's length stands before its bytes and is known after them. The writer
// writes from the end to the start, so that it knows each length when it comes
// to it, without a pass to measure. Maps are written in the order of their keys.
// A base that no patch touched is written from bytes made when it was compiled,
// see [Freezer].
//
// # Memory
//
// A view, the scan's scratch space and the buffers of requests and responses are
// used again for later calls: [Views] and [Codec]. What a lookup returns is copied,
// but for connection details and credentials, which lie in the request's bytes.
//
// run_function.proto is the protocol's definition, for reference.
package proto

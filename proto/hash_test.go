package proto

import (
	"math/rand/v2"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// hashOf returns the hash of an encoded Struct; false if that is malformed.
func hashOf(t *testing.T, b []byte) (Hash, bool) {
	t.Helper()
	r, err := ParseRequest(rec(4, b))
	if err != nil {
		return Hash{}, false
	}
	h, err := r.Input().Hash()
	if err != nil {
		t.Fatal(err)
	}
	return h, true
}

// decodedStruct returns the meaning of an encoded Struct: without what is unknown.
func decodedStruct(t *testing.T, b []byte) *structpb.Struct {
	t.Helper()
	s := &structpb.Struct{}
	if err := (proto.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(b, s); err != nil {
		t.Fatal(err)
	}
	return s
}

// checkHash checks that no two objects that differ have the same hash, and that
// the order in which the standard encoder happens to write an object does not
// matter.
func checkHash(t *testing.T, a, b []byte) {
	t.Helper()
	ha, ok := hashOf(t, a)
	if !ok {
		return
	}
	sa := decodedStruct(t, a)
	shuffled := [2]Hash{}
	for i := range shuffled {
		shuffled[i], _ = hashOf(t, marshal(t, sa))
	}
	if shuffled[0] != shuffled[1] {
		t.Error("the order of entries changes the hash")
	}
	hb, ok := hashOf(t, b)
	if !ok {
		return
	}
	if sb := decodedStruct(t, b); ha == hb && !proto.Equal(sa, sb) {
		t.Errorf("the same hash for %v and %v", sa, sb)
	}
}

func FuzzHash(f *testing.F) {
	f.Add(kv("a", text("b")), kv("ab", text("")))
	f.Add(kv("a", list(item(text("b")), item(text("c")))), kv("a", list(item(text("c")), item(text("b")))))
	f.Add(kv("a", object(kv("b", text("c")))), append(kv("a", object()), kv("b", text("c"))...))
	f.Add(append(kv("a", text("1")), kv("a", text("2"))...), append(kv("a", text("2")), kv("a", text("1"))...))
	f.Add(kv("a", list(item(list()), item(list(item(list()))))), kv("a", list(item(list(item(list()))), item(list()))))
	f.Add(kv("a", num(1, 0)), kv("a", num(4, 0)))
	f.Fuzz(checkHash)
}

func TestHashesOfOddObjects(t *testing.T) {
	structs := [][]byte{}
	for _, b := range oddRequests() {
		if len(b) > 2 && b[0] == 4<<3|2 && len(b) < 4000 {
			if r, err := ParseRequest(b); err == nil && r.Input() != nil {
				structs = append(structs, r.index.bytes(r.Input().body))
			}
		}
	}
	for _, a := range structs {
		for _, b := range structs {
			checkHash(t, a, b)
		}
	}
}

func TestHashDoesNotDependOnOrder(t *testing.T) {
	o := map[string]any{"wide": compositeObject(), "list": []any{compositeObject(), compositeObject()}}
	first, _ := hashOf(t, marshal(t, structOf(o)))
	for range 20 {
		if h, _ := hashOf(t, marshal(t, structOf(o))); h != first {
			t.Fatal("another hash for another order")
		}
	}
}

// Every change of any kind, anywhere, changes the hash.
func TestHashesDiffer(t *testing.T) {
	seen := map[Hash]*structpb.Struct{}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		s := structOf(randomObject(rng, 4))
		h, ok := hashOf(t, marshal(t, s))
		if !ok {
			t.Fatalf("cannot hash %v", s)
		}
		if other, ok := seen[h]; ok && !proto.Equal(s, other) {
			t.Fatalf("the same hash for %v and %v", s, other)
		}
		seen[h] = s
	}
}

func TestHashesOfLookAlikesDiffer(t *testing.T) {
	alike := map[string][]byte{
		"nothing":              {},
		"empty object":         kv("a", object()),
		"empty list":           kv("a", list()),
		"null":                 kv("a", num(1, 0)),
		"false":                kv("a", num(4, 0)),
		"zero":                 kv("a", double(2, 0)),
		"empty text":           kv("a", text("")),
		"no kind":              kv("a"),
		"list of null":         kv("a", list(item(num(1, 0)))),
		"list of list":         kv("a", list(item(list()))),
		"list of two lists":    kv("a", list(item(list()), item(list()))),
		"list of list of list": kv("a", list(item(list(item(list()))))),
		"object in object":     kv("a", object(kv("a", object()))),
		"object beside object": append(kv("a", object()), kv("b", object())...),
		"swapped":              append(kv("a", text("1")), kv("b", text("2"))...),
		"not swapped":          append(kv("a", text("2")), kv("b", text("1"))...),
		"swapped below":        append(kv("a", object(kv("x", text("1")))), kv("b", object(kv("x", text("2"))))...),
		"not swapped below":    append(kv("a", object(kv("x", text("2")))), kv("b", object(kv("x", text("1"))))...),
		"duplicates":           append(kv("x", text("1")), kv("x", text("2"))...),
		"duplicates, swapped":  append(kv("x", text("2")), kv("x", text("1"))...),
	}
	seen := map[Hash]string{}
	for name, b := range alike {
		h, ok := hashOf(t, b)
		if !ok {
			t.Fatalf("%s: cannot be hashed", name)
		}
		if other, ok := seen[h]; ok {
			t.Errorf("%s and %s have the same hash", name, other)
		}
		seen[h] = name
	}
}

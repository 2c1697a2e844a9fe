package proto

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
)

// rec returns a record of wire type 2 that holds the parts.
func rec(number protowire.Number, parts ...[]byte) []byte {
	b := protowire.AppendTag(nil, number, protowire.BytesType)
	return protowire.AppendBytes(b, slices.Concat(parts...))
}

func txt(number protowire.Number, s string) []byte { return rec(number, []byte(s)) }

func num(number protowire.Number, v uint64) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), v)
}

func double(number protowire.Number, v float64) []byte {
	b := protowire.AppendTag(nil, number, protowire.Fixed64Type)
	return protowire.AppendFixed64(b, math.Float64bits(v))
}

// Members of a Value, and an entry of a map.
func text(s string) []byte              { return txt(3, s) }
func object(fields ...[]byte) []byte    { return rec(5, fields...) }
func list(items ...[]byte) []byte       { return rec(6, items...) }
func item(v ...[]byte) []byte           { return rec(1, v...) }
func kv(key string, v ...[]byte) []byte { return rec(1, txt(1, key), rec(2, v...)) }

// input wraps fields as the input of a request, which is a Struct.
func input(fields ...[]byte) []byte { return rec(4, fields...) }

func nested(v []byte, levels int, open func([]byte) []byte) []byte {
	for range levels {
		v = open(v)
	}
	return v
}

// oddRequests are requests that no encoder makes but that anyone can send, sound
// and malformed ones, by what they show.
func oddRequests() map[string][]byte { return maps.Clone(madeOddRequests()) }

var madeOddRequests = sync.OnceValue(makeOddRequests)

func makeOddRequests() map[string][]byte {
	cat := slices.Concat[[]byte]
	resource := func(parts ...[]byte) []byte { return rec(2, txt(1, "bucket"), rec(2, parts...)) }
	group := cat(protowire.AppendTag(nil, 50, protowire.StartGroupType), num(1, 5), txt(2, "x"),
		protowire.AppendTag(nil, 50, protowire.EndGroupType))
	return map[string][]byte{
		"empty":                       {},
		"empty parts":                 cat(rec(1), rec(2), rec(3), rec(4), rec(5)),
		"tag twice":                   rec(1, txt(1, "a"), txt(1, "b")),
		"meta split":                  cat(rec(1, txt(1, "a"), num(2, 1)), rec(1, num(2, 2))),
		"capabilities packed":         rec(1, rec(2, []byte{1, 2, 3})),
		"capabilities mixed":          rec(1, num(2, 4), rec(2, []byte{1, 2}), num(2, 1<<40|3)),
		"capabilities cut off":        rec(1, rec(2, []byte{1, 0x82})),
		"capabilities negative":       rec(1, num(2, math.MaxUint64)),
		"state split":                 cat(rec(2, rec(1, rec(1, kv("a", text("1"))))), rec(2, rec(1, rec(1, kv("b", text("2")))))),
		"resource twice":              rec(3, resource(num(3, 1)), resource(rec(1, kv("a", text("x"))))),
		"resource split in its entry": rec(3, rec(2, txt(1, "bucket"), rec(2, num(3, 1)), rec(2, rec(1, kv("a", text("x")))))),
		"resource without value":      rec(3, rec(2, txt(1, "bucket"))),
		"resource without name":       rec(3, rec(2, rec(2, num(3, 2)))),
		"items by key": input(kv("a", list(
			item(object(kv("x", double(2, math.NaN())))), item(object(kv("x", rec(9)))), item(text("x")), item(rec(9)),
			item(object(kv("x", text("80")), kv("x", num(4, 1)), kv("y", text("1")))), item(object(kv("x", double(2, 80)))),
			item(object(kv("x", double(2, 1.5)), kv("y", text("2")))), item(object(kv("x", text("80")), kv("y", text("3"))))))),
		"value before key":            input(rec(1, rec(2, text("x")), txt(1, "k"))),
		"key twice in an entry":       input(rec(1, txt(1, "k"), txt(1, "l"), rec(2, text("x")))),
		"unknown in an entry":         input(rec(1, txt(1, "k"), num(7, 1), rec(2, text("x")))),
		"entry with wrong wire types": input(rec(1, num(1, 3), num(2, 4))),
		"duplicate keys":              input(kv("a", text("1")), kv("b", text("2")), kv("a", text("3"))),
		"duplicate keys, good last":   input(kv("a", double(2, math.NaN())), kv("a", text("3"))),
		"duplicate keys, bad last":    input(kv("a", text("3")), kv("a", double(2, math.NaN()))),
		"duplicate keys below":        input(kv("o", object(kv("a", text("1")), kv("a", text("2"))))),
		"value with two members":      input(kv("a", text("1"), num(4, 1))),
		"value with a member twice":   input(kv("a", text("1"), text("2"))),
		"objects merge":               input(kv("a", object(kv("x", text("1"))), object(kv("y", text("2"))))),
		"objects merge but for text":  input(kv("a", object(kv("x", text("1"))), text("2"), object(kv("y", text("3"))))),
		"lists concatenate":           input(kv("a", list(item(text("1"))), list(item(text("2"))))),
		"value split in its entry":    input(rec(1, txt(1, "k"), rec(2, object(kv("x", text("1")))), rec(2, object(kv("y", text("2")))))),
		"value without kind":          input(kv("a"), kv("b", text("x"))),
		"value of the unknown":        input(kv("a", txt(9, "x"))),
		"value beside the unknown":    input(kv("a", txt(9, "x"), text("y"), num(10, 1))),
		"value with wrong wire type":  input(kv("a", num(3, 1), text("y"))),
		"null of another number":      input(kv("a", num(1, 7))),
		"bool of another number":      input(kv("a", num(4, 300))),
		"not a number":                input(kv("a", double(2, math.NaN()))),
		"infinite":                    input(kv("a", list(item(double(2, math.Inf(-1)))))),
		"numbers": input(kv("a", double(2, 1<<53)), kv("b", double(2, 1<<63)), kv("c", double(2, -1<<63)), kv("d", double(2, 1.5)),
			kv("e", double(2, math.Copysign(0, -1))), kv("f", double(2, math.SmallestNonzeroFloat64))),
		"text that is no UTF-8":        input(kv("a", text("\xff"))),
		"long text that is no UTF-8":   input(kv("a", text(strings.Repeat("a", 30)+"\xc3"))),
		"key that is no UTF-8":         input(kv("\xc0\x80", text("x"))),
		"other UTF-8":                  input(kv("ключ", text("значение 🙂"))),
		"tag that is no UTF-8":         rec(1, txt(1, "\xed\xa0\x80")),
		"credentials that are no text": rec(7, txt(1, "c"), rec(2, rec(1, rec(1, txt(1, "k"), txt(2, "\xff"))))),
		"credentials split":            rec(7, txt(1, "c"), rec(2, rec(1), rec(1))),
		"required resources":           rec(8, txt(1, "r"), rec(2, rec(1, rec(1, kv("a", text("x")))), rec(1))),
		"extra resources":              rec(6, txt(1, "e"), rec(2, rec(1, rec(1, kv("a", text("x")))), rec(1))),
		"extra and required resources": cat(rec(6, txt(1, "r"), rec(2, rec(1), rec(1))), rec(6, txt(1, "e"), rec(2)), rec(8, txt(1, "r"), rec(2))),
		"required without resources":   cat(rec(6, txt(1, "e")), rec(8, txt(1, "r"))),
		"required schemas":             rec(9, txt(1, "r"), rec(2, rec(1, kv("a", text("\xff"))))),
		"unknown everywhere":           cat(num(100, 1), rec(1, num(100, 1)), rec(3, num(100, 1), rec(1, num(100, 2)), resource(num(100, 1), num(3, 1)), num(101, 1)), rec(5, num(100, 2), kv("k", text("v")))),
		"unknown of every wire type":   cat(num(50, 1), double(50, 1), txt(50, "x"), group, protowire.AppendFixed32(protowire.AppendTag(nil, 50, protowire.Fixed32Type), 1)),
		"group not closed":             group[:len(group)-2],
		"group closed only":            protowire.AppendTag(nil, 50, protowire.EndGroupType),
		"group in a value":             input(kv("a", group, text("x"))),
		"wire type 7":                  {1<<3 | 7, 0},
		"field 0":                      {2, 0},
		"field too large":              cat(protowire.AppendVarint(nil, 1<<32|2), []byte{0}),
		"varint too long":              slices.Concat([]byte{8}, slices.Repeat([]byte{0x80}, 10), []byte{1}),
		"varint too large":             cat(rec(2, rec(1, slices.Concat([]byte{24}, slices.Repeat([]byte{0xff}, 9), []byte{2})))),
		"length beyond the end":        {4<<3 | 2, 5, 0},
		"length huge":                  {4<<3 | 2, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1},
		"length not minimal":           {4<<3 | 2, 0x80, 0x00},
		"tag not minimal":              {4<<3 | 2 | 0x80, 0x00, 0x00},
		"entry longer than the struct": input([]byte{0x0a, 0x10, 0x0a, 0x01, 'a'}),
		"objects 2000 deep":            input(kv("a", nested(text("bottom"), 2000, func(v []byte) []byte { return object(kv("a", v)) }))),
		"objects 3332 deep":            input(kv("a", nested(text("bottom"), 3332, func(v []byte) []byte { return object(kv("a", v)) }))),
		"objects 3333 deep":            input(kv("a", nested(text("bottom"), 3333, func(v []byte) []byte { return object(kv("a", v)) }))),
		"lists 4997 deep":              input(kv("a", nested(text("bottom"), 4997, func(v []byte) []byte { return list(item(v)) }))),
		"lists 4999 deep":              input(kv("a", nested(text("bottom"), 4999, func(v []byte) []byte { return list(item(v)) }))),
		"context of every kind": rec(5, kv("null", num(1, 0)), kv("object", object(kv("a", text("x")))), kv("text", text("x")),
			kv("none"), kv("list", list())),
		"wide": input(slices.Concat(manyFields(300)...)),
	}
}

func manyFields(n int) [][]byte {
	fields := make([][]byte, n)
	for i := range fields {
		fields[i] = kv(fmt.Sprintf("key%d", i%(n-3)), double(2, float64(i)))
	}
	return fields
}

// usualRequest returns a request such as Crossplane sends, with so many resources.
func usualRequest(resources int) *fnv1.RunFunctionRequest {
	rng := rand.New(rand.NewPCG(1, 2))
	req := &fnv1.RunFunctionRequest{
		Meta:     &fnv1.RequestMeta{Tag: "tag", Capabilities: []fnv1.Capability{1, 2, 3}},
		Observed: &fnv1.State{Composite: &fnv1.Resource{Resource: structOf(compositeObject())}, Resources: map[string]*fnv1.Resource{}},
		Desired:  &fnv1.State{Resources: map[string]*fnv1.Resource{}},
		Input:    structOf(randomObject(rng, 5)),
		Context:  structOf(map[string]any{"environment": map[string]any{"region": "eu-west-1", "zones": []any{"a", "b"}}}),
	}
	for i := range resources {
		name := fmt.Sprintf("resource-%03d", i)
		req.Observed.Resources[name] = &fnv1.Resource{
			Resource:          structOf(composedObject(i)),
			ConnectionDetails: map[string][]byte{"password": []byte("secret"), "username": []byte("admin")},
		}
		if i%2 == 0 {
			req.Desired.Resources[name] = &fnv1.Resource{Resource: structOf(composedObject(i)), Ready: fnv1.Ready_READY_TRUE}
		}
	}
	return req
}

func compositeObject() map[string]any {
	settings := map[string]any{}
	for i := range 50 {
		settings[fmt.Sprintf("key%02d", i)] = fmt.Sprintf("setting-%02d", i)
	}
	return map[string]any{
		"apiVersion": "example.org/v1", "kind": "XCluster",
		"metadata": map[string]any{"name": "cluster", "labels": map[string]any{"team": "payments", "crossplane.io/claim-name": "demo"}},
		"spec": map[string]any{
			"region": "eu-west-1", "storageGB": int64(20), "ratio": 1.5, "settings": settings,
			"subnets": []any{map[string]any{"id": "subnet-1"}, map[string]any{"id": "subnet-2"}},
		},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
	}
}

func composedObject(i int) map[string]any {
	atProvider := map[string]any{"arn": fmt.Sprintf("arn:aws:rds:eu-west-1:1234:db:%d", i), "port": int64(5432)}
	for n := range 60 {
		atProvider[fmt.Sprintf("field%dOfTheProvider", n)] = []any{"some value", int64(n), true, map[string]any{"name": "x"}}[n%4]
	}
	return map[string]any{
		"apiVersion": "rds.aws.upbound.io/v1beta2", "kind": "Instance",
		"metadata": map[string]any{
			"name": fmt.Sprintf("cluster-%d", i), "annotations": map[string]any{"crossplane.io/external-name": "x"},
			"managedFields": []any{map[string]any{"manager": "crossplane", "fieldsV1": map[string]any{"f:metadata": map[string]any{}}}},
		},
		"spec":   map[string]any{"forProvider": maps.Clone(atProvider), "deletionPolicy": "Delete"},
		"status": map[string]any{"atProvider": atProvider, "conditions": []any{map[string]any{"type": "Ready", "status": "True"}}},
	}
}

// randomObject returns an object of any values, at most so many levels deep.
func randomObject(rng *rand.Rand, levels int) map[string]any {
	o := map[string]any{}
	for range rng.IntN(6) {
		o[[]string{"a", "b", "c.d", "spec", "metadata", "k8s.io/x", "", "0"}[rng.IntN(8)]] = randomValue(rng, levels-1)
	}
	return o
}

func randomValue(rng *rand.Rand, levels int) any {
	n := rng.IntN(8)
	switch {
	case n == 0 && levels > 0:
		a := make([]any, rng.IntN(4))
		for i := range a {
			a[i] = randomValue(rng, levels-1)
		}
		return a
	case n <= 2 && levels > 0:
		return randomObject(rng, levels)
	}
	return []any{nil, true, false, int64(rng.IntN(1000) - 500), rng.Float64(), "", "some text", strings.Repeat("é", rng.IntN(100))}[n]
}

// structOf returns a Struct of a plain object.
func structOf(o map[string]any) *structpb.Struct {
	v := valueOf(o)
	return v.GetStructValue()
}

func valueOf(v any) *structpb.Value {
	switch t := v.(type) {
	case bool:
		return structpb.NewBoolValue(t)
	case int64:
		return structpb.NewNumberValue(float64(t))
	case float64:
		return structpb.NewNumberValue(t)
	case string:
		return structpb.NewStringValue(t)
	case []any:
		l := &structpb.ListValue{}
		for _, e := range t {
			l.Values = append(l.Values, valueOf(e))
		}
		return structpb.NewListValue(l)
	case map[string]any:
		s := &structpb.Struct{Fields: map[string]*structpb.Value{}}
		for k, e := range t {
			s.Fields[k] = valueOf(e)
		}
		return structpb.NewStructValue(s)
	}
	return structpb.NewNullValue()
}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// corpus returns all odd requests, some usual ones, and those cut off and with
// bits flipped.
func corpus(t testing.TB) map[string][]byte {
	t.Helper()
	all := oddRequests()
	for i := range 4 {
		all[fmt.Sprintf("usual %d", i)] = marshal(t, usualRequest(i))
	}
	rng := rand.New(rand.NewPCG(3, 4))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		b := all[name]
		if len(b) == 0 {
			continue
		}
		for i := range 40 {
			all[fmt.Sprintf("%s, cut off %d", name, i)] = b[:rng.IntN(len(b))]
			flipped := slices.Clone(b)
			flipped[rng.IntN(min(len(b), 4000))] ^= 1 << rng.IntN(8)
			all[fmt.Sprintf("%s, flipped %d", name, i)] = flipped
		}
	}
	return all
}

func deterministic(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// randomMessage returns records of a message in every shape and order: fields
// twice, split, unknown, and with wrong wire types.
func randomMessage(rng *rand.Rand, m *message, levels int) []byte {
	b := []byte{}
	for range rng.IntN(5) {
		n := rng.IntN(len(m.fields) + 1)
		number := protowire.Number(max(n, 1))
		f := m.at(uint64(n))
		switch {
		case f == nil || rng.IntN(30) == 0:
			b = append(b, [][]byte{num(number, rng.Uint64()), txt(number, "a"), double(number, 1.5)}[rng.IntN(3)]...)
		case f.form == formVarint, f.form == formVarints && rng.IntN(2) == 0:
			b = append(b, num(number, uint64(rng.IntN(4)))...)
		case f.form == formFixed64:
			b = append(b, double(number, []float64{0, 1, -1.5, 1 << 62, math.Inf(1)}[min(4, rng.IntN(40)%7)])...)
		case f.message == nil:
			b = append(b, txt(number, []string{"", "a", "b", "spec", "é", "\x01\x02"}[rng.IntN(6)])...)
		case levels > 0:
			b = append(b, rec(number, randomMessage(rng, f.message, levels-1))...)
		}
	}
	return b
}

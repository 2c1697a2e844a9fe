package proto

import (
	"math/rand/v2"
	"testing"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/protobuf/proto"
)

// Requests made at random from the protocol's table have all the shapes that a
// message may have, many at once.
func TestRandomShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 11))
	for range 20_000 {
		b := randomMessage(rng, protocol.request, 12)
		checkRequest(t, b)
		checkResponse(t, b, rng.Uint64())
		if t.Failed() {
			t.Fatalf("request %x", b)
		}
	}
}

func TestHashesOfRandomShapes(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for range 20_000 {
		checkHash(t, randomMessage(rng, protocol.structure, 8), randomMessage(rng, protocol.structure, 8))
	}
}

// Nesting is refused exactly where the standard decoder refuses it, at whichever
// kind of message the limit falls.
func TestNestingLimit(t *testing.T) {
	inObject := func(v []byte) []byte { return object(kv("a", v)) }
	for n := range 6 {
		lists, bottom := n%3, text("bottom")
		if n >= 3 {
			bottom = list(item(bottom))
		}
		v := nested(bottom, 3324, inObject)
		for levels := 3324; levels < 3336; levels++ {
			b := v
			for range lists {
				b = inObject(list(item(b)))
			}
			b = input(kv("a", b))
			_, err := ParseRequest(b)
			if wantErr := proto.Unmarshal(b, &fnv1.RunFunctionRequest{}); (err != nil) != (wantErr != nil) {
				t.Errorf("%d objects in %d lists: error %v, the standard decoder: %v", levels, lists, err, wantErr)
			}
			v = inObject(v)
		}
	}
}

package transforms

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input"
	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

func mapType() Type {
	return Type{
		Name: string(v1beta1.TransformTypeMap),
		Doc: "Looks the value up in a table and gives what stands there, which can be of any type. " +
			"A string is looked up as it is, a number or bool by its text: the number 3 finds the key \"3\", true finds \"true\". " +
			"A value that the table does not have is an error, and so is a null, an array or an object. " +
			"To give a result for every other value too, use match.",
		Compile: compileMap,
	}
}

func compileMap(at *field.Path, t *v1beta1.Transform, _ *Expressions) (Func, field.ErrorList) {
	if len(t.Map) == 0 {
		return nil, one(required(at.Child("map"), "a transform of type map needs a table with at least one entry, such as {small: t3.small}"))
	}
	m := &mapping{results: t.Map, keys: slices.Sorted(maps.Keys(t.Map))}
	m.known = listKeys(m.keys)
	return m.apply, nil
}

// mapping is the table of a map transform.
type mapping struct {
	results map[string]any
	keys    []string
	known   string
}

func (m *mapping) apply(v any, b *fieldpath.Budget) (any, error) {
	if s, ok := v.(string); ok {
		if result, ok := m.results[s]; ok {
			return result, nil
		}
		return nil, m.miss(v, s, b)
	}
	var buf [32]byte
	text, ok := appendScalar(buf[:0], v)
	if !ok {
		return nil, unusable(v, "map needs a string, number or bool")
	}
	if result, ok := m.results[string(text)]; ok {
		return result, nil
	}
	return nil, m.miss(v, string(text), b)
}

// maxSuggest bounds the texts for which a similar key is looked for.
const maxSuggest = 64

func (m *mapping) miss(v any, text string, b *fieldpath.Budget) error {
	hint := ""
	if len(text) <= maxSuggest {
		near := m.near(len(text))
		if err := b.Spend(len(near)*len(text) + len(m.keys)); err != nil {
			return err
		}
		hint = input.DidYouMean(text, near)
	}
	return &fieldpath.ValueError{Value: v, Problem: fmt.Sprintf("map has no such key (its keys are %s)", m.known), Hint: hint}
}

// near returns the keys that are about as long as a text.
func (m *mapping) near(length int) []string {
	var near []string
	for _, k := range m.keys {
		if len(k) >= length-3 && len(k) <= length+3 {
			near = append(near, k)
		}
	}
	return near
}

// listKeys lists as many keys as fit a message.
func listKeys(keys []string) string {
	const most, length = 12, 200
	var list strings.Builder
	for i, k := range keys {
		if i == most || list.Len() > length {
			fmt.Fprintf(&list, " and %d more", len(keys)-i)
			break
		}
		if i > 0 {
			list.WriteString(", ")
		}
		list.WriteString(quote(k))
	}
	return list.String()
}

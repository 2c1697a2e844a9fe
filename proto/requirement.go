package proto

import (
	"maps"
	"slices"
	"strings"
)

// Tags of the records of a Requirements and of a ResourceSelector.
const (
	tagLegacyRequirement = 1<<3 | wireBytes
	tagRequirement       = 2<<3 | wireBytes

	tagSelectorAPIVersion = 1<<3 | wireBytes
	tagSelectorKind       = 2<<3 | wireBytes
	tagMatchName          = 3<<3 | wireBytes
	tagMatchLabels        = 4<<3 | wireBytes
	tagNamespace          = 5<<3 | wireBytes

	tagLabel = 1<<3 | wireBytes
)

// Requirement selects resources of one kind that Crossplane is to fetch: the one
// with the MatchName or, if that is empty, all that have the MatchLabels. Without
// a Namespace it selects cluster-scoped resources, or by labels those of all
// namespaces.
type Requirement struct {
	APIVersion, Kind string
	MatchName        string
	MatchLabels      map[string]string
	Namespace        *string
}

// requirements writes what the function asks for, if it asks for anything. With
// legacy it stands in the field as well that Crossplane before 2.0 reads.
func (w *writer) requirements(all map[string]Requirement, legacy bool) *fault {
	if len(all) == 0 {
		return nil
	}
	mark := w.written()
	names := slices.Sorted(maps.Keys(all))
	for _, name := range slices.Backward(names) {
		if f := w.requirement(tagRequirement, name, all[name]); f != nil {
			return f
		}
	}
	if legacy {
		for _, name := range slices.Backward(names) {
			if f := w.requirement(tagLegacyRequirement, name, all[name]); f != nil {
				return f
			}
		}
	}
	w.head(tagResponseRequirements, mark)
	return w.fits(0)
}

// requirement writes one entry of the map with this tag.
func (w *writer) requirement(tag byte, name string, r Requirement) *fault {
	entry := w.written()
	if r.Namespace != nil {
		w.textThere(tagNamespace, *r.Namespace)
	}
	if r.MatchName != "" {
		w.textThere(tagMatchName, r.MatchName)
	} else if f := w.matchLabels(r.MatchLabels); f != nil {
		return f
	}
	w.textField(tagSelectorKind, strings.ToValidUTF8(r.Kind, "\uFFFD"))
	w.textField(tagSelectorAPIVersion, strings.ToValidUTF8(r.APIVersion, "\uFFFD"))
	w.head(tagValue, entry)
	w.textThere(tagKey, name)
	w.head(tag, entry)
	return w.fits(0)
}

// matchLabels writes the labels to match. It writes none too, which match all.
func (w *writer) matchLabels(labels map[string]string) *fault {
	mark := w.written()
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(labels))) {
		entry := w.written()
		w.textThere(tagValue, labels[key])
		w.textThere(tagKey, key)
		w.head(tagLabel, entry)
		if f := w.fits(0); f != nil {
			return f
		}
	}
	w.head(tagMatchLabels, mark)
	return nil
}

// textThere writes a text that is there even if it is empty, as UTF-8.
func (w *writer) textThere(tag byte, s string) {
	mark := w.written()
	w.text(strings.ToValidUTF8(s, "\uFFFD"))
	w.head(tag, mark)
}

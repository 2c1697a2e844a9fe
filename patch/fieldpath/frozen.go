package fieldpath

// Frozen is a value that nothing changes any more, so that all runs share it.
type Frozen struct {
	// Value itself, with all that is below it.
	Value any

	// Encoded is what a writer writes for the value; nil if it has to be encoded.
	Encoded []byte

	// Fields of an object and Items of an array, each with its own encoding; nil
	// where there are none.
	Fields map[string]*Frozen
	Items  []*Frozen

	// Keys of an object, sorted; nil if they were not sorted beforehand.
	Keys []string
}

// Freeze returns a Frozen without an encoding. The value must not be changed
// any more.
func Freeze(v any) *Frozen { return &Frozen{Value: v} }

func (f *Frozen) field(key string) *Frozen {
	if f == nil {
		return nil
	}
	return f.Fields[key]
}

func (f *Frozen) item(i int) *Frozen {
	if f == nil || i >= len(f.Items) {
		return nil
	}
	return f.Items[i]
}

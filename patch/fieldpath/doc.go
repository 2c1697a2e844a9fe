// Package fieldpath reads and writes plain JSON values by field path.
//
// A field path names a field as the Kubernetes API conventions do: in the
// syntax of JavaScript, without a leading dot, such as metadata.name,
// spec.containers[0].image or metadata.annotations[example.org/note]. A
// wildcard, [*], stands for each element of an array or each entry of an
// object. An item, [name=web], is the element of an array whose field name is web; in
// an object, where no such element can be, it is the field called name=web.
//
// Plain JSON values are nil, bool, int64, float64, string, []any and
// map[string]any. A number without a fraction that fits an int64 is an int64.
package fieldpath

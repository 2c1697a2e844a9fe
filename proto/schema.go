package proto

// form is how a field's payload is read.
type form int8

const (
	formVarint form = iota
	formFixed64
	formText
	formBytes
	formMessage
	formInput   // a message that is hashed on the way
	formEntry   // a message that is an entry of a map
	formVarints // repeated, packed or not
)

// field of a message. One without a name is left out of an error's place.
type field struct {
	name     string
	form     form
	repeated bool
	message  *message
}

// message lists the fields that a message has by number: 0 is none.
type message struct {
	fields []*field

	// oneof says that only one of the fields may be set; entry that this is an
	// entry of a map.
	oneof, entry bool
}

// schema holds those messages of the protocol that the scan starts from or has
// a short way through.
type schema struct {
	request, structure, value, list *message
}

// protocol is what run_function.proto and struct.proto say of a request. It is
// never changed.
var protocol = newSchema()

func newSchema() schema {
	s := schema{structure: &message{}, value: &message{oneof: true}, list: &message{}}
	s.structure.fields = fields(mapOf("", one("", formMessage, s.value)))
	s.list.fields = fields(many("", s.value))
	s.value.fields = fields(
		one("", formVarint, nil),  // null_value
		one("", formFixed64, nil), // number_value
		one("", formText, nil),    // string_value
		one("", formVarint, nil),  // bool_value
		one("", formMessage, s.structure),
		one("", formMessage, s.list),
	)

	resource := &message{fields: fields(
		one("resource", formMessage, s.structure),
		mapOf("connection_details", one("", formBytes, nil)),
		one("ready", formVarint, nil),
	)}
	state := &message{fields: fields(
		one("composite", formMessage, resource),
		mapOf("resources", one("", formMessage, resource)),
	)}
	meta := &message{fields: fields(
		one("tag", formText, nil),
		&field{name: "capabilities", form: formVarints, repeated: true},
	)}
	resources := &message{fields: fields(many("items", resource))}
	data := &message{fields: fields(mapOf("data", one("", formBytes, nil)))}
	credentials := &message{oneof: true, fields: fields(one("credential_data", formMessage, data))}
	openAPI := &message{fields: fields(one("openapi_v3", formMessage, s.structure))}

	s.request = &message{fields: fields(
		one("meta", formMessage, meta),
		one("observed", formMessage, state),
		one("desired", formMessage, state),
		one("input", formInput, s.structure),
		one("context", formMessage, s.structure),
		mapOf("extra_resources", one("", formMessage, resources)),
		mapOf("credentials", one("", formMessage, credentials)),
		mapOf("required_resources", one("", formMessage, resources)),
		mapOf("required_schemas", one("", formMessage, openAPI)),
	)}
	return s
}

// fields numbers them from 1.
func fields(fs ...*field) []*field { return append([]*field{nil}, fs...) }

func one(name string, f form, m *message) *field { return &field{name: name, form: f, message: m} }

func many(name string, m *message) *field {
	return &field{name: name, form: formMessage, repeated: true, message: m}
}

func mapOf(name string, value *field) *field {
	entry := &message{entry: true, fields: fields(one("", formText, nil), value)}
	return &field{name: name, form: formEntry, repeated: true, message: entry}
}

// at returns the field with a number, nil if there is none.
func (m *message) at(number uint64) *field {
	if number >= uint64(len(m.fields)) {
		return nil
	}
	return m.fields[number]
}

// accepts tells whether a record with this wire type is one of the field.
func (f *field) accepts(wire uint64) bool {
	switch f.form {
	case formVarint:
		return wire == wireVarint
	case formFixed64:
		return wire == wireFixed64
	case formVarints:
		return wire == wireVarint || wire == wireBytes
	}
	return wire == wireBytes
}

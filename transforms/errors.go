package transforms

import (
	"errors"
	"strconv"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// TooLongError says that a text would be longer than MaxText.
type TooLongError struct{}

func (*TooLongError) Error() string {
	return "a text would be longer than 1 MiB (" + strconv.Itoa(MaxText) + " bytes), the most that a transform takes or makes"
}

// errNullText says that there is a null where a text is wanted, or inside of what
// is to be written as one.
var errNullText = errors.New("a null cannot be written as text")

// unusable says that a value cannot be used: the problem must not quote it.
func unusable(v any, problem string) error {
	return &fieldpath.ValueError{Value: v, Problem: problem}
}

func required(at *field.Path, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeRequired, Field: at.String(), BadValue: "", Detail: detail}
}

func invalid(at *field.Path, value any, detail string) *field.Error {
	return &field.Error{Type: field.ErrorTypeInvalid, Field: at.String(), BadValue: value, Detail: detail}
}

// one is the list of a single problem.
func one(problem *field.Error) field.ErrorList { return field.ErrorList{problem} }

// quote returns a text from the configuration in quotes, cut off if it is long.
func quote(text string) string { return fieldpath.Preview(text) }

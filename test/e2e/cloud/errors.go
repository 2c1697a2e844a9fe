package cloud

import "errors"

// A Code says why a call failed.
type Code string

// The codes of failures.
const (
	NotFound            Code = "NotFound"
	AlreadyExists       Code = "AlreadyExists"
	InvalidParameter    Code = "InvalidParameter"
	InvalidState        Code = "InvalidState"
	DependencyViolation Code = "DependencyViolation"
	Throttled           Code = "Throttled"
)

// An Error is why a call failed. All errors of this package are of this type,
// but for those that tests inject.
type Error struct {
	Code    Code
	Message string
}

// Error returns the code and the message.
func (e *Error) Error() string {
	return string(e.Code) + ": " + e.Message
}

// Is tells whether an error, or one that it wraps, has the code.
func Is(err error, code Code) bool {
	var e *Error
	return errors.As(err, &e) && e.Code == code
}

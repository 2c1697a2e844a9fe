package transforms

import (
	"errors"
	"math"
	"math/bits"
	"strconv"
)

// number is a number that is ready to calculate with. n holds only when the
// number is whole and fits.
type number struct {
	f     float64
	n     int64
	whole bool
}

func wholeNumber(n int64) number { return number{f: float64(n), n: n, whole: true} }

// floatNumber makes a whole number of a float without a fraction that fits.
func floatNumber(f float64) number {
	if f == math.Trunc(f) && f >= -1<<63 && f < 1<<63 {
		return number{f: f, n: int64(f), whole: true}
	}
	return number{f: f}
}

func toNumber(v any) (number, bool) {
	switch t := v.(type) {
	case int64:
		return wholeNumber(t), true
	case float64:
		return floatNumber(t), true
	}
	return number{}, false
}

// value returns the plain value of the number.
func (x number) value() any {
	if x.whole {
		return x.n
	}
	return x.f
}

// exact tells whether a double, as which every number of a resource travels,
// can hold the integer.
func exact(n int64) bool {
	u := uint64(n)
	if n < 0 {
		u = -u
	}
	return bits.Len64(u)-bits.TrailingZeros64(u) <= 53
}

const inexact = "an integer this large cannot be held exactly by a resource, whose numbers are doubles"

// parseInt reads an integer in decimal. The problem is empty if it is one.
func parseInt(s string) (n int64, problem string) {
	n, err := strconv.ParseInt(s, 10, 64)
	switch {
	case err == nil && !exact(n):
		return 0, inexact
	case err != nil && errors.Is(err, strconv.ErrRange):
		return 0, "the integer does not fit an int64"
	case err != nil:
		return 0, "not the text of an integer, such as 42"
	}
	return n, ""
}

// parseFloat reads a number in decimal. The problem is empty if it is one.
func parseFloat(s string) (f float64, problem string) {
	f, err := strconv.ParseFloat(s, 64)
	switch {
	case err != nil && errors.Is(err, strconv.ErrRange):
		return 0, "the number does not fit a float64"
	case err != nil:
		return 0, "not the text of a number, such as 1.5"
	case math.IsInf(f, 0) || math.IsNaN(f):
		return 0, "neither infinity nor NaN is a number that a resource can have"
	}
	return f, ""
}

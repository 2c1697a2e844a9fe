package transforms

import (
	"errors"
	"math"
	"math/big"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

const (
	// maxQuantityText and maxExponent bound the size of the numbers that reading a
	// quantity calculates with: 1e-2000000000 would take minutes.
	maxQuantityText = 400
	maxExponent     = 400

	notQuantity   = "not the text of a quantity, such as 500m or 2Gi"
	largeQuantity = "the quantity is too large"
)

func parseQuantity(v any) (q resource.Quantity, problem string) {
	s, _ := v.(string)
	if len(s) > maxQuantityText || !hasDigit(s) {
		return q, notQuantity
	}
	if i := strings.LastIndexAny(s, "eE"); i >= 0 {
		n, err := strconv.Atoi(s[i+1:]) // of what is no number, as in 2Ei, 0
		if errors.Is(err, strconv.ErrRange) || n > maxExponent || n < -maxExponent {
			return q, notQuantity + ", with an exponent of at most 400"
		}
	}
	q, err := resource.ParseQuantity(s)
	switch {
	case err != nil:
		return q, notQuantity
	case q.Format == resource.BinarySI && magnitude(q.Value()) >= math.MaxInt64:
		return q, largeQuantity // one that is larger was cut to this
	}
	return q, ""
}

// hasDigit tells whether there is a number before the suffix: a suffix alone
// would be read as zero.
func hasDigit(s string) bool {
	s = strings.TrimPrefix(strings.TrimLeft(s, "+-"), ".")
	return s != "" && strings.Contains(digits, s[:1])
}

func floatFromQuantity(v any) (any, string) {
	q, problem := parseQuantity(v)
	if problem != "" {
		return nil, problem
	}
	f, err := strconv.ParseFloat(q.AsDec().String(), 64) // exact, unlike AsApproximateFloat64
	if err != nil {
		return nil, largeQuantity
	}
	return floatNumber(f).value(), ""
}

func intFromQuantity(v any) (any, string) {
	q, problem := parseQuantity(v)
	if problem != "" {
		return nil, problem
	}
	decimal := q.AsDec()
	n, scale := decimal.UnscaledBig(), int64(decimal.Scale())
	power := new(big.Int).Exp(big.NewInt(10), big.NewInt(max(scale, -scale)), nil)
	if scale < 0 {
		n = new(big.Int).Mul(n, power)
	} else {
		quotient, remainder := new(big.Int).QuoRem(n, power, new(big.Int))
		if remainder.Sign() != 0 {
			return nil, "the quantity is no whole number"
		}
		n = quotient
	}
	switch {
	case !n.IsInt64():
		return nil, "the quantity does not fit an int64"
	case !exact(n.Int64()):
		return nil, inexact
	}
	return n.Int64(), ""
}

package transforms

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

const (
	defaultHashLength = 5
	maxHashLength     = 2 * sha256.Size
)

func compileTruncate(at *field.Path, s *v1beta1.StringTransform, _ *Expressions) (Func, field.ErrorList) {
	at = at.Child("truncate")
	if s.Truncate == nil {
		return nil, one(required(at, "string of type Truncate needs the length to cut to, such as {length: 63}"))
	}
	length, hashLength := s.Truncate.Length, int64(defaultHashLength)
	if s.Truncate.HashLength != nil {
		hashLength = *s.Truncate.HashLength
	}
	var errs field.ErrorList
	if length < 1 {
		errs = append(errs, invalid(at.Child("length"), length, "must be at least 1"))
	}
	switch {
	case hashLength < 0 || hashLength > maxHashLength:
		errs = append(errs, invalid(at.Child("hashLength"), hashLength, fmt.Sprintf("must be between 0 and %d, the length of a SHA-256 hash", maxHashLength)))
	case length >= 1 && hashLength > 0 && hashLength+1 >= length:
		errs = append(errs, invalid(at.Child("hashLength"), hashLength,
			fmt.Sprintf("a length of %d leaves no room for any text before a dash and a hash of %d characters; use a length of at least %d, or a shorter hash (0 for none)", length, hashLength, hashLength+2)))
	}
	if len(errs) > 0 {
		return nil, errs
	}
	t := truncation{length: int(min(length, MaxText)), hashLength: int(hashLength)}
	return onText(t.apply), nil
}

type truncation struct{ length, hashLength int }

func (t truncation) apply(s string, _ *fieldpath.Budget) (string, error) {
	if len(s) <= t.length || utf8.RuneCountInString(s) <= t.length {
		return s, nil
	}
	if t.hashLength == 0 {
		return firstRunes(s, t.length), nil
	}
	hash := sha256.Sum256([]byte(s))
	suffix := hex.EncodeToString(hash[:])[:t.hashLength]
	prefix := strings.TrimRight(firstRunes(s, t.length-t.hashLength-1), "-.")
	if prefix == "" {
		return suffix, nil
	}
	return prefix + "-" + suffix, nil
}

// firstRunes returns the first n characters of a text that has more.
func firstRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

package transforms

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash/adler32"
	"strconv"
	"strings"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// StringConversions returns the conversions of a string transform of type Convert.
func StringConversions() []Variant { return stringConversions().variants() }

func stringConversions() table[Func] {
	return table[Func]{
		{Variant{string(v1beta1.StringConversionToUpper), "The text in upper case."}, onText(toUpper)},
		{Variant{string(v1beta1.StringConversionToLower), "The text in lower case."}, onText(toLower)},
		{Variant{string(v1beta1.StringConversionToBase64), "The text encoded as base64, with padding."}, onText(toBase64)},
		{Variant{string(v1beta1.StringConversionFromBase64), "The text that is encoded as base64. Bytes that are no UTF-8 text are an error."}, onText(fromBase64)},
		{Variant{string(v1beta1.StringConversionToJSON), "The value of any type, null too, as JSON with sorted keys."}, toJSON},
		{Variant{string(v1beta1.StringConversionToSHA1), "The SHA-1 hash of a string, or of the JSON of any other value, in hexadecimal."}, hashWith(func(b []byte) string { h := sha1.Sum(b); return hex.EncodeToString(h[:]) })},
		{Variant{string(v1beta1.StringConversionToSHA256), "The SHA-256 hash of a string, or of the JSON of any other value, in hexadecimal."}, hashWith(func(b []byte) string { h := sha256.Sum256(b); return hex.EncodeToString(h[:]) })},
		{Variant{string(v1beta1.StringConversionToSHA512), "The SHA-512 hash of a string, or of the JSON of any other value, in hexadecimal."}, hashWith(func(b []byte) string { h := sha512.Sum512(b); return hex.EncodeToString(h[:]) })},
		{Variant{string(v1beta1.StringConversionToAdler32), "The Adler-32 checksum of a string, or of the JSON of any other value, in decimal."}, hashWith(func(b []byte) string { return strconv.FormatUint(uint64(adler32.Checksum(b)), 10) })},
	}
}

func compileStringConvert(at *field.Path, s *v1beta1.StringTransform, _ *Expressions) (Func, field.ErrorList) {
	f, problem := stringConversions().find(at.Child("convert"), "string conversion", string(s.Convert))
	if problem != nil {
		return nil, one(problem)
	}
	return f, nil
}

func toUpper(s string, _ *fieldpath.Budget) (string, error) { return strings.ToUpper(s), nil }

func toLower(s string, _ *fieldpath.Budget) (string, error) { return strings.ToLower(s), nil }

func toBase64(s string, _ *fieldpath.Budget) (string, error) {
	if base64.StdEncoding.EncodedLen(len(s)) > MaxText {
		return "", &TooLongError{}
	}
	return base64.StdEncoding.EncodeToString([]byte(s)), nil
}

func fromBase64(s string, _ *fieldpath.Budget) (string, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	switch {
	case err != nil:
		return "", unusable(s, "FromBase64 needs base64 text in the standard alphabet, with padding")
	case !utf8.Valid(b):
		return "", unusable(s, "FromBase64 needs base64 of UTF-8 text, not of other bytes")
	}
	return string(b), nil
}

func toJSON(v any, b *fieldpath.Budget) (any, error) {
	text, err := jsonText(v, b)
	if err != nil {
		return nil, err
	}
	return textResult(string(text), b)
}

// hashWith hashes the bytes of a string and the JSON of anything else.
func hashWith(sum func([]byte) string) Func {
	return func(v any, b *fieldpath.Budget) (any, error) {
		if s, ok := v.(string); ok {
			if err := takeText(s, b); err != nil {
				return nil, err
			}
			return sum([]byte(s)), nil
		}
		text, err := jsonText(v, b)
		if err != nil {
			return nil, err
		}
		if err := b.Spend(len(text)); err != nil {
			return nil, err
		}
		return sum(text), nil
	}
}

// jsonText returns the JSON of a value that can be of any size.
func jsonText(v any, b *fieldpath.Budget) ([]byte, error) {
	least := jsonSize(v, 0)
	if least > MaxText {
		return nil, &TooLongError{}
	}
	if err := b.Spend(least); err != nil {
		return nil, err
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil, unusable(v, "there is no JSON of this value")
	}
	if len(text) > MaxText {
		return nil, &TooLongError{}
	}
	return text, nil
}

// jsonSize adds the least length that the JSON of a value can have, and stops
// soon after it is known to be too long.
func jsonSize(v any, size int) int {
	switch t := v.(type) {
	case string:
		return size + len(t) + 2
	case []any:
		for i := 0; i < len(t) && size <= MaxText; i++ {
			size = jsonSize(t[i], size+1)
		}
		return size + 2
	case map[string]any:
		for k, e := range t {
			if size = jsonSize(e, size+len(k)+4); size > MaxText {
				return size
			}
		}
		return size + 2
	}
	return size + 1
}

package transforms

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// maxReferences bounds how often a replacement can name a group, and so how much
// longer than the text the result can be before its length is known.
const maxReferences = 16

func compileRegexpReplace(at *field.Path, s *v1beta1.StringTransform, x *Expressions) (Func, field.ErrorList) {
	at = at.Child("regexpReplace")
	if s.RegexpReplace == nil || s.RegexpReplace.Match == "" {
		return nil, one(required(at.Child("match"), "string of type RegexpReplace needs a regular expression, such as {match: \"[^a-z0-9]+\", replace: \"-\"}"))
	}
	re, problem := x.compile(at.Child("match"), s.RegexpReplace.Match)
	if problem != nil {
		return nil, one(problem)
	}
	r := &replacement{re: re, template: s.RegexpReplace.Replace}
	if errs := r.parse(at.Child("replace")); len(errs) > 0 {
		return nil, errs
	}
	return onText(r.apply), nil
}

// replacement replaces the matches of an expression by a template.
type replacement struct {
	re         *expression
	template   string
	literal    int // how much of the template is no reference to a group
	references int
}

// parse checks the references to groups in the template, which Go would
// silently take for empty ones.
func (r *replacement) parse(at *field.Path) (errs field.ErrorList) {
	rest := r.template
	for {
		before, after, found := strings.Cut(rest, "$")
		r.literal += len(before)
		if !found {
			break
		}
		name, text, ok := reference(after)
		if !ok { // $$, or a dollar sign by itself
			r.literal++
			rest = strings.TrimPrefix(after, "$")
			continue
		}
		r.references++
		rest = text
		if !r.hasGroup(name) {
			errs = append(errs, invalid(at, r.template, "there is no group "+quote(name)+" in the regular expression"+groupHint(name)))
		}
	}
	if r.references > maxReferences {
		errs = append(errs, invalid(at, r.template, fmt.Sprintf("names groups %d times, and may %d times", r.references, maxReferences)))
	}
	if len(r.template) > MaxText {
		errs = append(errs, invalid(at, "", (&TooLongError{}).Error()))
	}
	return errs
}

// reference splits the name of a group, as it stands behind a dollar sign, from
// the text after it.
func reference(text string) (name, rest string, ok bool) {
	if strings.HasPrefix(text, "{") {
		name, rest, ok = strings.Cut(text[1:], "}")
		return name, rest, ok && name != "" && wordLength(name) == len(name)
	}
	n := wordLength(text)
	return text[:n], text[n:], n > 0
}

func wordLength(text string) int {
	n := 0
	for n < len(text) {
		c, size := utf8.DecodeRuneInString(text[n:])
		if c != '_' && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			break
		}
		n += size
	}
	return n
}

func (r *replacement) hasGroup(name string) bool {
	if n, err := strconv.Atoi(name); err == nil {
		return strconv.Itoa(n) == name && n <= r.re.NumSubexp()
	}
	return r.re.SubexpIndex(name) >= 0
}

// groupHint explains why the 1 of $1x is not a group.
func groupHint(name string) string {
	number := name[:len(name)-len(strings.TrimLeft(name, digits))]
	if number == "" || number == name {
		return "; write $$ for a dollar sign"
	}
	return "; write ${" + number + "} for group " + number
}

func (r *replacement) apply(s string, b *fieldpath.Budget) (string, error) {
	count, matched, err := r.count(s, b)
	if err != nil {
		return "", err
	}
	if len(s)-matched+count*r.literal > MaxText {
		return "", &TooLongError{}
	}
	// What is left to grow is bounded: groups are parts of the matches.
	return r.re.ReplaceAllString(s, r.template), nil
}

// shortLookahead is up to where matches are worth counting without storing them.
const shortLookahead = 64

// count returns how many matches there are and their length together. Finding
// each can take looking at all of the text behind it, so the work is done in
// steps that are paid for before.
func (r *replacement) count(s string, b *fieldpath.Budget) (count, matched int, err error) {
	lookahead := r.re.lookahead
	if lookahead >= 0 && lookahead <= shortLookahead {
		return r.countAll(s, b)
	}
	if lookahead < 0 || lookahead > len(s) {
		lookahead = len(s)
	}
	for limit := 8; ; limit = min(limit*4, len(s)+2) {
		if err := r.re.spend(2*(len(s)+limit*lookahead), b); err != nil {
			return 0, 0, err
		}
		found := r.re.FindAllStringIndex(s, limit)
		if len(found) < limit {
			for _, m := range found {
				matched += m[1] - m[0]
			}
			return len(found), matched, nil
		}
	}
}

// countAll counts the matches of an expression with a short lookahead.
func (r *replacement) countAll(s string, b *fieldpath.Budget) (count, matched int, err error) {
	if err := r.re.spend(2*len(s)*(r.re.lookahead+1), b); err != nil {
		return 0, 0, err
	}
	r.re.ReplaceAllStringFunc(s, func(match string) string {
		count++
		matched += len(match)
		return ""
	})
	return count, matched, nil
}

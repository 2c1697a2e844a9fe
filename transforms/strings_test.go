package transforms_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/function-patchwork/function-patchwork/input/v1beta1"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/transforms"
)

func TestStrings(t *testing.T) {
	conversion := func(name string) string {
		return `{"type": "string", "string": {"type": "Convert", "convert": "` + name + `"}}`
	}
	replace := func(search, replace string) string {
		return fmt.Sprintf(`{"type": "string", "string": {"type": "Replace", "replace": {"search": %q, "replace": %q}}}`, search, replace)
	}
	const (
		trim = `{"type": "string", "string": {"type": "TrimSuffix", "trim": "]"}}`
		join = `{"type": "string", "string": {"type": "Join", "join": {"separator": ", "}}}`
	)
	checkBehaviour(t, map[string]behaviour{
		"trim text of array":      {trim, []any{"a", 1.5}, "[a 1.5", ""},
		"trim null":               {trim, nil, nil, "transforms[0] (string): a null cannot be written as text"},
		"trim nested null":        {trim, []any{nil}, nil, "a null cannot be written as text"},
		"replace":                 {replace("a", "aa"), "banana", "baanaanaa", ""},
		"replace by nothing":      {replace("a", ""), "banana", "bnn", ""},
		"replace nothing":         {replace("", "-"), "ab", "-a-b-", ""},
		"replace in object":       {replace("map", "m"), map[string]any{"k": true}, "m[k:true]", ""},
		"join nested":             {join, []any{[]any{"a", "b"}, map[string]any{"k": "v"}}, "[a b], map[k:v]", ""},
		"join null":               {join, []any{"a", nil}, nil, "a null cannot be written as text"},
		"join object":             {join, map[string]any{}, nil, "Join needs an array, got {}"},
		"upper large":             {conversion("ToUpper"), 1e21, "1000000000000000000000", ""},
		"json of HTML":            {conversion("ToJson"), map[string]any{"b": "<&>", "a": 1e21}, "{\"a\":1e+21,\"b\":\"\\u003c\\u0026\\u003e\"}", ""},
		"json of null":            {conversion("ToJson"), nil, "null", ""},
		"not base64":              {conversion("FromBase64"), "YQ", nil, `FromBase64 needs base64 text in the standard alphabet, with padding, got "YQ"`},
		"binary base64":           {conversion("FromBase64"), "/w==", nil, "FromBase64 needs base64 of UTF-8 text, not of other bytes"},
		"base64 with line breaks": {conversion("FromBase64"), "aGVs\nbG8=", "hello", ""},
	})
}

func TestRegexp(t *testing.T) {
	extract := func(match, group string) string {
		return fmt.Sprintf(`{"type": "string", "string": {"type": "Regexp", "regexp": {"match": %q, "group": %s}}}`, match, group)
	}
	replace := func(match, by string) string {
		return fmt.Sprintf(`{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": %q, "replace": %q}}}`, match, by)
	}
	checkBehaviour(t, map[string]behaviour{
		"whole match":        {extract("b+", "0"), "abba", "bb", ""},
		"group":              {extract("(a)(b+)", "2"), "abba", "bb", ""},
		"group of no part":   {extract("a|(b)", "1"), "a", "", ""},
		"number":             {extract("^[0-9]{2}", "0"), int64(1234), "12", ""},
		"no match":           {extract("x", "0"), "abba", nil, `the regular expression "x" matches nothing, got "abba"`},
		"null":               {extract("x", "0"), nil, nil, "a null cannot be written as text"},
		"replace":            {replace("[^a-z0-9]+", "-"), "My Name (1)", "-y-ame-1-", ""},
		"replace by nothing": {replace("\\s", ""), "a b\tc", "abc", ""},
		"replace with group": {replace("(\\w+)@(\\w+)", "${2}-$1"), "me@here you@there", "here-me there-you", ""},
		"replace with name":  {replace("(?P<user>\\w+)@", "$user at "), "me@here", "me at here", ""},
		"whole and dollar":   {replace("[0-9]+", "$$$0$"), "5 and 6", "$5$ and $6$", ""},
		"unfinished name":    {replace("a", "${"), "a", "${", ""},
		"empty matches":      {replace("x*", "-"), "abc", "-a-b-c-", ""},
		"at the beginning":   {replace("^a", "b"), "aaa", "baa", ""},
		"at word boundaries": {replace("\\b", "|"), "ab cd", "|ab| |cd|", ""},
		"many matches":       {replace("a.*?b", "x"), strings.Repeat("a-b ", 500), strings.Repeat("x ", 500), ""},
		"long expression":    {replace("a{1,40}b|(?:ab?)*", "x"), strings.Repeat("aab ", 100), strings.Repeat("x ", 100) + "x", ""},
		"short matches":      {replace("[ab]c?", "x"), strings.Repeat("ac b", 300), strings.Repeat("x x", 300), ""},
	})
}

func TestTruncate(t *testing.T) {
	truncate := func(config string) string {
		return `{"type": "string", "string": {"type": "Truncate", "truncate": ` + config + `}}`
	}
	checkBehaviour(t, map[string]behaviour{
		"short":               {truncate(`{"length": 10}`), "0123456789", "0123456789", ""},
		"long":                {truncate(`{"length": 10}`), "a-very-long-name", "a-ve-6c158", ""},
		"another":             {truncate(`{"length": 10}`), "a-very-long-nama", "a-ve-6a4b8", ""},
		"characters":          {truncate(`{"length": 4, "hashLength": 1}`), "äöüß", "äöüß", ""},
		"cut characters":      {truncate(`{"length": 4, "hashLength": 1}`), "äöüßx", "äö-0", ""},
		"without hash":        {truncate(`{"length": 3, "hashLength": 0}`), "äö-ß", "äö-", ""},
		"no dash before dash": {truncate(`{"length": 10}`), "ab.-very-long-name", "ab-1ce84", ""},
		"only dashes":         {truncate(`{"length": 10}`), "-----------------", "13097", ""},
		"number":              {truncate(`{"length": 4, "hashLength": 2}`), int64(123456789), "1-15", ""},
		"null":                {truncate(`{"length": 4, "hashLength": 2}`), nil, nil, "a null cannot be written as text"},
	})
}

// Texts that grow are bounded, before they are built.
func TestTextLimit(t *testing.T) {
	half, full := strings.Repeat("ab", transforms.MaxText/4), strings.Repeat("ab", transforms.MaxText/2)
	cases := map[string]struct {
		transform string
		in        any
	}{
		"input":               {`{"type": "string", "string": {"type": "TrimPrefix", "trim": "x"}}`, full + "x"},
		"hash":                {`{"type": "string", "string": {"type": "Convert", "convert": "ToSha1"}}`, full + "x"},
		"hash of array":       {`{"type": "string", "string": {"type": "Convert", "convert": "ToSha1"}}`, []any{full}},
		"json":                {`{"type": "string", "string": {"type": "Convert", "convert": "ToJson"}}`, map[string]any{"a": []any{half, half}}},
		"json of escapes":     {`{"type": "string", "string": {"type": "Convert", "convert": "ToJson"}}`, strings.Repeat("<", transforms.MaxText/4)},
		"upper":               {`{"type": "string", "string": {"type": "Convert", "convert": "ToUpper"}}`, strings.Repeat("ɐ", transforms.MaxText/2)},
		"base64":              {`{"type": "string", "string": {"type": "Convert", "convert": "ToBase64"}}`, full},
		"json to convert":     {`{"type": "convert", "convert": {"toType": "array", "format": "json"}}`, "[" + full},
		"join":                {`{"type": "string", "string": {"type": "Join", "join": {"separator": "` + strings.Repeat("-", 1000) + `"}}}`, make([]any, 2000)},
		"join arrays":         {`{"type": "string", "string": {"type": "Join", "join": {"separator": ""}}}`, []any{[]any{half}, []any{half}}},
		"replace":             {`{"type": "string", "string": {"type": "Replace", "replace": {"search": "a", "replace": "aaaaaaaaaa"}}}`, half},
		"replace nothing":     {`{"type": "string", "string": {"type": "Replace", "replace": {"search": "", "replace": "--"}}}`, half},
		"regexp replace":      {`{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "a", "replace": "` + strings.Repeat("-", 1000) + `"}}}`, half},
		"groups":              {`{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": ".+", "replace": "$0$0$0"}}}`, half},
		"format of ten times": {`{"type": "string", "string": {"fmt": "` + strings.Repeat("%[1]s", 10) + `"}}`, half},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			chain := compile(t, parseTransforms(t, "["+c.transform+"]")...)
			_, err := chain.Apply(c.in, nil)
			var long *transforms.TooLongError
			if !errors.As(err, &long) {
				t.Errorf("got error %v, want that the text is too long", err)
			}
		})
	}
}

// Twelve transforms that each make ten times of a text end after a few.
func TestGrowingChain(t *testing.T) {
	for _, transform := range []string{
		`{"type": "string", "string": {"type": "Replace", "replace": {"search": "a", "replace": "aaaaaaaaaa"}}}`,
		`{"type": "string", "string": {"fmt": "` + strings.Repeat("%[1]s", 10) + `"}}`,
	} {
		list := parseTransforms(t, "["+strings.TrimSuffix(strings.Repeat(transform+",", 12), ",")+"]")
		_, err := compile(t, list...).Apply("a", nil)
		var long *transforms.TooLongError
		if !errors.As(err, &long) || !strings.HasPrefix(err.Error(), "transforms[6] (string): ") {
			t.Errorf("got error %v, want that the text is too long after six times", err)
		}
	}
}

// What takes time is paid for, so that a request ends.
func TestBudget(t *testing.T) {
	text := strings.Repeat("a", 1<<16)
	cases := map[string]struct {
		transform string
		in        any
		budget    int64
	}{
		"copying":   {`{"type": "string", "string": {"fmt": "%s"}}`, text, 60_000},
		"hashing":   {`{"type": "string", "string": {"type": "Convert", "convert": "ToSha512"}}`, text, 60_000},
		"json":      {`{"type": "string", "string": {"type": "Convert", "convert": "ToSha512"}}`, []any{text}, 60_000},
		"joining":   {`{"type": "string", "string": {"type": "Join", "join": {"separator": ""}}}`, []any{text}, 60_000},
		"matching":  {`{"type": "match", "match": {"patterns": [{"type": "regexp", "regexp": "(?:x{100}){10}"}]}}`, text, 10_000_000},
		"finding":   {`{"type": "string", "string": {"type": "Regexp", "regexp": {"match": "(?:x{100}){10}"}}}`, text, 10_000_000},
		"quadratic": {`{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "a.*b|a", "replace": ""}}}`, text, 10_000_000},
		"wide":      {`{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "a.{900}b|a", "replace": ""}}}`, text, 10_000_000},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			chain := compile(t, parseTransforms(t, "["+c.transform+"]")...)
			_, err := chain.Apply(c.in, fieldpath.NewBudget(c.budget))
			var used *fieldpath.BudgetError
			if !errors.As(err, &used) {
				t.Errorf("got error %v, want that the budget is used up", err)
			}
		})
	}
}

// The same transform runs at the same time for many values.
func TestConcurrentUse(t *testing.T) {
	chain := compile(t, parseTransforms(t, `[
		{"type": "string", "string": {"fmt": "%05d"}},
		{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "^0+", "replace": "n"}}},
		{"type": "match", "match": {"patterns": [{"type": "regexp", "regexp": "9$", "result": {"a": "b"}}], "fallbackTo": "Input"}},
		{"type": "string", "string": {"type": "Convert", "convert": "ToJson"}}]`)...)
	done := make(chan error)
	for range 8 {
		go func() {
			var failed error
			for n := range int64(200) {
				got, err := chain.Apply(n, fieldpath.NewBudget(1<<20))
				want := fmt.Sprintf(`"n%s"`, strings.TrimLeft(fmt.Sprintf("%05d", n), "0"))
				if n%10 == 9 {
					want = `{"a":"b"}`
				}
				if err != nil || got != want {
					failed = fmt.Errorf("%d: got %v and error %w, want %s", n, got, err, want)
				}
			}
			done <- failed
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func BenchmarkTransforms(b *testing.B) {
	benchmarks := map[string]struct {
		transforms string
		in         any
	}{
		"map":            {`[{"type": "map", "map": {"small": "t3.small", "large": "t3.large"}}]`, "small"},
		"map integer":    {`[{"type": "map", "map": {"1": "t3.small", "2": "t3.large"}}]`, int64(2)},
		"match":          {`[{"type": "match", "match": {"patterns": [{"literal": "a", "result": 1}, {"type": "regexp", "regexp": "^us-", "result": "us"}]}}]`, "us-east-1"},
		"math":           {`[{"type": "math", "math": {"multiply": 1024}}]`, int64(20)},
		"format":         {`[{"type": "string", "string": {"fmt": "prod-%s-db"}}]`, "eu-west"},
		"format integer": {`[{"type": "string", "string": {"fmt": "%03d"}}]`, int64(7)},
		"upper":          {`[{"type": "string", "string": {"type": "Convert", "convert": "ToUpper"}}]`, "eu-west"},
		"sha256":         {`[{"type": "string", "string": {"type": "Convert", "convert": "ToSha256"}}]`, "eu-west"},
		"regexp":         {`[{"type": "string", "string": {"type": "Regexp", "regexp": {"match": "arn:aws:iam::(\\d+):.*", "group": 1}}}]`, "arn:aws:iam::42:role/admin"},
		"regexp replace": {`[{"type": "string", "string": {"type": "RegexpReplace", "regexpReplace": {"match": "[^a-z0-9]+", "replace": "-"}}}]`, "Some Name (of 2)"},
		"truncate":       {`[{"type": "string", "string": {"type": "Truncate", "truncate": {"length": 20}}}]`, "a-name-that-is-longer-than-that"},
		"convert":        {`[{"type": "convert", "convert": {"toType": "int64"}}]`, "5432"},
		"quantity":       {`[{"type": "convert", "convert": {"toType": "int64", "format": "quantity"}}]`, "20Gi"},
		"chain":          {`[{"type": "convert", "convert": {"toType": "string"}}, {"type": "map", "map": {"3": "medium"}}, {"type": "string", "string": {"fmt": "db-%s"}}]`, int64(3)},
	}
	for name, c := range benchmarks {
		b.Run(name, func(b *testing.B) {
			var list []any
			if err := json.Unmarshal([]byte(c.transforms), &list); err != nil {
				b.Fatal(err)
			}
			chain := compile(b, decode(b, list)...)
			budget := fieldpath.NewBudget(1 << 62)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := chain.Apply(c.in, budget); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// A table lookup of a string, which is the most common transform, allocates nothing.
func TestMapAllocatesNothing(t *testing.T) {
	chain := compile(t, v1beta1.Transform{Type: v1beta1.TransformTypeMap, Map: map[string]any{"small": "t3.small", "3": "t3.large"}})
	for _, in := range []any{"small", int64(3)} {
		allocs := testing.AllocsPerRun(100, func() {
			if _, err := chain.Apply(in, nil); err != nil {
				t.Fatal(err)
			}
		})
		if allocs != 0 {
			t.Errorf("%v: %v allocations", in, allocs)
		}
	}
}

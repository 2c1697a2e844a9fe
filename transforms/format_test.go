package transforms_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/function-patchwork/function-patchwork/transforms"
)

func TestFormat(t *testing.T) {
	array, object := []any{"a", int64(1), 1.5, true}, map[string]any{"b": int64(2), "a": []any{"x"}}
	cases := map[string]struct {
		format string
		values []any
		want   string // an error is in parentheses
	}{
		"text only at the ends":   {"<%s>%%<", []any{"x"}, "<x>%<"},
		"two values":              {"%s-%s", []any{"a", "b"}, "a-b"},
		"swapped":                 {"%[2]s-%[1]s", []any{"a", "b"}, "b-a"},
		"next after an index":     {"%[2]s %[1]s %s", []any{"a", "b"}, "b a b"},
		"one left out by index":   {"%[1]s %[3]s", []any{"a", "b", "c"}, "a c"},
		"index after the width":   {"%5[1]s|", []any{"ab"}, "   ab|"},
		"index after precision":   {"%.1[1]f", []any{1.25}, "1.2"},
		"array":                   {"%v", []any{array}, "[a 1 1.5 true]"},
		"object":                  {"%s", []any{object}, "map[a:[x] b:2]"},
		"array with width":        {"%3v", []any{array}, "[  a   1 1.5 true]"},
		"array in quotes":         {"%q", []any{array}, `["a" "1" "1.5" "true"]`},
		"object in quotes":        {"%q", []any{object}, `map["a":["x"] "b":"2"]`},
		"array of integers":       {"%03d", []any{[]any{int64(1), int64(20)}}, "[001 020]"},
		"array with a null":       {"%s", []any{[]any{"a", nil}}, "(a null cannot be written as text)"},
		"object with a null":      {"%v", []any{map[string]any{"a": nil}}, "(a null cannot be written as text)"},
		"array for %d":            {"%d", []any{array}, `(%d at position 0 of the format needs an integer, got "a")`},
		"object for %d":           {"x%d", []any{object}, `(%d at position 1 of the format needs an integer, got "a")`},
		"null for %d":             {"%d", []any{nil}, "(a null cannot be written as text)"},
		"fraction for %x":         {"%x", []any{1.5}, "(%x at position 0 of the format needs an integer or a string, got 1.5)"},
		"bool for %f":             {"%.1f", []any{true}, "(%.1f at position 0 of the format needs a number, got true)"},
		"number for %t":           {"%t", []any{int64(1)}, "(%t at position 0 of the format needs a bool, got 1)"},
		"number for %s":           {"%s", []any{int64(-5)}, "-5"},
		"width of a number":       {"%6s|%-6[1]v|", []any{int64(-5)}, "    -5|-5    |"},
		"zeros of %s":             {"%05s", []any{int64(-5)}, "-0005"},
		"zeros of %v":             {"%07v", []any{-1.25}, "-001.25"},
		"large number":            {"%25v", []any{1e21}, "   1000000000000000000000"},
		"sign of %s":              {"%+s", []any{int64(5)}, "+5"},
		"plus of %v":              {"%+v", []any{int64(5)}, "5"},
		"sign of %d":              {"%+d", []any{int64(5)}, "+5"},
		"space of %d":             {"% d", []any{int64(5)}, " 5"},
		"text cut by %s":          {"%.2s", []any{"größer"}, "gr"},
		"number cut by %s":        {"%.2s", []any{1.25}, "1."},
		"integer cut by %s":       {"%.2s", []any{int64(12345)}, "12"},
		"precision of %v":         {"%.2v", []any{1.25}, "1.2"},
		"integer with precision":  {"%.3v", []any{int64(7)}, "007"},
		"text cut by %v":          {"%.3v", []any{"abcdef"}, "abc"},
		"bool with width":         {"%6v|%-6[1]t|", []any{true}, "  true|true  |"},
		"dot alone":               {"%.f", []any{2.5}, "2"},
		"exponent":                {"%E", []any{int64(12500)}, "1.250000E+04"},
		"hexadecimal":             {"%x %[1]X %#[1]x", []any{int64(-255)}, "-ff -FF -0xff"},
		"hexadecimal text":        {"%x|% [1]X", []any{"az"}, "617a|61 7A"},
		"octal and binary":        {"%o %#[1]o %[1]O %[1]b", []any{int64(8)}, "10 010 0o10 1000"},
		"character":               {"%c %[1]U %#[1]U", []any{int64(0x263a)}, "☺ U+263A U+263A '☺'"},
		"no character":            {"%c", []any{int64(0xd800)}, "(%c at position 0 of the format needs the code of a character, got 55296)"},
		"beyond characters":       {"%c", []any{int64(1 << 40)}, "(needs the code of a character"},
		"quoted":                  {"%q %+[1]q %#[1]q", []any{"ü\n"}, `"ü\n" "\u00fc\n" "ü\n"`},
		"text with a verb":        {"%s", []any{"%!d(string=x)"}, "%!d(string=x)"},
		"wide":                    {"%1024d", []any{int64(1)}, strings.Repeat(" ", 1023) + "1"},
		"long text":               {"%s", []any{strings.Repeat("x", transforms.MaxText)}, strings.Repeat("x", transforms.MaxText)},
		"too long":                {"-%s", []any{strings.Repeat("x", transforms.MaxText)}, "(a text would be longer than 1 MiB (1048576 bytes)"},
		"too long with width":     {"%9s", []any{strings.Repeat("x", transforms.MaxText+1)}, "(a text would be longer than 1 MiB"},
		"too long in an array":    {"%s", []any{[]any{strings.Repeat("x", transforms.MaxText)}}, "(a text would be longer than 1 MiB"},
		"too long in quotes":      {"%q", []any{strings.Repeat("\x01", transforms.MaxText/2)}, "(a text would be longer than 1 MiB"},
		"too long by padding":     {"%1024s", []any{make1000()}, "(a text would be longer than 1 MiB"},
		"too long of many values": {strings.Repeat("%[1]s", 11), []any{strings.Repeat("x", 100_000)}, "(a text would be longer than 1 MiB"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			f, errs := transforms.CompileFormat(field.NewPath("f"), c.format, len(c.values))
			if len(errs) > 0 {
				t.Fatal(errs.ToAggregate())
			}
			got, err := f.Apply(c.values, nil)
			problem, wantErr := strings.CutPrefix(c.want, "(")
			switch {
			case wantErr && (err == nil || !strings.Contains("("+err.Error()+")", strings.TrimSuffix(problem, ")"))):
				t.Errorf("got %q and error %v, want error %s", got, err, problem)
			case wantErr:
			case err != nil:
				t.Error(err)
			case got != c.want:
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// make1000 returns more values than fit 1 MiB when each has 1024 characters.
func make1000() []any {
	values := make([]any, 1030)
	for i := range values {
		values[i] = "x"
	}
	return values
}

func TestFormatWantsItsValues(t *testing.T) {
	f, errs := transforms.CompileFormat(field.NewPath("f"), "%s%s", 2)
	if len(errs) > 0 {
		t.Fatal(errs.ToAggregate())
	}
	if got, err := f.Apply([]any{"x"}, nil); err == nil {
		t.Errorf("got %q, want an error", got)
	}
}

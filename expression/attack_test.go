package expression

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Bounds of an expression that means harm. They are some times what it takes on
// a free machine, as tests run beside others.
const (
	maxTime   = 5 * time.Second
	maxMemory = 80 << 20 // all that is allocated, most of which is garbage at once
)

// huge are values of about 4 MB, of each kind.
func huge() values {
	numbers, texts, object := make([]any, 400_000), make([]any, 100_000), map[string]any{}
	for i := range numbers {
		numbers[i] = int64(i)
	}
	for i := range texts {
		texts[i] = fmt.Sprintf("text %d", i)
	}
	for i := range 50_000 {
		object[fmt.Sprintf("key-%d", i)] = map[string]any{"a": int64(i)}
	}
	reads := 0
	return values{
		"xr": counted{map[string]any{
			"text": strings.Repeat("a", 4<<20), "numbers": numbers, "texts": texts, "object": object, "n": int64(1 << 40),
			"half": strings.Repeat("a", 1<<20), "page": strings.Repeat("b", 4<<10),
		}, &reads},
		"environment": map[string]any{
			"text": strings.Repeat("a", 4<<20), "numbers": append([]any{}, numbers...), "object": object,
		},
	}
}

func TestAttacks(t *testing.T) {
	doubling := "[xr.page]" + strings.Repeat(".map(a, a + a)", 40) + " == []"
	lists := "[[1, 1]]" + strings.Repeat(".map(a, a + a)", 40) + " == []"
	shared := "[[1]]" + strings.Repeat(".map(a, [a, a])", 40)
	for _, text := range []string{
		`lists.range(xr.n).size() > 1`,
		strings.Repeat(`[1, 2].all(a, `, 40) + `xr.n > 0` + strings.Repeat(`)`, 40),
		strings.Repeat(`xr.texts.all(a, `, 40) + `xr.n > 0` + strings.Repeat(`)`, 40),
		`lists.range(1000000000).size() > 1`,
		`xr.numbers.all(a, xr.numbers.all(b, a == b || true))`,
		`xr.object.all(k, v, xr.object.all(l, w, v == w || true))`,
		`xr.texts.map(a, xr.texts.map(b, a + b)).size() > 0`,
		doubling, lists, shared + " == []", shared + " == " + shared, "type(" + shared + ".flatten()) == list",
		`"%s".format([` + shared + `]) == ""`, shared + `.distinct() == []`, `sets.contains(` + shared + `, ` + shared + `)`,
		`xr.text.replace("", xr.text) == ""`,
		`xr.text.replace("a", xr.half) == ""`,
		`xr.text.replace("a", xr.half, 3) == ""`,
		`xr.texts.join(xr.text) == ""`,
		`xr.text.split("").size() > 0`,
		`xr.text.split("a").size() > 0`,
		`xr.text.indexOf(xr.half + "b") > 0`,
		`xr.text.lastIndexOf("b" + xr.half) > 0`,
		`"%.1000000000f".format([1.0]) == ""`,
		`"%1000000000d".format([1]) == ""`,
		`("%s" + xr.text).format([xr.text]) == ""`,
		`"%s%s%s%s".format([xr, xr, xr, xr]) == ""`,
		`xr.text.matches("(((a*)*)*)*b")`,
		`xr.text.matches("(a{1,500}){1,500}")`,
		`xr.page.matches(lists.range(100).map(a, "(x{1000})").join("|"))`,
		`xr.texts.all(a, a.matches("(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[0-9]"))`,
		`xr.texts.all(a, "x".matches(a + "{1,900}") || true)`,
		`xr.page.matches(xr.text)`,
		`xr.numbers.sort() == []`, `xr.texts.sort() == []`, `xr.numbers.sortBy(a, -a) == []`,
		`xr.numbers.distinct() == []`, `xr.texts.distinct() == []`,
		`sets.contains(xr.numbers, environment.numbers)`, `sets.equivalent(xr.numbers, xr.texts)`, `sets.intersects(xr.numbers, xr.texts)`,
		`xr.numbers.all(a, -1 in xr.numbers || true)`,
		`xr.numbers.all(a, xr.text == environment.text)`,
		`xr.numbers.all(a, xr.text < environment.text || true)`,
		`xr.numbers.all(a, size(xr.text) > 0)`,
		`xr.numbers.all(a, xr.text.contains("b") || true)`,
		`xr.numbers.all(a, xr.text.lowerAscii() != "")`,
		`xr.numbers.all(a, xr.text.charAt(3) != "")`,
		`xr.numbers.all(a, xr[?xr.text].hasValue() || true)`,
		`xr.numbers.all(a, xr.text in xr.object || true)`,
		`xr.numbers.all(a, xr.object == environment.object)`,
		`xr.numbers.all(a, (xr.numbers + xr.numbers).size() > 0)`,
		`xr.numbers.all(a, xr.numbers.reverse().size() > 0)`,
		`xr.numbers.all(a, xr.numbers.slice(1, 300000).size() > 0)`,
		`xr.numbers.all(a, timestamp("2020-01-01T00:00:00Z").getHours("Europe/Vienna") > -1)`,
		`xr.numbers.all(a, timestamp("2020-01-01T00:00:00Z").getHours(string(a)) > -1 || true)`,
		`xr.numbers.all(a, string(bytes(xr.text)) != "")`,
		`xr.numbers.all(a, base64.encode(bytes(xr.text)) != "")`,
		`xr.numbers.all(a, strings.quote(xr.text) != "")`,
		`xr.numbers.all(a, int(xr.text) > 0 || true)`,
		`xr.numbers.all(a, double(xr.text) > 0.0 || true)`,
		`xr.numbers.all(a, duration(xr.text) > duration("1s") || true)`,
		`xr.numbers.all(a, timestamp(xr.text) > timestamp("2020-01-01T00:00:00Z") || true)`,
		`xr.numbers.all(a, math.greatest(xr.numbers) > 0)`,
		`xr.numbers.all(a, xr.missing.that == 1 || true)`,
		`xr.object.transformMap(k, v, xr.object).transformMap(k, v, v == xr.object).size() > 0`,
		`xr.object.transformMapEntry(k, v, xr.object) == {}`,
		`xr.numbers.map(a, {a: a}).size() > 0 && xr.numbers.map(a, {"b": {a: a}, "c": {a: a}}).size() > 0`,
		`xr.numbers.transformMap(i, v, [v, v, v, v]).size() > 0`,
		`xr == environment || environment == xr`,
		strings.Repeat(`xr.numbers.distinct() == [] || `, 150) + `false`,
		strings.Repeat(`xr.text.replace("a", "bc") == "" || `, 150) + `false`,
		strings.Repeat(`xr.text.upperAscii() == "" || `, 150) + `false`,
		"[" + strings.Repeat(`xr.text + xr.page, `, 150) + `"a"] == []`,
		"[" + strings.Repeat(`xr.texts + xr.texts, `, 150) + `[]] == []`,
		"[" + strings.Repeat(`xr.text.split("a"), `, 150) + `[]] == []`,
	} {
		attack(t, text, func() {
			e, err := Compile(text, Scope{}, Bool)
			if err == nil {
				data := huge()
				runtime.GC()
				measure(t, text, func() { _, err = e.Bool(data, nil) })
			}
			if testing.Verbose() {
				t.Logf("%v", err)
			}
		})
	}
}

// attack measures what compiling takes, besides what is measured in it.
func attack(t *testing.T, text string, run func()) {
	t.Helper()
	if len(text) > 100 {
		text = text[:100] + "…"
	}
	t.Run(text, func(*testing.T) { run() })
}

func measure(t *testing.T, text string, run func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	run()
	took := time.Since(start)
	runtime.ReadMemStats(&after)
	memory := after.TotalAlloc - before.TotalAlloc
	if took > maxTime || memory > maxMemory {
		t.Errorf("%.100s: took %s and %d MB", text, took, memory>>20)
	}
	if testing.Verbose() && (took > 50*time.Millisecond || memory > 30<<20) {
		fmt.Printf("SLOW %.100s: took %s and %d MB\n", text, took, memory>>20)
	}
}

func TestAttacksOnCompile(t *testing.T) {
	for name, text := range map[string]string{
		"brackets":     strings.Repeat("(", 8000) + "true" + strings.Repeat(")", 8000),
		"open":         strings.Repeat("(", 16000),
		"lists":        strings.Repeat("[", 8000),
		"some lists":   strings.Repeat("[", 49) + strings.Repeat("]", 49),
		"maps":         strings.Repeat("{1:", 49) + "1" + strings.Repeat("}", 49),
		"nots":         strings.Repeat("!", 16000) + "true",
		"minus":        strings.Repeat("-", 16000) + "1",
		"choices":      strings.Repeat("true ? ", 2000),
		"choices two":  strings.Repeat("true ? true : ", 1000) + "true",
		"sum":          "1" + strings.Repeat("+1", 8000) + " == 1",
		"and":          "true" + strings.Repeat(" && true", 2000),
		"select":       "xr" + strings.Repeat(".a", 8000),
		"macros":       "xr" + strings.Repeat(".a.map(a,a)", 1400),
		"nested":       strings.Repeat("[1].all(a, ", 48) + "true" + strings.Repeat(")", 48),
		"optMap":       strings.Repeat("optional.of(1).optMap(a, ", 48) + "a" + strings.Repeat(")", 48),
		"optMap chain": "optional.of(1)" + strings.Repeat(".optMap(a, a)", 20) + ".hasValue()",
		"optMap long":  "optional.of(1)" + strings.Repeat(".optMap(a, a)", 1000) + ".hasValue()",
		"sortBy chain": "[1]" + strings.Repeat(".sortBy(a, a)", 1000) + " == []",
		"unknown":      strings.Repeat("foo + ", 2000) + "foo",
		"strings":      `"` + strings.Repeat(`\u0041`, 2000) + `" == ""`,
		"junk":         strings.Repeat("#", 16000),
		"quotes":       strings.Repeat(`"`, 16001),
		"has":          strings.Repeat("has(", 49) + "a.b" + strings.Repeat(")", 49),
		"ids":          strings.Repeat("a.", 8000) + "a",
		"too long":     strings.Repeat(" ", maxText) + "true",
		"regexps":      strings.Repeat(`"a".matches("(\\pL{1,30}){30}") && `, 450) + "true",
		"many regexps": strings.Repeat(`"a".matches("x{999}") && `, 600) + "true",
		"generics":     strings.Repeat("[1].map(a, [a]) + ", 500) + "[] == []",
		"ranges":       strings.Repeat("lists.range(90000).size() > 0 && ", 450) + "true",
		"equals":       strings.Repeat("1==1&&", 2600) + "true",
		"sizes":        strings.Repeat("size([])==0&&", 1200) + "true",
		"indexes":      strings.Repeat("[1][0]==1&&", 1200) + "true",
		"optionals":    strings.Repeat("optional.of(1)==optional.of(1)||", 500) + "true",
		"in":           strings.Repeat("1 in[1]||", 1700) + "true",
		"filters":      strings.Repeat("[1].map(a,a)==[1]||", 800) + "true",
		"filters few":  strings.Repeat("[1].map(a,a)==[1]||", 180) + "true",
		"in few":       strings.Repeat("1 in[1]||", 450) + "true",
		"commas":       "[" + strings.Repeat("1,", 8000) + "1] == []",
		"arrows":       strings.Repeat("a?b:", 4000),
		"less":         "1" + strings.Repeat("<1", 8000),
		"opt":          "xr" + strings.Repeat("[?0]", 4000),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Compile("true", Scope{}, Bool); err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			var err error
			measure(t, name, func() { _, err = Compile(text, Scope{}, Bool) })
			if err != nil && (len(err.Error()) > 1000 || strings.Contains(err.Error(), "\n")) {
				t.Errorf("not a line: %v", err)
			}
			if testing.Verbose() {
				t.Logf("%v", err)
			}
		})
	}
}

func TestLimitIsAnError(t *testing.T) {
	e := mustCompile(t, `xr.numbers.all(a, xr.numbers.all(b, a == b || true))`, Scope{}, Bool)
	if _, err := e.Bool(huge(), nil); !errors.Is(err, errLimit) {
		t.Errorf("got %v", err)
	}
	_, err := Compile(`lists.range(1000000000).size() > 0`, Scope{}, Bool)
	if !errors.Is(err, errLimit) {
		t.Errorf("got %v", err)
	}
}

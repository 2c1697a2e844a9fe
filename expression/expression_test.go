package expression

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
)

// sample has a value of each kind for each variable.
func sample() values {
	spec := map[string]any{
		"size": "large", "n": int64(3), "f": 1.5, "b": true, "nul": nil, "a-b": "dash", "secret": "hush",
		"list": []any{"a", "b"}, "nodes": []any{map[string]any{"size": int64(1)}},
		"m": map[string]any{"x": int64(1), "y": int64(2)},
	}
	reads := 0
	return values{
		"xr":          counted{map[string]any{"spec": spec, "kind": "X"}, &reads},
		"composed":    map[string]any{"vpc": map[string]any{}},
		"environment": map[string]any{"n": int64(3)}, "required": map[string]any{},
		"observed": map[string]any{"composite": map[string]any{"resource": map[string]any{"spec": spec}}},
		"context":  map[string]any{"n": int64(3), "l": []any{int64(3)}}, "desired": map[string]any{},
		"item": "x", "key": "k", "index": int64(2),
		"self": map[string]any{"status": map[string]any{"conditions": []any{
			map[string]any{"type": "Ready", "status": "False"},
		}}},
	}
}

// cases are expressions with what they come to, or the error of running them.
var cases = map[string]string{
	`xr.spec.size == "large"`:                         "true",
	`xr.spec.size == "large" && has(composed.vpc)`:    "true",
	`xr.spec["size"] != 'large'`:                      "false",
	"xr.spec.`a-b` == 'dash'":                         "true",
	`xr.spec.nul == null && has(xr.spec.nul)`:         "true",
	`!has(xr.spec.network) && !has(xr.spec.size.foo)`: "true",

	// Numbers, which compare across their types.
	`xr.spec.n == 3.0 && xr.spec.f > 1 && xr.spec.n < 3.5 && 3u == xr.spec.n`:           "true",
	`type(xr.spec.n) == int && type(xr.spec.f) == double && type(environment.n) == int`: "true",
	`type(context.n) == double && type(context.l[0]) == double && context.l == [3]`:     "true",
	`type(observed.composite.resource.spec.n) == double`:                                "true",
	`type(observed.composite.resource.spec.nodes[0].size) == double`:                    "true",
	`observed.composite.resource.spec.m.all(k, v, type(v) == double)`:                   "true",
	`xr.spec.list[1.0] == "b" && xr.spec.list[context.n == 3 ? 0 : 1] == "a"`:           "true",

	// Objects are maps, arrays are lists.
	`type(xr.spec.m) == map && type(xr.spec.list) == list && type(dyn(xr)) == map`:        "true",
	`"x" in xr.spec.m && !("z" in xr.spec.m) && "vpc" in composed`:                        "true",
	`size(xr.spec.m) == 2 && xr.spec.list.size() == 2`:                                    "true",
	`xr.spec.m == {"y": 2, "x": 1} && {"x": 1.0, "y": 2u} == xr.spec.m`:                   "true",
	`xr.spec.m != {"x": 1} && xr.spec != xr.spec.m && composed.vpc == {}`:                 "true",
	`xr.spec.m.all(k, k in ["x", "y"]) && xr.spec.m.exists(k, k == "y")`:                  "true",
	`xr.spec.m.map(k, k) == ["x", "y"] && xr.spec.m.filter(k, xr.spec.m[k] > 1) == ["y"]`: "true",
	`xr.spec.m.all(k, v, v > 0) && xr.spec.m.existsOne(k, v, v == 2)`:                     "true",
	`xr.spec.m.transformMap(k, v, v + 1) == {"x": 2, "y": 3}`:                             "true",
	`xr.spec.list.transformList(i, v, string(i) + v) == ["0a", "1b"]`:                     "true",
	`xr.spec.list.transformMapEntry(i, v, {v: i}) == {"a": 0, "b": 1}`:                    "true",
	`xr.spec.list + ["c"] == ["a", "b", "c"] && ["c"] + xr.spec.list == ["c", "a", "b"]`:  "true",
	`{"b": 1, "a": 2}.map(k, k) == ["a", "b"]`:                                            "true",
	`[1, 2].map(xr, xr + 1) == [2, 3]`:                                                    "true",
	`self == {}`:                                                                          "false",
	`item == "x" && key == "k" && index == 2`:                                             "true",

	// Optional values.
	`xr.spec.?network.?size.orValue(0) > 3`:                                    "false",
	`xr.?spec.size.orValue("") == "large" && xr[?"spec"].?list[?7].hasValue()`: "false",
	`xr.?spec.?size.?foo.hasValue() || has(xr.?spec.network)`:                  "false",
	`xr.?spec.n.optMap(n, n + 1).value() == 4`:                                 "true",
	`optional.of([]).optMap(v, v + [1] + v).value() == [1]`:                    "true",
	`optional.none().or(xr.?kind).orValue("") == "X"`:                          "true",
	`[?xr.?none, ?xr.?kind] == ["X"] && {?"a": xr.?none, "b": 1} == {"b": 1}`:  "true",

	`optional.ofNonZeroValue(composed.vpc).hasValue() || !optional.ofNonZeroValue(xr.spec.list).hasValue()`: "false",

	// The libraries.
	`["b", "a"].sort() == ["a", "b"] && xr.spec.list.sortBy(x, x)[0] == "a" && [1, 1, 2].distinct() == [1, 2]`: "true",
	`sets.contains(xr.spec.list, ["a"]) && !sets.intersects([1], [2]) && sets.equivalent([1, 1], [1])`:         "true",
	`math.greatest(1, xr.spec.n) == 3 && "%s-%d".format([xr.spec.size, xr.spec.n]) == "large-3"`:               "true",
	`base64.encode(b"a") == "YQ==" && xr.spec.list.join(",") == "a,b" && "a,b".split(",") == xr.spec.list`:     "true",
	`xr.spec.size.matches("^l.*e$") && xr.spec.size.matches(xr.spec.size)`:                                     "true",
	`timestamp("2020-01-01T00:00:00Z") + duration("1h") == timestamp("2020-01-01T01:00:00Z")`:                  "true",

	// A term that fails does not matter if another one decides.
	`xr.no.such == 1 || true`:       "true",
	`[xr.kind, 1].exists(x, x > 0)`: "true",
	`false && xr.no.such == 1`:      "false",
	`xr.no.such == 1 || false`:      `xr has no field "no"; where it may be missing write xr.?no.?such.orValue(0)`,

	// What is missing.
	`xr.spec.network.size > 3`:         `xr.spec has no field "network"; where it may be missing write xr.?spec.?network.?size.orValue(0)`,
	`xr.spec.nope`:                     `xr.spec has no field "nope"; where it may be missing write xr.?spec.?nope.orValue(false)`,
	`!xr.spec.nope`:                    `xr.spec has no field "nope"; where it may be missing write xr.?spec.?nope.orValue(false)`,
	`xr.spec.nope == "a"`:              `xr.spec has no field "nope"; where it may be missing write xr.?spec.?nope.orValue("")`,
	`xr.spec.nope.startsWith("a")`:     `xr.spec has no field "nope"; where it may be missing write xr.?spec.?nope.orValue("")`,
	`xr.spec.nope in ["a"]`:            `xr.spec has no field "nope"; where it may be missing write xr.?spec.?nope.orValue(...)`,
	`xr.spec.nope.all(x, x == 1)`:      `xr.spec has no field "nope"; where it may be missing write xr.?spec.?nope.orValue([])`,
	`xr.spec.nodes.all(n, n.foo == 1)`: `n has no field "foo"; where it may be missing write n.?foo.orValue(0)`,
	"xr.spec.`a-c` == 'dash'":          `xr.spec has no field "a-c"; where it may be missing write xr.?spec[?"a-c"].orValue("")`,
	`has(xr.spec.network.size)`:        `xr.spec has no field "network"; where it may be missing write has(xr.?spec.?network.size)`,
	`composed.db.ready`:                `composed has no field "db"; where it may be missing write composed.?db.?ready.orValue(false)`,
	`xr.spec.list[5] == "a"`:           `xr.spec.list has no element 5, it has 2 elements; where it may be missing write xr.?spec.?list[?5].orValue("")`,
	`xr.spec.list[xr.spec.n] == "a"`:   `xr.spec.list has no such element, got 3; where it may be missing write xr.?spec.?list[?xr.spec.n].orValue("")`,
	`xr.spec.m[xr.spec.secret] == 1`:   `xr.spec.m has no such key, got "hush"; where it may be missing write xr.?spec.?m[?xr.spec.secret].orValue(0)`,
	`xr.spec.nul.foo == 1`:             `xr.spec.nul is null and has no field "foo"`,
	`xr.spec.list.foo == 1`:            `xr.spec.list is a list and has no field "foo"`,
	`xr.spec.secret.foo == 1`:          `xr.spec.secret is a string and has no field "foo"`,
	`xr.spec.secret[0] == 1`:           `xr.spec.secret is a string and has no element 0`,
	`xr.spec.n[xr.spec.n] == 1`:        `xr.spec.n is an int, and an int finds nothing in that`,
	`optional.none().value() == 1`:     `optional.none(): there is no value`,
	`dyn(1).orValue(2) == 2`:           `dyn() is no optional value, write .? before what may be missing`,

	`xr.spec.n.foo.bar == 1`:         `xr.spec.n is an int and has no field "foo"`,
	`xr.spec.m[xr.spec.n] == 1`:      `xr.spec.m has no such key, got 3; where it may be missing write xr.?spec.?m[?xr.spec.n].orValue(0)`,
	`xr.spec.b ? xr.nope : true`:     `xr has no field "nope"; where it may be missing write xr.?nope.orValue(false)`,
	`xr.no.such ? true : false`:      `xr has no field "no"; where it may be missing write xr.?no.?such.orValue(false)`,
	`has(xr.spec.list.foo)`:          `xr.spec.list is a list and has no field "foo"`,
	`xr.spec.list[xr.spec.m] == "a"`: `xr.spec.list has nothing at a map`,
	`xr.spec.list[[1]] == "a"`:       `compile: in [...] there must be a string, a number or a bool`,

	// What cannot be suggested as it would be written.
	`(xr.spec.b ? xr.spec : xr).nope == 1`:            `the value has no field "nope"; write ? before what may be missing`,
	`[xr.spec][0].nope == 1`:                          `the list[0] has no field "nope"; write ? before what may be missing`,
	`xr.spec.list[size(xr.spec.list)] == "a" && true`: `xr.spec.list has no such element, got 2; write ? before what may be missing`,

	// Parts of paths and loops that are values of other parts.
	`true && xr.spec.list[?size(xr.spec.list)].hasValue() || xr.spec.m[?1].hasValue()`:               "false",
	`{1: 2}.exists(k, v, k == 1 && v == 2) && xr.spec.list[{"a": 1}.a] == "b"`:                       "true",
	`[xr].exists(x, x.kind == "X") && [1].map(x, .xr.kind) == ["X"] && (true ? xr : xr).kind == "X"`: "true",
	`optional.of([]).optMap(v, v + [1]).optMap(v, v + v).value() == [1, 1]`:                          "true",
	`xr.spec.list.map(x, xr.spec.list.map(y, x + y)).flatten() == ["aa", "ab", "ba", "bb"]`:          "true",

	// Values of the wrong kind.
	`xr.spec.size > 3`:          `xr.spec.size: a string cannot be compared with > to an int`,
	`xr.?spec.?n > 3`:           `compile: an optional value cannot be compared with > to an int; of an optional value get the value with .orValue(...) (column 13)`,
	`xr.spec.size + 1 == 2`:     `xr.spec.size: + is not possible for a string and an int`,
	`xr.spec.n.startsWith("a")`: `xr.spec.n: startsWith() is not possible for an int and a string`,
	`1 in xr.spec.n`:            `xr.spec.n: an int cannot be in an int`,
	`xr.spec.n && true`:         `xr.spec.n must be a bool, is an int`,
	`xr.spec.n ? true : false`:  `xr.spec.n must be a bool, is an int`,
	`xr.spec.n.all(x, true)`:    `xr.spec.n is an int, which has no elements`,
	`{xr.spec.m: 1} == {}`:      `a map cannot be the key of a map`,
	`{b"a": 1} == {}`:           `bytes cannot be the key of a map`,
	`[?xr.spec.n] == []`:        `an int is no optional value, which must follow a ?`,
	`{?"a": xr.spec.n} == {}`:   `an int is no optional value, which must follow a ?`,
	`xr.spec.size`:              `must come to a bool, got "large"`,
	`xr.spec.m`:                 `must come to a bool, came to a map`,
	`xr.spec.n / 0 == 1`:        `xr.spec.n: division by zero`,
	`1 % 0 == 1`:                `division by zero`,
	`int(xr.spec.secret) == 1`:  `xr.spec.secret: int() is not possible for this value, got "hush", type conversion error from 'string' to 'int'`,
	`timestamp(xr.spec.secret) == timestamp("2020-01-01T00:00:00Z")`: `xr.spec.secret: timestamp() is not possible for this value, got "hush", invalid RFC 3339 timestamp "hush"`,
	`xr.spec.secret.substring(9) == ""`:                              `xr.spec.secret: substring() is not possible for this value, got "hush", index out of range: 9`,
	`"a".matches(xr.spec.secret + "(")`:                              `the value: matches() is not possible for this value, got "a", missing closing )`,
	`"%d".format([xr.spec.secret]) == ""`:                            `the list: format() is not possible for this value, got "%d", error during formatting: decimal clause can only be used on ints, uints, and doubles, was given string`,

	// What does not compile.
	``:                            `compile: an expression must not be empty`,
	`xrr.spec.size == 1`:          `compile: unknown variable "xrr", did you mean "xr"?`,
	`foobar == 1 || barfoo == 1`:  `compile: unknown variable "foobar"; there are xr, composed, environment, required, context, observed, desired, item, key, index, self; unknown variable "barfoo"`,
	`xr.spec.size.startWith("a")`: `compile: unknown function "startWith", did you mean "startsWith"?`,
	`xr.spec.size ==`:             `compile: the expression ends too early (column 16)`,
	`xr.spec.size = 3`:            `compile: unexpected "=", write == to compare (column 14)`,
	`(xr.spec.size == 3`:          `compile: a ")" is missing (column 19)`,
	`xr.spec.size == 'abc`:        `compile: a string has no end (column 17)`,
	`xr.spec.size == #`:           `compile: unexpected "#" (column 17)`,
	"xr.spec.size ==\n  )":        `compile: unexpected ")" (line 2, column 3)`,
	`1 + 2`:                       `compile: must come to a bool, comes to an int`,
	`xr.?spec.?b`:                 `compile: must come to a bool, comes to an optional value; of an optional value get the value with .orValue(...)`,
	`"a" > 1`:                     `compile: a string cannot be compared with > to an int (column 5)`,
	`"a".startsWith(1)`:           `compile: startsWith() is not possible for a string and an int (column 15)`,
	`xr == "a"`:                   `compile: a map cannot be compared with == to a string (column 4)`,
	`"a".b == 1`:                  `compile: a string has no fields (column 4)`,
	`1.all(x, true)`:              `compile: an int has no elements to go through (column 1)`,
	`composed[0] == 1`:            `compile: a map has nothing at an int (column 9)`,
	`if.x`:                        `compile: the word if is reserved, and cannot be a name (column 1)`,
	`google.protobuf.StringValue{value: "a"} == "a"`: `compile: messages such as google.protobuf.StringValue{...} are not available`,
	`xr.spec.size.matches("(")`:                      `compile: the regular expression "(" is not valid: missing closing )`,
	`lists.range(1000000000).size() > 1`:             `compile: this takes more time or memory than a single expression may use; look at fewer or smaller values`,
}

func TestBool(t *testing.T) {
	for text, want := range cases {
		e, err := Compile(text, Scope{Loop: true, Self: true}, Bool)
		if err != nil {
			if got := "compile: " + err.Error(); got != want {
				t.Errorf("%s\n got: %s\nwant: %s", text, got, want)
			}
			continue
		}
		v, err := e.Bool(sample(), nil)
		got := fmt.Sprint(v)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\n got: %s\nwant: %s", text, got, want)
		}
	}
}

func TestStatus(t *testing.T) {
	for text, want := range map[string]string{
		`true`:          "True",
		`xr.spec.n > 5`: "False",
		`"Unknown"`:     "Unknown",
		`self.status.conditions.filter(c, c.type == "Ready")[0].status`: "False",
		`xr.spec.b ? "True" : "False"`:                                  "True",
		`xr.spec.size`:                                                  `must come to a bool, or to "True", "False" or "Unknown", got "large"`,
		`self.nope`:                                                     `self has no field "nope"; where it may be missing write self.?nope.orValue("Unknown")`,
		`xr.spec.b ? "True" : "Maybe"`:                                  `compile: must come to a bool, or to "True", "False" or "Unknown", comes to "Maybe"`,
		`3`:                                                             `compile: must come to a bool, or to "True", "False" or "Unknown", comes to an int`,
	} {
		e, err := Compile(text, Scope{Self: true}, Status)
		var got string
		if err != nil {
			got = "compile: " + err.Error()
		} else if got, err = e.Status(sample(), nil); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s\n got: %s\nwant: %s", text, got, want)
		}
	}
}

func TestScope(t *testing.T) {
	for text, want := range map[string]string{
		`item == 1`:       "item exists only in a resource with forEach",
		`key == "a"`:      "key exists only in a resource with forEach",
		`index > 1`:       "index exists only in a resource with forEach",
		`self.ready == 1`: "self exists only in readiness checks",
	} {
		if _, err := Compile(text, Scope{}, Bool); err == nil || err.Error() != want {
			t.Errorf("%s: %v", text, err)
		}
		if _, err := Compile(text, Scope{Loop: true, Self: true}, Bool); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestReferences(t *testing.T) {
	e := mustCompile(t, `composed.a == 1 && composed["b"].c && has(composed.d) && "e" in composed && composed.?f.hasValue() &&
		composed[?"g"].hasValue() && [1].all(composed, composed == 1) && composed[xr.name].x && type(1) == int && composed.a`, Scope{}, Bool)
	if got := e.Members("composed"); !slices.Equal(got, []string{"a", "b", "d", "e", "f", "g"}) {
		t.Errorf("members: %v", got)
	}
	if !e.Uses("composed") || !e.Uses("xr") || e.Uses("observed") || e.Uses("int") || e.Members("observed") != nil {
		t.Errorf("uses: %v", e.uses)
	}
	if e := mustCompile(t, `[1].all(xr, xr == 1)`, Scope{}, Bool); e.Uses("xr") {
		t.Error("xr is hidden")
	}
}

// The interpreter of cel-go alone comes to an optional value here.
func TestHasInAChoice(t *testing.T) {
	e := mustCompile(t, `xr.spec.b ? has(xr.?nope.foo) : true`, Scope{}, Bool)
	if ok, err := e.Bool(sample(), nil); ok || err != nil {
		t.Errorf("got %v, %v", ok, err)
	}
}

// All evaluations of a request share its budget.
func TestBudget(t *testing.T) {
	e := mustCompile(t, `lists.range(xr.spec.n * 10000).all(i, i >= 0)`, Scope{}, Bool)
	b := fieldpath.NewBudget(5 << 20)
	var err error
	runs := 0
	for ; err == nil && runs < 100; runs++ {
		_, err = e.Bool(sample(), b)
	}
	var over *fieldpath.BudgetError
	if !errors.As(err, &over) || runs < 2 {
		t.Errorf("got %v after %d", err, runs)
	}
}

// Nothing of a value is in the text of an error once it is hidden.
func TestHide(t *testing.T) {
	for text, want := range cases {
		if !strings.Contains(want, "hush") {
			continue
		}
		_, err := mustCompile(t, text, Scope{}, Bool).Bool(sample(), nil)
		var value *fieldpath.ValueError
		if !errors.As(err, &value) {
			t.Errorf("%s: no value: %v", text, err)
			continue
		}
		value.Hide = true
		if strings.Contains(err.Error(), "hush") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func TestReadsNoMoreThanNamed(t *testing.T) {
	reads := 0
	data := values{"xr": counted{sample()["xr"].(counted).object, &reads}}
	if _, err := mustCompile(t, `xr.spec.size == "large" || composed.never`, Scope{}, Bool).Bool(data, nil); err != nil || reads != 2 {
		t.Errorf("%d reads, %v", reads, err)
	}
	reads = 0
	loop := `[1, 2, 3, 4].all(i, xr.spec.m.x == 1 && xr.spec.m.y == 2)`
	if _, err := mustCompile(t, loop, Scope{}, Bool).Bool(data, nil); err != nil || reads != 4 {
		t.Errorf("%d reads in a loop, %v", reads, err)
	}
}

type broken struct{}

var errBroken = errors.New("broken")

func (broken) Variable(string) (any, error)    { return broken{}, nil }
func (broken) Field(string) (any, bool, error) { return nil, false, errBroken }
func (broken) Keys() ([]string, error)         { return nil, errBroken }

func TestErrorsOfObjects(t *testing.T) {
	for _, text := range []string{
		`xr.a == 1`, `has(xr.a)`, `"a" in xr`, `xr.?a.orValue(1) == 1`, `xr == {"a": 1}`, `xr.all(k, true)`, `{"a": 1} == xr`,
		`size(xr) == 1`, `[1].all(x, xr.a == x)`,
	} {
		if v, err := mustCompile(t, text, Scope{}, Bool).Bool(broken{}, nil); !errors.Is(err, errBroken) {
			t.Errorf("%s: %v, %v", text, v, err)
		}
	}
}

type panics struct{}

func (panics) Variable(string) (any, error) { panic("a secret") }

func TestPanicIsAnError(t *testing.T) {
	_, err := mustCompile(t, `xr.a == 1`, Scope{}, Bool).Bool(panics{}, nil)
	if err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("got %v", err)
	}
}

func TestConcurrent(t *testing.T) {
	var all sync.WaitGroup
	for text, want := range cases {
		e, err := Compile(text, Scope{Loop: true, Self: true}, Bool)
		if err != nil {
			continue
		}
		for range 4 {
			all.Go(func() {
				if v, err := e.Bool(sample(), nil); err == nil && fmt.Sprint(v) != want {
					t.Errorf("%s: %v", text, v)
				}
			})
		}
		all.Go(func() {
			if _, err := Compile(text, Scope{Loop: true, Self: true}, Status); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
	all.Wait()
}

func TestMissingError(t *testing.T) {
	for text, want := range map[string]bool{
		`xr.spec.nope == 1`:            true,
		`xr.spec.list[7] == "a"`:       true,
		`composed[xr.spec.size].x`:     true,
		`[1].all(x, xr.nope.x == x)`:   true,
		`xr.spec.size > 3`:             false,
		`xr.spec.size.foo`:             false,
		`int(xr.spec.size) == 1`:       false,
		`xr.spec.size.matches("^l.*")`: false,
	} {
		_, err := mustCompile(t, text, Scope{}, Bool).Bool(sample(), nil)
		var missing *MissingError
		if errors.As(err, &missing) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

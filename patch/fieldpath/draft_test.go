package fieldpath

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// plain parses JSON into a plain value.
func plain(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return whole64(v)
}

func whole64(v any) any {
	switch v := v.(type) {
	case float64:
		if v == float64(int64(v)) {
			return int64(v)
		}
	case []any:
		for i := range v {
			v[i] = whole64(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = whole64(v[k])
		}
	}
	return v
}

func path(t *testing.T, text string) Path {
	t.Helper()
	p, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestGet(t *testing.T) {
	const doc = `{"s":"x","n":null,"o":{"a":1,"b":{"c":2}},"l":[{"v":1,"w":[1,2]},{"w":[3]},{"v":null}],"e":[],"m":{"y":{"k":2},"x":{"k":1}}}`
	cases := map[string]struct {
		want   string // JSON, or absent, or the start of an error
		absent bool
		err    string
	}{
		"s":              {want: `"x"`},
		"o.b.c":          {want: `2`},
		"n":              {want: `null`},
		"n.x":            {absent: true},
		"missing":        {absent: true},
		"missing.a[0]":   {absent: true},
		"l[7]":           {absent: true},
		"l[0].v":         {want: `1`},
		"l[2].v":         {want: `null`},
		"l[*].v":         {want: `[1,null]`},
		"l[*].w[*]":      {want: `[1,2,3]`},
		"l[*].w":         {want: `[[1,2],[3]]`},
		"m[*].k":         {want: `[1,2]`},
		"e[*]":           {want: `[]`},
		"missing[*].a":   {absent: true},
		"n[*]":           {absent: true},
		"s.x":            {err: "s: not an object but a string"},
		"o[0]":           {err: "o: not an array but an object"},
		"l.v":            {err: "l: not an object but an array"},
		"s[*]":           {err: "s: not an array or object but a string"},
		"o[*].c":         {err: "o[*]: not an object but a number"},
		"l[0].w[0].deep": {err: "l[0].w[0]: not an object but a number"},
	}
	opened := NewDraft(Freeze(plain(t, doc)), nil, nil)
	// Writing what is there already opens objects and arrays without a change.
	for _, s := range []string{"o.b.c", "l[0].v", "l[1].w[0]", "m.x.k"} {
		v, _, err := opened.Get(path(t, s))
		if err != nil {
			t.Fatal(err)
		}
		if err := opened.Set(path(t, s), v); err != nil {
			t.Fatal(err)
		}
	}
	readers := map[string]Reader{
		"value":  Value{plain(t, doc)},
		"draft":  NewDraft(Freeze(plain(t, doc)), nil, nil),
		"opened": opened,
	}
	for text, want := range cases {
		for name, r := range readers {
			v, found, err := r.Get(path(t, text))
			if err != nil || want.err != "" {
				if want.err == "" || err == nil || err.Error() != want.err {
					t.Errorf("%s of %s: error %v, want %q", text, name, err, want.err)
				}
				continue
			}
			if found == want.absent {
				t.Errorf("%s of %s: found %v", text, name, found)
				continue
			}
			if found {
				if diff := cmp.Diff(plain(t, want.want), v); diff != "" {
					t.Errorf("%s of %s: -want +got\n%s", text, name, diff)
				}
			}
		}
	}
}

func TestSet(t *testing.T) {
	cases := []struct{ base, path, value, want, err string }{
		{`{}`, "a.b", `1`, `{"a":{"b":1}}`, ""},
		{`{"a":{"x":0}}`, "a.b", `1`, `{"a":{"x":0,"b":1}}`, ""},
		{`{"a":null}`, "a.b", `1`, `{"a":{"b":1}}`, ""},
		{`{}`, "l[2].x", `1`, `{"l":[null,null,{"x":1}]}`, ""},
		{`{"l":[1]}`, "l[1]", `2`, `{"l":[1,2]}`, ""},
		{`{"l":[{"x":1},{"x":2}]}`, "l[*].x", `3`, `{"l":[{"x":3},{"x":3}]}`, ""},
		{`{"l":[{"a":1},null]}`, "l[*].x", `3`, `{"l":[{"a":1,"x":3},{"x":3}]}`, ""},
		{`{"o":{"a":{},"b":{"x":1}}}`, "o[*].x", `3`, `{"o":{"a":{"x":3},"b":{"x":3}}}`, ""},
		{`{"l":[]}`, "l[*].x", `3`, `{"l":[]}`, ""},
		{`{"l":[[{"p":1}],[]]}`, "l[*][*].p", `3`, `{"l":[[{"p":3}],[]]}`, ""},
		{`{"a":1}`, "a", `{"b":[1]}`, `{"a":{"b":[1]}}`, ""},
		{`{}`, "l[*].x", `3`, "", "l: no such field; a wildcard needs an array or object there"},
		{`{"l":"s"}`, "l[*].x", `3`, "", "l: not an array or object but a string"},
		{`{"a":"s"}`, "a.b", `3`, "", "a: not an object but a string"},
		{`{"a":{}}`, "a[0]", `3`, "", "a: not an array but an object"},
		{`{}`, "a[1025]", `3`, "", "index 1025 is greater than the largest allowed, 1024"},
		{`{}`, "a[1024][1024][*].x", `3`, "", "a[1024][1024]: no such field; a wildcard needs an array or object there"},
	}
	for _, c := range cases {
		base := Freeze(plain(t, c.base))
		d := NewDraft(base, nil, nil)
		err := d.Set(path(t, c.path), plain(t, c.value))
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("set %s in %s: error %v, want %q", c.path, c.base, err, c.err)
			}
			continue
		}
		if err != nil {
			t.Errorf("set %s in %s: %v", c.path, c.base, err)
			continue
		}
		if diff := cmp.Diff(plain(t, c.want), d.Value()); diff != "" {
			t.Errorf("set %s in %s: -want +got\n%s", c.path, c.base, diff)
		}
		if diff := cmp.Diff(plain(t, c.base), base.Value); diff != "" {
			t.Errorf("set %s changed the base it shares: -want +got\n%s", c.path, diff)
		}
	}
}

func TestWritingBelowAWrittenValueLeavesThatValueAlone(t *testing.T) {
	shared := plain(t, `{"x":{"y":[1]}}`)
	d := NewDraft(nil, nil, nil)
	for _, p := range []string{"a", "b"} {
		if err := d.Set(path(t, p), shared); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Set(path(t, "a.x.y[0]"), "new"); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain(t, `{"a":{"x":{"y":["new"]}},"b":{"x":{"y":[1]}}}`), d.Value()); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

func TestDelete(t *testing.T) {
	const base = `{"a":{"b":1,"c":null},"l":[1,2,3],"m":[{"x":1,"y":{"z":2}},null,{"y":{}}],"o":{"p":{"x":1},"q":{}},"n":null,"s":"x"}`
	cases := map[string]struct{ key, want, err string }{
		"a.b":         {key: "a", want: `{"c":null}`},
		"a.c":         {key: "a", want: `{"b":1}`},
		"l[1]":        {key: "l", want: `[1,3]`},
		"l[*]":        {key: "l", want: `[]`},
		"m[*].x":      {key: "m", want: `[{"y":{"z":2}},null,{"y":{}}]`},
		"m[*].y.z":    {key: "m", want: `[{"x":1,"y":{}},null,{"y":{}}]`},
		"m[1]":        {key: "m", want: `[{"x":1,"y":{"z":2}},{"y":{}}]`},
		"m[0].y":      {key: "m", want: `[{"x":1},null,{"y":{}}]`},
		"m[x=1]":      {key: "m", want: `[null,{"y":{}}]`},
		"m[x=1].y.z":  {key: "m", want: `[{"x":1,"y":{}},null,{"y":{}}]`},
		"o[*]":        {key: "o", want: `{}`},
		"o[*].x":      {key: "o", want: `{"p":{},"q":{}}`},
		"o[p=1]":      {},
		"a.missing":   {},
		"a.c.d.e":     {},
		"l[9]":        {},
		"l[2000]":     {},
		"m[7].x.y":    {},
		"m[x=2]":      {},
		"m[x=2].y":    {},
		"m[*].none.z": {},
		"o[*].none.z": {},
		"n[*].x":      {},
		"n[0]":        {},
		"n[a=b].x":    {},
		"none[*].x":   {},
		"none[a=b].x": {},
		"none[2].x":   {},
		"s.x":         {err: "s: not an object but a string"},
		"s[0]":        {err: "s: not an array but a string"},
		"s[*]":        {err: "s: not an array or object but a string"},
		"s[a=b]":      {err: "s: not an array or object but a string"},
		"l.x":         {err: "l: not an object but an array"},
		"a[0]":        {err: "a: not an array but an object"},
		"l[*].x":      {err: "l[*]: not an object but a number"},
	}
	for text, c := range cases {
		want, _ := plain(t, base).(map[string]any)
		if c.key != "" {
			want[c.key] = plain(t, c.want)
		}
		for _, open := range []bool{false, true} {
			frozen := Freeze(plain(t, base))
			d := NewDraft(frozen, NewBudget(1000), nil)
			if open {
				openAll(&d.root)
			}
			problem := ""
			if err := d.Delete(path(t, text)); err != nil {
				problem = err.Error()
			}
			if problem != c.err {
				t.Errorf("delete %s: error %q, want %q", text, problem, c.err)
			}
			if diff := cmp.Diff(want, d.Value()); diff != "" {
				t.Errorf("delete %s: -want +got\n%s", text, diff)
			}
			if diff := cmp.Diff(plain(t, base), frozen.Value); diff != "" {
				t.Errorf("delete %s changed the base it shares: -want +got\n%s", text, diff)
			}
		}
	}
}

func TestDeleteFromNothing(t *testing.T) {
	d := NewDraft(nil, nil, nil)
	if err := d.Delete(path(t, "a[*].b")); err != nil || !d.IsEmpty() {
		t.Errorf("%v, %v", d.Value(), err)
	}
}

func TestMerge(t *testing.T) {
	keep, force := MergeOptions{}, MergeOptions{Force: true}
	keepAppend, forceAppend := MergeOptions{Append: true}, MergeOptions{Force: true, Append: true}
	cases := []struct {
		name         string
		o            MergeOptions
		there, value string
		want         string
	}{
		{"what is there stays", keep, `{"a":1,"o":{"x":1}}`, `{"a":2,"b":3,"o":{"x":2,"y":3}}`, `{"a":1,"b":3,"o":{"x":1,"y":3}}`},
		{"what is new wins", force, `{"a":1,"o":{"x":1,"z":1}}`, `{"a":2,"o":{"x":2}}`, `{"a":2,"o":{"x":2,"z":1}}`},
		{"empty values give way", keep, `{"a":"","b":0,"c":false,"d":[],"e":{},"f":null}`, `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`, `{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1}`},
		{"a null adds nothing", keep, `{"a":1}`, `{"a":null,"b":null}`, `{"a":1}`},
		{"a null wins by force", force, `{"a":1}`, `{"a":null,"b":null}`, `{"a":null,"b":null}`},
		{"a null replaces the whole", keep, `{"a":1}`, `null`, `null`},
		{"arrays are kept", keep, `{"l":[1]}`, `{"l":[2]}`, `{"l":[1]}`},
		{"arrays are replaced", force, `{"l":[1]}`, `{"l":[2]}`, `{"l":[2]}`},
		{"an array at the path appends what is new", keepAppend, `[1,{"a":1}]`, `[2,1,{"a":1},2,"1"]`, `[1,{"a":1},2,2,"1"]`},
		{"also by force", forceAppend, `[1,[2]]`, `[[2],3]`, `[1,[2],3]`},
		{"an array below appends all", forceAppend, `{"l":[1]}`, `{"l":[1,2]}`, `{"l":[1,1,2]}`},
		{"another kind stays", keep, `"text"`, `{"a":1}`, `"text"`},
		{"another kind is replaced by force", force, `"text"`, `{"a":1}`, `{"a":1}`},
		{"an array is no object", keepAppend, `{"a":1}`, `[1]`, `{"a":1}`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := NewDraft(Freeze(map[string]any{"at": plain(t, c.there)}), nil, nil)
			if err := d.Merge(path(t, "at"), plain(t, c.value), c.o); err != nil {
				t.Fatal(err)
			}
			v, _, err := d.Get(path(t, "at"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(plain(t, c.want), v); diff != "" {
				t.Errorf("-want +got\n%s", diff)
			}
		})
	}
}

func TestABudgetBoundsWhatIsWritten(t *testing.T) {
	long := make([]any, 1000)
	d := NewDraft(Freeze(map[string]any{"l": []any{}}), NewBudget(10_000), nil)
	var err error
	writes := 0
	for ; err == nil && writes < 1000; writes++ {
		err = d.Merge(path(t, "l"), append([]any{int64(writes)}, long...), MergeOptions{Append: true, Force: true})
	}
	var be *BudgetError
	if !errors.As(err, &be) || writes > 10 {
		t.Errorf("after %d writes: %v", writes, err)
	}
}

func TestPreviewIsBounded(t *testing.T) {
	cases := map[string]string{
		`"x"`:                                 `"x"`,
		`{"b":[1,null],"a":2}`:                `{"a":2,"b":[1,null]}`,
		`1.5`:                                 `1.5`,
		`"` + strings.Repeat("ä", 5000) + `"`: `"` + strings.Repeat("ä", 29) + "…",
	}
	for in, want := range cases {
		if got := Preview(plain(t, in)); got != want {
			t.Errorf("Preview(%.40s) = %s, want %s", in, got, want)
		}
	}
}

package fieldpath

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseItems(t *testing.T) {
	item := func(key, text string, literal any, written, field string) Segment {
		return Segment{Kind: Item, Field: field, Match: &Match{Key: key, Text: text, Literal: literal, Written: written}}
	}
	cases := map[string]Segment{
		"[name=web]":          item("name", "web", nil, "name=web", "name=web"),
		"[name='a]b']":        item("name", "a]b", nil, "name='a]b'", "name='a]b"),
		`[name="it's"]`:       item("name", "it's", nil, `name="it's"`, `name="it's`),
		"[name='it's']":       item("name", "it's", nil, "name='it's'", "name='it's"),
		"[name='']":           item("name", "", nil, "name=''", "name="),
		"[example.org/a=b=c]": item("example.org/a", "b=c", nil, "example.org/a=b=c", "example.org/a=b=c"),
		"[port=8080]":         item("port", "8080", int64(8080), "port=8080", "port=8080"),
		"[port=-1]":           item("port", "-1", int64(-1), "port=-1", "port=-1"),
		"[port='8080']":       item("port", "8080", nil, "port='8080'", "port='8080"),
		"[on=true]":           item("on", "true", true, "on=true", "on=true"),
		"[version=1.5]":       item("version", "1.5", nil, "version=1.5", "version=1.5"),
		"[version=007]":       item("version", "007", nil, "version=007", "version=007"),
		"[name=$key]":         item("name", "$key", nil, "name=$key", "name=$key"),

		// These are the fields that they have always been.
		"[a=]":       {Field: "a="},
		"[=a]":       {Field: "=a"},
		"['=a]":      {Field: "=a"},
		`["a=b]`:     {Field: "a=b"},
		"[a='b]":     {Field: "a='b"},
		"['a=b']":    {Field: "a=b"},
		`["a"=b"]`:   {Field: `a"=b`},
		"['a'='b']":  {Field: "a'='b"},
		"['a=b]c']":  {Field: "a=b]c"},
		"a=b":        {Field: "a=b"},
		"['a=b].c']": {Field: "a=b].c"},
	}
	for text, want := range cases {
		p, err := Parse(text)
		if err != nil {
			t.Errorf("Parse(%q): %v", text, err)
			continue
		}
		if diff := cmp.Diff([]Segment{want}, p.Segments()); diff != "" {
			t.Errorf("Parse(%q): -want +got\n%s", text, diff)
		}
	}
	for _, text := range []string{"[a=b", "[a=b[0]]", "[a='b'", "a[b=c]]"} {
		if p, err := Parse(text); err == nil {
			t.Errorf("Parse(%q) = %v", text, p.Segments())
		}
	}
}

func TestGetItems(t *testing.T) {
	const doc = `{
		"env": [1, null, {"value":0}, {"name":["A"]}, {"name":"A","value":1}, {"name":"A","value":2}, {"name":"B","value":null}],
		"ports": [{"port":"80","n":1}, {"port":80,"n":2}, {"port":443,"n":3}, {"on":"true","n":4}, {"on":true,"n":5}, {"off":false,"n":6}],
		"o": {"a=b":1, "a='b":2}, "s": "x", "n": null,
		"c": [{"env":[{"name":"A","value":3}]}, {"env":[{"name":"B"}]}, {}, {"env":[{"name":"A","value":4}]}]}`
	cases := map[string]struct {
		want string // JSON, empty if it is absent
		err  string
	}{
		"env[name=A].value":     {want: `1`},
		"env[name=A]":           {want: `{"name":"A","value":1}`},
		"env[name=B].value":     {want: `null`},
		"env[name=C].value":     {},
		"env[value=0]":          {want: `{"value":0}`},
		"env[name=A].value.x":   {err: "env[name=A].value: not an object but a number"},
		"ports[port=80].n":      {want: `1`},
		"ports[port='80'].n":    {want: `1`},
		"ports[port=443].n":     {want: `3`},
		"ports[port='443'].n":   {},
		"ports[on=true].n":      {want: `4`},
		"ports[off=false].n":    {want: `6`},
		"o[a=b]":                {want: `1`},
		"o[a='b']":              {want: `2`},
		"o[a=c]":                {},
		"n[a=b]":                {},
		"missing[a=b].c":        {},
		"s[a=b]":                {err: "s: not an array or object but a string"},
		"env.name":              {err: "env: not an object but an array"},
		"c[*].env[name=A]":      {want: `[{"name":"A","value":3},{"name":"A","value":4}]`},
		"c[*].env[name=A].name": {want: `["A","A"]`},
		"c[*].env[name=C].name": {want: `[]`},
	}
	opened := NewDraft(Freeze(plain(t, doc)), nil, nil)
	openAll(&opened.root)
	readers := map[string]Reader{
		"value": Value{plain(t, doc)}, "draft": NewDraft(Freeze(plain(t, doc)), nil, nil), "opened": opened,
	}
	for text, want := range cases {
		for name, r := range readers {
			v, found, err := r.Get(path(t, text))
			switch {
			case err != nil || want.err != "":
				if want.err == "" || err == nil || err.Error() != want.err {
					t.Errorf("%s of %s: error %v, want %q", text, name, err, want.err)
				}
			case found != (want.want != ""):
				t.Errorf("%s of %s: found %v", text, name, found)
			case found:
				if diff := cmp.Diff(plain(t, want.want), v); diff != "" {
					t.Errorf("%s of %s: -want +got\n%s", text, name, diff)
				}
			}
		}
	}
}

// openAll opens all that is in a node, as writing to it does.
func openAll(n *node) {
	switch n.kind() {
	case "object":
		n.openObject(nil)
		for _, k := range n.keys() {
			openAll(n.field(nil, k))
		}
	case "array":
		n.openArray(nil)
		for i := range n.open.items {
			openAll(&n.open.items[i])
		}
	}
}

func TestSetItems(t *testing.T) {
	cases := []struct{ base, path, value, want, err string }{
		{`{"l":[{"n":"a","x":1},{"n":"b"}]}`, "l[n=b].x", `2`, `{"l":[{"n":"a","x":1},{"n":"b","x":2}]}`, ""},
		{`{"l":[{"n":"a"},{"n":"a"}]}`, "l[n=a].x", `2`, `{"l":[{"n":"a","x":2},{"n":"a"}]}`, ""},
		{`{"l":[null,7,{"n":"a"}]}`, "l[n=b].x.y", `2`, `{"l":[null,7,{"n":"a"},{"n":"b","x":{"y":2}}]}`, ""},
		{`{}`, "l[n=a].x", `2`, `{"l":[{"n":"a","x":2}]}`, ""},
		{`{"l":null}`, "l[n=a].x", `2`, `{"l":[{"n":"a","x":2}]}`, ""},
		{`{"l":[]}`, "l[n=a].m[k=1].x", `2`, `{"l":[{"n":"a","m":[{"k":1,"x":2}]}]}`, ""},
		{`{"l":{"n=a":1}}`, "l[n=a]", `2`, `{"l":{"n=a":2}}`, ""},
		{`{"l":{}}`, "l[n='a'].x", `2`, `{"l":{"n='a":{"x":2}}}`, ""},
		{`{"l":"s"}`, "l[n=a].x", `2`, ``, "l: not an array or object but a string"},
		{`{"l":[{"n":"a","x":1}]}`, "l[n=a].x.y", `2`, ``, "l[n=a].x: not an object but a number"},
		{`{"l":[{"m":[{"n":"a"}]},{"m":[]},{}]}`, "l[*].m[n=a].x", `2`,
			`{"l":[{"m":[{"n":"a","x":2}]},{"m":[{"n":"a","x":2}]},{"m":[{"n":"a","x":2}]}]}`, ""},

		// The value a new item is known by.
		{`{}`, "l[n=80].x", `2`, `{"l":[{"n":80,"x":2}]}`, ""},
		{`{}`, "l[n='80'].x", `2`, `{"l":[{"n":"80","x":2}]}`, ""},
		{`{}`, "l[n=true].x", `2`, `{"l":[{"n":true,"x":2}]}`, ""},
		{`{}`, "l[n=1.5].x", `2`, `{"l":[{"n":"1.5","x":2}]}`, ""},
		{`{"l":[{"n":"a"}]}`, "l[n=80].x", `2`, `{"l":[{"n":"a"},{"n":"80","x":2}]}`, ""},
		{`{"l":[{},{"n":null},{"n":1},{"n":"a"}]}`, "l[n=80].x", `2`, `{"l":[{},{"n":null},{"n":1},{"n":"a"},{"n":80,"x":2}]}`, ""},

		// An item as a whole.
		{`{"l":[{"n":"a","x":1}]}`, "l[n=a]", `{"y":2}`, `{"l":[{"n":"a","y":2}]}`, ""},
		{`{"l":[{"n":80,"x":1}]}`, "l[n=80]", `{"y":2}`, `{"l":[{"n":80,"y":2}]}`, ""},
		{`{"l":[{"n":"a","x":1}]}`, "l[n=a]", `{"n":"b"}`, `{"l":[{"n":"b"}]}`, ""},
		{`{"l":[{"n":"a","x":1}]}`, "l[n=a]", `7`, `{"l":[7]}`, ""},
		{`{}`, "l[n=a]", `{"y":2}`, `{"l":[{"n":"a","y":2}]}`, ""},
	}
	for _, c := range cases {
		for _, open := range []bool{false, true} {
			base := Freeze(plain(t, c.base))
			d := NewDraft(base, nil, &Memory{})
			if open {
				openAll(&d.root)
			}
			value := plain(t, c.value)
			err := d.Set(path(t, c.path), value)
			if c.err != "" {
				if err == nil || err.Error() != c.err {
					t.Errorf("set %s in %s: error %v, want %q", c.path, c.base, err, c.err)
				}
				continue
			}
			if err != nil {
				t.Errorf("set %s in %s: %v", c.path, c.base, err)
			}
			if diff := cmp.Diff(plain(t, c.want), d.Value()); diff != "" {
				t.Errorf("set %s in %s: -want +got\n%s", c.path, c.base, diff)
			}
			if diff := cmp.Diff(plain(t, c.base), base.Value); diff != "" {
				t.Errorf("set %s changed the base it shares: -want +got\n%s", c.path, diff)
			}
			if diff := cmp.Diff(plain(t, c.value), value); diff != "" {
				t.Errorf("set %s changed the value: -want +got\n%s", c.path, diff)
			}
		}
	}
}

func TestMergeItems(t *testing.T) {
	cases := []struct {
		base, path, value string
		o                 MergeOptions
		want              string
	}{
		{`{"l":[{"n":"a","x":1}]}`, "l[n=a]", `{"x":2,"y":2}`, MergeOptions{}, `{"l":[{"n":"a","x":1,"y":2}]}`},
		{`{"l":[{"n":"a","x":1}]}`, "l[n=a]", `{"x":2,"y":2}`, MergeOptions{Force: true}, `{"l":[{"n":"a","x":2,"y":2}]}`},
		{`{"l":[{"n":"a","x":1}]}`, "l[n=b]", `{"x":2}`, MergeOptions{}, `{"l":[{"n":"a","x":1},{"n":"b","x":2}]}`},
		{`{"l":[{"n":"a","x":[1]}]}`, "l[n=a].x", `[2]`, MergeOptions{Append: true}, `{"l":[{"n":"a","x":[1,2]}]}`},
	}
	for _, c := range cases {
		d := NewDraft(Freeze(plain(t, c.base)), nil, nil)
		if err := d.Merge(path(t, c.path), plain(t, c.value), c.o); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(plain(t, c.want), d.Value()); diff != "" {
			t.Errorf("merge %s: -want +got\n%s", c.path, diff)
		}
	}
}

func TestABudgetBoundsItems(t *testing.T) {
	d := NewDraft(nil, NewBudget(1<<20), nil)
	l := path(t, "l[n=$index].x")
	for i := range 10_000 {
		err := d.Set(l.Bind("", i), true)
		if err == nil {
			continue
		}
		var be *BudgetError
		if !errors.As(err, &be) {
			t.Fatal(err)
		}
		if i < 1000 || i > 2000 {
			t.Errorf("after %d items: %v", i, err)
		}
		return
	}
	t.Error("all items were written")
}

func TestBind(t *testing.T) {
	cases := []struct{ path, key, want string }{
		{"a.b[0][*][c=d]", "k", "a.b[0][*][c=d]"},
		{"a[$key].b", "k", "a.k.b"},
		{"a.$key.b", "k", "a.k.b"},
		{"a[$key].b", "x.y", "a[x.y].b"},
		{"a[$key].b", "x.y=z", "a['x.y=z'].b"},
		{"a[$key].b", "0", "a['0'].b"},
		{"a[$key].b", "*", "a['*'].b"},
		{"a[$key].b", "", "a[''].b"},
		{"a[$index].b", "k", "a[7].b"},
		{"a[name=$key].b", "k", "a[name=k].b"},
		{"a[name='$key'].b", "k", "a[name=k].b"},
		{"a[name=$key].b", "80", "a[name='80'].b"},
		{"a[name=$key].b", "true", "a[name='true'].b"},
		{"a[name=$key].b", "", "a[name=''].b"},
		{"a[name=$key].b", "x.y=z", "a[name=x.y=z].b"},
		{"a[name=$key].b", "x]", "a[name='x]'].b"},
		{"a[name=$key].b", "x']", `a[name="x']"].b`},
		{"a[name=$key].b", "$key", "a[name='$key'].b"},
		{"a[name=$index].b", "k", "a[name=7].b"},
		{"a[name='$index'].b", "k", "a[name='7'].b"},
		{"a[$key][$index][x-$key][name=x$key]", "k", "a.k[7].x-$key[name=x$key]"},
	}
	for _, c := range cases {
		p := path(t, c.path)
		bound := p.Bind(c.key, 7)
		if bound.String() != c.want {
			t.Errorf("%s bound to %q is %s, want %s", p, c.key, bound, c.want)
		}
		if p.HasPlaceholder() != (c.path != c.want) {
			t.Errorf("%s has a placeholder: %v", p, p.HasPlaceholder())
		}
		if p.String() != c.path {
			t.Errorf("binding %s changed it to %s", c.path, p)
		}
		again, err := Parse(bound.String())
		if c.key == "" {
			continue // An empty field name has no form that parses.
		}
		if err != nil {
			t.Errorf("%s: %v", bound, err)
		}
		if diff := cmp.Diff(bound.Segments(), again.Segments()); diff != "" {
			t.Errorf("%s: -want +got\n%s", bound, diff)
		}
	}
}

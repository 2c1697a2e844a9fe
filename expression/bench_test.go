package expression

import "testing"

// small is an xr of which objects are decoded as they are read.
type small struct{ fields }

func (s small) Variable(string) (any, error) { return Object(s), nil }

func (s small) Field(key string) (any, bool, error) {
	v, found := s.fields[key]
	return v, found, nil
}

func BenchmarkBool(b *testing.B) {
	spec := fields{"size": "large", "count": int64(3), "zones": []any{"a", "b", "c"}}
	xr := small{fields{"spec": Object(spec), "vpc": Object(spec)}}
	for name, text := range map[string]string{
		"equal":    `xr.spec.size == "large"`,
		"both":     `xr.spec.size == "large" && has(composed.vpc)`,
		"optional": `xr.?spec.?network.?size.orValue(0) > 3`,
		"number":   `xr.spec.count >= 3`,
		"exists":   `xr.spec.zones.exists(z, z == "c")`,
		"matches":  `xr.spec.size.matches("^l.*e$")`,
	} {
		b.Run(name, func(b *testing.B) {
			e := mustCompile(b, text, Scope{}, Bool)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Bool(xr, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkCompile(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		mustCompile(b, `xr.spec.size == "large" && has(composed.vpc)`, Scope{}, Bool)
	}
}

package main

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var measured = row{
	shape: "typical", concurrency: 8, requestBytes: 51_200, ratio: 0.125,
	function: result{
		figures: figures{rate: 1234.5, p50: 2500 * time.Microsecond, p99: 12 * time.Millisecond, cpu: 500 * time.Microsecond},
		peak:    31 << 20, responseBytes: 10_240,
	},
	echo: result{figures: figures{rate: 200, p50: 10 * time.Millisecond, p99: 100 * time.Millisecond, cpu: 4 * time.Millisecond}, responseBytes: 100},
}

func TestTables(t *testing.T) {
	grown := measured
	grown.shape, grown.function.cpu = "much", 8*time.Millisecond
	cases := map[string]struct {
		table    table
		markdown bool
		want     string
	}{
		"load as text": {loadTable([]row{measured}), false, `
Load

scenario  at a time    server  requests/s  p50 ms  p99 ms  CPU ms  CPU of echo  peak MiB  request KiB  response KiB
typical           8  function        1234    2.50    12.0   0.500        0.12×      31.0         50.0          10.0
typical           8      echo         200    10.0     100    4.00            -         -         50.0         0.098
`},
		"start as Markdown": {startTable([]start{{name: "function", took: 21 * time.Millisecond, slowest: 30 * time.Millisecond, idleBytes: 15 << 20}}), true, `
Start:

| server | first answer ms | slowest ms | idle MiB |
| --- | ---: | ---: | ---: |
| function | 21.0 | 30.0 | 15.0 |
`},
		"growth as text": {growthTable(measured, grown), false, `
Growth

server    typical, CPU ms  much, CPU ms  factor
function            0.500          8.00  16.00×
echo                 4.00          4.00   1.00×
`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			c.table.print(&out, c.markdown)
			if diff := cmp.Diff(c.want, out.String()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

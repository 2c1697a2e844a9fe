package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// table is printed as plain text or as Markdown.
type table struct {
	title string
	head  []string
	rows  [][]string
}

// print writes the table, with the numbers at the right.
func (t table) print(w io.Writer, markdown bool) {
	if markdown {
		_, _ = fmt.Fprintf(w, "\n%s:\n\n| %s |\n| --- |%s\n", t.title, strings.Join(t.head, " | "), strings.Repeat(" ---: |", len(t.head)-1))
		for _, row := range t.rows {
			_, _ = fmt.Fprintf(w, "| %s |\n", strings.Join(row, " | "))
		}
		return
	}
	widths := t.widths()
	_, _ = fmt.Fprintf(w, "\n%s\n\n", t.title)
	for _, row := range append([][]string{t.head}, t.rows...) {
		line := fmt.Sprintf("%-*s", widths[0], row[0])
		for i, cell := range row[1:] {
			line += fmt.Sprintf("  %*s", widths[i+1], cell)
		}
		_, _ = fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
}

func (t table) widths() []int {
	out := make([]int, len(t.head))
	for _, row := range append([][]string{t.head}, t.rows...) {
		for i, cell := range row {
			out[i] = max(out[i], utf8.RuneCountInString(cell))
		}
	}
	return out
}

// loadTable shows both sides of each row, and the ratio with the server.
func loadTable(rows []row) table {
	t := table{
		title: "Load",
		head: []string{"scenario", "at a time", "server", "requests/s", "p50 ms", "p99 ms", "CPU ms", "CPU of echo",
			"peak MiB", "request KiB", "response KiB"},
	}
	for _, r := range rows {
		t.rows = append(t.rows, r.cells("function", r.function, r.ratio))
		t.rows = append(t.rows, r.cells("echo", r.echo, 0))
	}
	return t
}

func (r row) cells(name string, of result, ratio float64) []string {
	return []string{
		r.shape, strconv.Itoa(r.concurrency), name, digits(of.rate), milliseconds(of.p50), milliseconds(of.p99), milliseconds(of.cpu),
		times(ratio), mebibytes(of.peak), kibibytes(r.requestBytes), kibibytes(of.responseBytes),
	}
}

func startTable(starts []start) table {
	t := table{title: "Start", head: []string{"server", "first answer ms", "slowest ms", "idle MiB"}}
	for _, s := range starts {
		t.rows = append(t.rows, []string{s.name, milliseconds(s.took), milliseconds(s.slowest), mebibytes(s.idleBytes)})
	}
	return t
}

// growthTable shows how the CPU grows with the number of resources.
func growthTable(few, many row) table {
	grows := func(of func(row) figures) string { return times(of(many).ratio(of(few))) }
	function, echo := func(r row) figures { return r.function.figures }, func(r row) figures { return r.echo.figures }
	return table{
		title: "Growth",
		head:  []string{"server", few.shape + ", CPU ms", many.shape + ", CPU ms", "factor"},
		rows: [][]string{
			{"function", milliseconds(function(few).cpu), milliseconds(function(many).cpu), grows(function)},
			{"echo", milliseconds(echo(few).cpu), milliseconds(echo(many).cpu), grows(echo)},
		},
	}
}

// none is shown for what is not known.
const none = "-"

func milliseconds(d time.Duration) string { return digits(float64(d) / float64(time.Millisecond)) }

func mebibytes(n int64) string { return digits(float64(n) / (1 << 20)) }

func kibibytes(n int) string { return digits(float64(n) / (1 << 10)) }

// digits shows three digits, and all of those before the point.
func digits(v float64) string {
	switch {
	case v == 0:
		return none
	case v < 1:
		return strconv.FormatFloat(v, 'f', 3, 64)
	case v < 10:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case v < 100:
		return strconv.FormatFloat(v, 'f', 1, 64)
	default:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
}

func times(factor float64) string {
	if factor == 0 {
		return none
	}
	return strconv.FormatFloat(factor, 'f', 2, 64) + "×"
}

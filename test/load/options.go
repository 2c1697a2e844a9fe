package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/function-patchwork/function-patchwork/test/load/shapes"
)

// options are what is asked for.
type options struct {
	server      string
	scenarios   []shapes.Shape
	concurrency []int
	rounds      int
	time        time.Duration
	starts      int
	growth      bool
	markdown    bool
}

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("load", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.StringVar(&o.server, "server", "bin/function-patchwork", "the built server")
	scenarios := f.String("scenarios", strings.Join(allNames(), ","), "what to send; empty leaves it out")
	concurrency := f.String("concurrency", "1,8", "how many requests to have under way at a time")
	f.IntVar(&o.rounds, "rounds", 5, "how many turns each server gets; the medians are printed")
	f.DurationVar(&o.time, "time", 5*time.Second, "how long a turn takes")
	f.IntVar(&o.starts, "starts", 10, "how often to start each server, to measure that; 0 leaves it out")
	f.BoolVar(&o.growth, "growth", true, "measure how the CPU grows with the number of resources")
	f.BoolVar(&o.markdown, "markdown", false, "print Markdown")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is no flag", f.Arg(0))
	}
	var err error
	if o.scenarios, err = shapes.Named(split(*scenarios)); err != nil {
		return o, fmt.Errorf("-scenarios: %w", err)
	}
	if o.concurrency, err = numbers(split(*concurrency)); err != nil {
		return o, fmt.Errorf("-concurrency: %w", err)
	}
	return o, o.check()
}

func (o options) check() error {
	switch {
	case len(o.concurrency) == 0:
		return errors.New("-concurrency: at least one number is needed")
	case o.rounds < 1:
		return errors.New("-rounds: at least 1 is needed")
	case o.time <= 0:
		return errors.New("-time: more than 0 is needed")
	case o.starts < 0:
		return errors.New("-starts: cannot be less than 0")
	default:
		return nil
	}
}

func allNames() []string {
	var out []string
	for _, s := range shapes.All() {
		out = append(out, s.Name)
	}
	return out
}

// split returns the items of a list, none for an empty one.
func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

func numbers(list []string) ([]int, error) {
	out := make([]int, len(list))
	for i, text := range list {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q is not a number of at least 1", text)
		}
		out[i] = n
	}
	return out, nil
}

package main

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOptions(t *testing.T) {
	o, err := parse(nil, io.Discard)
	if err != nil || len(o.scenarios) != 7 || !slices.Equal(o.concurrency, []int{1, 8}) || o.rounds != 5 || o.time != 5*time.Second {
		t.Errorf("without flags: %+v, %v", o, err)
	}
	o, err = parse([]string{"-scenarios", "large, small", "-concurrency", "3", "-rounds", "1", "-time", "10ms", "-starts", "0", "-growth=false"}, io.Discard)
	if err != nil || len(o.scenarios) != 2 || o.scenarios[0].Name != "large" || !slices.Equal(o.concurrency, []int{3}) || o.starts != 0 || o.growth {
		t.Errorf("with flags: %+v, %v", o, err)
	}
}

func TestBadOptions(t *testing.T) {
	cases := map[string][]string{
		`-scenarios: "tiny" is no scenario`:    {"-scenarios", "small,tiny"},
		`-concurrency: "0" is not a number`:    {"-concurrency", "1,0"},
		`-concurrency: "x" is not a number`:    {"-concurrency", "x"},
		`-concurrency: at least one`:           {"-concurrency", ""},
		`-rounds: at least 1`:                  {"-rounds", "0"},
		`-time: more than 0`:                   {"-time", "0s"},
		`-starts: cannot be less`:              {"-starts", "-1"},
		`"typical" is no flag`:                 {"typical"},
		`flag provided but not defined: -fast`: {"-fast"},
	}
	for want, args := range cases {
		if _, err := parse(args, io.Discard); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", args, err, want)
		}
	}
}

func TestHelp(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-h"}, io.Discard, &out); err != nil || !strings.Contains(out.String(), "-concurrency") {
		t.Errorf("got %v:\n%s", err, out.String())
	}
}

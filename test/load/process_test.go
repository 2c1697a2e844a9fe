package main

import (
	"os"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	stat := "4711 (a (strange) name) S 1 4711 4711 0 -1 4194560 100 0 0 0 12 34 0 0 20 0 8 0 100 0 0"
	if got, err := parseStat([]byte(stat)); got != 460*time.Millisecond || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
	for _, bad := range []string{"", "1 (x) S 1", "1 (x) S 1 1 1 0 -1 0 0 0 0 0 many 34 0"} {
		if got, err := parseStat([]byte(bad)); err == nil {
			t.Errorf("%q is taken for %s", bad, got)
		}
	}
}

func TestParseStatus(t *testing.T) {
	status := "Name:\tserver\nVmPeak:\t  90000 kB\nVmHWM:\t   20480 kB\nVmRSS:\t   10240 kB\nThreads:\t7\n"
	for key, want := range map[string]int64{"VmHWM": 20 << 20, "VmRSS": 10 << 20} {
		if got, err := parseStatus(status, key); got != want || err != nil {
			t.Errorf("%s: got %d, %v, want %d", key, got, err, want)
		}
	}
	for _, key := range []string{"Vm", "VmSwap", "Threads"} {
		if got, err := parseStatus(status, key); err == nil {
			t.Errorf("%s is taken for %d", key, got)
		}
	}
}

// TestOwnProcess measures this process.
func TestOwnProcess(t *testing.T) {
	cpu, err := cpuOf(os.Getpid())
	now, peak, err2 := memoryOf(os.Getpid())
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if supported && (cpu < 0 || now < 1<<20 || peak < now/2) {
		t.Errorf("used %s, %d bytes now and %d at most", cpu, now, peak)
	}
}

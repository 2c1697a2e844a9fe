package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// supported tells whether the CPU and memory of other processes can be measured.
const supported = runtime.GOOS == "linux"

// tick is the unit of CPU time in /proc, on all platforms that Go has.
const tick = 10 * time.Millisecond

// cpuOf returns the CPU time that a process has used, 0 if that is not supported.
func cpuOf(pid int) (time.Duration, error) {
	if !supported {
		return 0, nil
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	return parseStat(stat)
}

// parseStat returns the time in user and in kernel mode of a /proc/PID/stat.
func parseStat(stat []byte) (time.Duration, error) {
	// The name of the command may hold anything, and ends with the last bracket.
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	const user, kernel = 11, 12
	if len(fields) <= kernel {
		return 0, errors.New("/proc/PID/stat has too few fields")
	}
	inUser, err1 := strconv.ParseInt(fields[user], 10, 64)
	inKernel, err2 := strconv.ParseInt(fields[kernel], 10, 64)
	return time.Duration(inUser+inKernel) * tick, errors.Join(err1, err2)
}

// memoryOf returns how many bytes of a process are resident now, and how many
// were at most, 0 if that is not supported.
func memoryOf(pid int) (now, peak int64, err error) {
	if !supported {
		return 0, 0, nil
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, 0, err
	}
	now, err1 := parseStatus(string(status), "VmRSS")
	peak, err2 := parseStatus(string(status), "VmHWM")
	return now, peak, errors.Join(err1, err2)
}

// parseStatus returns a number of bytes of a /proc/PID/status.
func parseStatus(status, key string) (int64, error) {
	for line := range strings.Lines(status) {
		rest, found := strings.CutPrefix(line, key+":")
		kilobytes, inKB := strings.CutSuffix(strings.TrimSpace(rest), " kB")
		if found && inKB {
			n, err := strconv.ParseInt(kilobytes, 10, 64)
			return n << 10, err
		}
	}
	return 0, fmt.Errorf("/proc/PID/status has no %s", key)
}

package process

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// ChildCPU is the time that a program has spent on processors that this process
// has started in another way than with Start.
func ChildCPU(name string) (time.Duration, error) {
	folders, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		return 0, err
	}
	for _, folder := range folders {
		pid, err := strconv.Atoi(filepath.Base(folder))
		if err != nil {
			return 0, err
		}
		command, err := os.ReadFile(filepath.Join(folder, "comm"))
		if err != nil || strings.TrimSpace(string(command)) != name {
			continue // It may have ended.
		}
		if fields, err := stat(pid); err == nil && fields[ppid] == strconv.Itoa(os.Getpid()) {
			return cpu(pid)
		}
	}
	return 0, fmt.Errorf("%s does not run", name)
}

// PeakMemory is the most memory that the process has had, in bytes.
func (p *Process) PeakMemory() (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID()))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(status), "VmHWM:")
	var kilobytes float64
	if _, err := fmt.Sscan(after, &kilobytes); err != nil {
		return 0, fmt.Errorf("%s does not tell its memory: %w", p.Name, err)
	}
	return kilobytes * 1024, nil
}

// Fields of /proc/PID/stat after the name, which is in parentheses and may have
// spaces, see proc(5).
const ppid, utime, stime = 4 - 3, 14 - 3, 15 - 3

func stat(pid int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return nil, err
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	if len(fields) <= stime {
		return nil, fmt.Errorf("cannot read what the process is like in %q", text)
	}
	return fields, nil
}

func cpu(pid int) (time.Duration, error) {
	fields, err := stat(pid)
	if err != nil {
		return 0, err
	}
	const ticksPerSecond = 100
	var ticks int
	for _, at := range []int{utime, stime} {
		n, err := strconv.Atoi(fields[at])
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / ticksPerSecond, nil
}

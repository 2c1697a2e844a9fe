package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Prepare sets up the sandbox that this process is the first one in, and
// returns a folder, in memory, for what need not outlive it. A process whose
// system refuses that ends, and Run tries without.
func Prepare() (memory string, err error) {
	if !Isolated() {
		// What children leave behind comes to this process, which ends it.
		if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
			return "", err
		}
		return temporary()
	}
	memory, err = isolate()
	if err != nil {
		fmt.Fprintln(os.Stderr, "the namespaces cannot be used:", err)
		os.Exit(refused)
	}
	return memory, nil
}

func temporary() (string, error) {
	const shared = "/dev/shm" // It is in memory.
	if folder, err := os.MkdirTemp(shared, "e2e-"); err == nil {
		return folder, os.Chmod(folder, 0o755) //nolint:gosec // Functions run as other users.
	}
	return os.MkdirTemp("", "e2e-")
}

// isolate sets up the loopback device, /proc, /etc/hosts, and a file system in
// memory.
func isolate() (memory string, err error) {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return "", fmt.Errorf("cannot keep mounts to the sandbox: %w", err)
	}
	if err := unix.Mount("proc", "/proc", "proc", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, ""); err != nil {
		return "", fmt.Errorf("cannot mount /proc: %w", err)
	}
	if err := loopbackUp(); err != nil {
		return "", fmt.Errorf("cannot bring the loopback device up: %w", err)
	}
	memory, err = os.MkdirTemp("", "e2e-")
	if err != nil {
		return "", err
	}
	if err := unix.Mount("e2e", memory, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755"); err != nil {
		return "", errors.Join(fmt.Errorf("cannot mount a file system in memory: %w", err), os.Remove(memory))
	}
	return memory, ownHosts(memory)
}

// Leave ends what was left running, and takes the folder in memory away.
func Leave(memory string) {
	if Isolated() {
		// What runs ends with this process, the first one of the namespace.
		_ = unix.Unmount(memory, unix.MNT_DETACH)
		_ = os.Remove(memory)
		return
	}
	endChildren()
	_ = os.RemoveAll(memory) // There is nothing to be done about what cannot be removed.
}

// endChildren ends all children, and theirs, which come to be this process's.
func endChildren() {
	for {
		children := ownChildren()
		for _, pid := range children {
			_ = unix.Kill(pid, unix.SIGKILL) // It may have ended.
			_, _ = unix.Wait4(pid, nil, 0, nil)
		}
		if len(children) == 0 {
			return
		}
	}
}

// ownChildren are the children of all threads of this process.
func ownChildren() (pids []int) {
	files, err := filepath.Glob("/proc/self/task/*/children")
	if err != nil {
		return nil
	}
	for _, file := range files {
		children, err := os.ReadFile(file)
		if err != nil {
			continue // The thread has ended.
		}
		for child := range strings.FieldsSeq(string(children)) {
			if pid, err := strconv.Atoi(child); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}

func loopbackUp() error {
	socket, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(socket)
	request, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	if err := unix.IoctlIfreq(socket, unix.SIOCGIFFLAGS, request); err != nil {
		return err
	}
	request.SetUint16(request.Uint16() | unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(socket, unix.SIOCSIFFLAGS, request)
}

const hosts = "/etc/hosts"

func ownHosts(memory string) error {
	own := filepath.Join(memory, "hosts")
	if err := os.WriteFile(own, []byte(loopbackHosts), 0o644); err != nil { //nolint:gosec // Others read it.
		return err
	}
	if err := unix.Mount(own, hosts, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("cannot put an own file over %s: %w", hosts, err)
	}
	return nil
}

const loopbackHosts = "127.0.0.1\tlocalhost\n::1\tlocalhost\n"

// Host is an address and a name for it.
type Host struct{ Address, Name string }

// SetHosts makes /etc/hosts name these, besides localhost. Go's resolver reads
// it again within five seconds.
func SetHosts(names []Host) error {
	if !Isolated() {
		return fmt.Errorf("%s is the machine's own", hosts)
	}
	var text strings.Builder
	text.WriteString(loopbackHosts)
	for _, h := range names {
		fmt.Fprintf(&text, "%s\t%s\n", h.Address, h.Name)
	}
	// The file keeps its place, since it is that which is mounted.
	return os.WriteFile(hosts, []byte(text.String()), 0o644) //nolint:gosec // Others read it.
}

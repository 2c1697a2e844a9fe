package sandbox

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"
)

// Prepare sets up the sandbox that this process is the first one in: the
// loopback device, /proc, /etc/hosts, and a file system in memory at the
// returned folder, for what need not outlive the sandbox.
func Prepare() (memory string, err error) {
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
		return "", fmt.Errorf("cannot mount a file system in memory: %w", err)
	}
	return memory, ownHosts(memory)
}

// Leave takes away what Prepare left in the file system outside.
func Leave(memory string) {
	_ = unix.Unmount(memory, unix.MNT_DETACH) // What is left of it ends with the sandbox.
	_ = os.Remove(memory)
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
	if !Inside() {
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

package world

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Dump writes all objects but Secrets, and the events, to the folder of logs.
func (w *World) Dump() error {
	kinds, err := w.Kubectl("api-resources", "--verbs=list", "-o", "name")
	if err != nil {
		return err
	}
	var names []string
	for _, name := range strings.Fields(kinds) {
		if name != "secrets" && !strings.HasPrefix(name, "events") {
			names = append(names, name)
		}
	}
	objects, problem := w.Kubectl("get", strings.Join(names, ","), "-A", "-o", "yaml")
	events, problem2 := w.Kubectl("get", "events", "-A", "--sort-by=.lastTimestamp")
	return errors.Join(problem, problem2,
		os.WriteFile(filepath.Join(w.places.Logs, "objects.yaml"), []byte(objects), 0o600),
		os.WriteFile(filepath.Join(w.places.Logs, "events.txt"), []byte(events), 0o600))
}

// Kubectl runs kubectl, and returns what it prints.
func (w *World) Kubectl(args ...string) (string, error) {
	cmd := exec.Command(filepath.Join(w.places.Bin, "kubectl"), args...) //nolint:noctx // It is quick.
	cmd.Env = append(os.Environ(), "KUBECONFIG="+w.Kubeconfig, "HOME="+w.places.Memory)
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = fmt.Errorf("kubectl %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}

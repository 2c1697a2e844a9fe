package kubelet

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/function-patchwork/function-patchwork/test/e2e/process"
)

// The ports of a function, see Crossplane's function specification.
const (
	grpcPort    = "9443"
	metricsPort = "8080"
)

// Pod is a function's program that runs, chrooted to the files of its image.
type Pod struct {
	*process.Process

	// Name and Address are its own, and stay when it is restarted. Revision tells
	// which template it is from.
	Name, Address, Revision string
	Restarts                int

	labels map[string]string
	root   string
}

// start starts the first container of a pod.
func start(logs, root, name, address string, template *corev1.PodTemplateSpec, img *image, files volumes) (*Pod, error) {
	if err := img.unpack(root); err != nil {
		return nil, err
	}
	if err := files.write(root); err != nil {
		return nil, err
	}
	container := &template.Spec.Containers[0]
	program := append(append([]string{}, img.config.Entrypoint...), img.config.Cmd...)
	if len(container.Args) > 0 {
		program = append(append([]string{}, img.config.Entrypoint...), container.Args...)
	}
	if len(program) == 0 {
		return nil, fmt.Errorf("image %s has no entry point", container.Image)
	}
	// Pods share one network here, and tell each other apart by addresses.
	program = append(program, "--address="+net.JoinHostPort(address, grpcPort))
	if _, ok := img.config.ExposedPorts[metricsPort+"/tcp"]; ok {
		program = append(program, "--metrics-address="+net.JoinHostPort(address, metricsPort))
	}
	cmd := &exec.Cmd{Path: program[0], Args: program, Dir: "/", Env: environment(container, template.Labels, img)}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root, Credential: credential(container)}
	} else {
		withoutChroot(cmd, root, container)
	}
	p, err := process.Start(logs, name, cmd)
	if err != nil {
		return nil, err
	}
	return &Pod{Process: p, Name: name, Address: address, labels: template.Labels, root: root}, nil
}

// withoutChroot makes a command of one that is for a chroot which only root may
// make: its program, and the folders that it is told of, are below the root.
func withoutChroot(cmd *exec.Cmd, root string, container *corev1.Container) {
	cmd.Path = filepath.Join(root, cmd.Path)
	for _, mount := range container.VolumeMounts {
		for i, variable := range cmd.Env {
			if name, value, _ := strings.Cut(variable, "="); value == mount.MountPath {
				cmd.Env[i] = name + "=" + filepath.Join(root, value)
			}
		}
	}
}

func environment(container *corev1.Container, labels map[string]string, img *image) []string {
	env := append([]string{}, img.config.Env...)
	for _, v := range container.Env {
		value := v.Value
		if v.ValueFrom != nil && v.ValueFrom.FieldRef != nil {
			label, _ := strings.CutPrefix(v.ValueFrom.FieldRef.FieldPath, "metadata.labels['")
			value = labels[strings.TrimSuffix(label, "']")]
		}
		env = append(env, v.Name+"="+value)
	}
	return env
}

// credential is that of the user the container runs as, where this process may
// become another user.
func credential(container *corev1.Container) *syscall.Credential {
	mapped, err := os.ReadFile("/proc/self/uid_map")
	only := strings.Fields(string(mapped))
	if err != nil || len(only) == 3 && only[2] == "1" {
		return nil
	}
	c := container.SecurityContext
	if c == nil || c.RunAsUser == nil || c.RunAsGroup == nil {
		return nil
	}
	return &syscall.Credential{Uid: uint32(*c.RunAsUser), Gid: uint32(*c.RunAsGroup)}
}

// ready tells whether the pod takes calls.
func (p *Pod) ready(ctx context.Context) bool {
	if !p.Running() {
		return false
	}
	conn, err := (&net.Dialer{Timeout: time.Second}).DialContext(ctx, "tcp", net.JoinHostPort(p.Address, grpcPort))
	if err != nil {
		return false
	}
	return conn.Close() == nil
}

// remove stops the pod, and removes its files.
func (p *Pod) remove() error {
	if err := p.Stop(); err != nil {
		return err
	}
	return os.RemoveAll(p.root)
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/function-patchwork/function-patchwork/test/e2e/process"
)

// Namespace is the one that Crossplane itself is in.
const Namespace = "crossplane-system"

// clientSecret has the certificate that Crossplane calls functions with.
const clientSecret = "crossplane-tls-client"

// startCore initialises Crossplane and starts it, with more environment.
func startCore(ctx context.Context, kube client.Client, o Options, kubeconfig string, more []string) (*process.Process, error) {
	certs := filepath.Join(o.Memory, "core-tls")
	crds, err := filepath.EvalSymlinks(filepath.Join(o.Bin, "crossplane-crds")) // Links are not followed.
	if err != nil {
		return nil, err
	}
	env := append(append(os.Environ(), more...),
		"KUBECONFIG="+kubeconfig,
		"POD_NAMESPACE="+Namespace,
		"CRDS_PATH="+crds,
		"ENABLE_WEBHOOKS=false",
		"TLS_CA_SECRET_NAME=crossplane-root-ca",
		"TLS_CLIENT_SECRET_NAME="+clientSecret,
		"TLS_SERVER_SECRET_NAME=crossplane-tls-server",
		"TLS_CLIENT_CERTS_DIR="+certs,
		"XPKG_CACHE_DIR="+filepath.Join(o.Memory, "xpkg"),
		"XFN_CACHE_DIR="+filepath.Join(o.Memory, "xfn"),
		"GODEBUG=netdns=go", // The names of functions are in /etc/hosts.
	)
	for _, folder := range []string{"xpkg", "xfn"} {
		if err := os.MkdirAll(filepath.Join(o.Memory, folder), 0o700); err != nil {
			return nil, err
		}
	}
	program := filepath.Join(o.Bin, "crossplane")
	if err := initialise(ctx, o.Logs, func() *exec.Cmd {
		cmd := exec.CommandContext(ctx, program, "core", "init", "--activation=*")
		cmd.Env = env
		return cmd
	}); err != nil {
		return nil, err
	}
	if err := writeSecret(ctx, kube, clientSecret, certs); err != nil {
		return nil, err
	}
	// It starts as who may do everything, and runs as its ServiceAccount.
	limited := filepath.Join(o.Memory, "crossplane-kubeconfig")
	if err := asCrossplane(kubeconfig, limited); err != nil {
		return nil, err
	}
	cmd := exec.Command(program, "core", "start", //nolint:noctx // It is stopped.
		"--package-runtime=Deployment", "--metrics-port=0", "--health-probe-port=0",
		// Tests make in seconds as many changes as teams do in hours, which is not the
		// endless loop that Crossplane would take it for.
		"--circuit-breaker-burst=400")
	cmd.Env = append(env, "KUBECONFIG="+limited)
	return process.Start(o.Logs, "crossplane", cmd)
}

// initialise runs a command until it succeeds: it installs CRDs and then uses
// them, which the API server may not know yet.
func initialise(ctx context.Context, logs string, command func() *exec.Cmd) error {
	var problem error
	for begin := time.Now(); time.Since(begin) < 30*time.Second; {
		p, err := process.Start(logs, "crossplane-init", command())
		if err != nil {
			return err
		}
		<-p.Exited()
		if problem = p.Stopped(); problem == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), problem)
		case <-time.After(200 * time.Millisecond):
		}
	}
	return fmt.Errorf("crossplane core init fails, see crossplane-init.log: %w", problem)
}

func writeSecret(ctx context.Context, kube client.Client, name, folder string) error {
	secret := &corev1.Secret{}
	if err := kube.Get(ctx, types.NamespacedName{Namespace: Namespace, Name: name}, secret); err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	for file, content := range secret.Data {
		if err := os.WriteFile(filepath.Join(folder, file), content, 0o600); err != nil {
			return err
		}
	}
	return nil
}

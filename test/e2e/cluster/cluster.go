// Package cluster runs a Kubernetes control plane and Crossplane in it: etcd,
// a kube-apiserver, Kubernetes' garbage collector, Crossplane core with its
// package manager, a registry on loopback, and a kubelet that runs functions.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/google/go-containerregistry/pkg/registry"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/function-patchwork/function-patchwork/test/e2e/kubelet"
	"github.com/function-patchwork/function-patchwork/test/e2e/process"
	"github.com/function-patchwork/function-patchwork/test/e2e/sandbox"
)

// Options say where things are.
type Options struct {
	Bin    string // the programs
	Memory string // for what need not be kept
	Logs   string // for the programs' output, and KUBECONFIG
	Scheme *runtime.Scheme
}

// Cluster is one that runs.
type Cluster struct {
	Config     *rest.Config
	Kubeconfig string // path of a file
	Registry   string // address
	Client     client.WithWatch
	Core       *process.Process
	Kubelet    *kubelet.Kubelet

	control  *controlPlane
	registry *http.Server
	proxy    *proxy // nil where names resolve
	cancel   context.CancelFunc
	manager  chan error
}

// Start starts a cluster. What was started is stopped again when something
// fails to.
func Start(ctx context.Context, o Options) (_ *Cluster, err error) {
	c := &Cluster{}
	defer func() {
		if err != nil {
			err = errors.Join(err, c.Stop())
		}
	}()
	if c.control, c.Config, err = startControlPlane(o.Bin, o.Memory, o.Logs); err != nil {
		return nil, fmt.Errorf("cannot start the control plane: %w", err)
	}
	c.Kubeconfig = filepath.Join(o.Logs, "kubeconfig")
	if err := os.WriteFile(c.Kubeconfig, c.control.env.KubeConfig, 0o600); err != nil {
		return nil, err
	}
	if c.Client, err = client.NewWithWatch(c.Config, client.Options{Scheme: o.Scheme}); err != nil {
		return nil, err
	}
	// Crossplane's chart makes these.
	for _, o := range []client.Object{
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: Namespace}},
		&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: account}},
	} {
		if err := c.Client.Create(ctx, o); err != nil {
			return nil, err
		}
	}
	background, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	if err := collectGarbage(background, c.Config); err != nil {
		return nil, fmt.Errorf("cannot start the garbage collector: %w", err)
	}
	if err := aggregateRoles(background, c.Config); err != nil {
		return nil, fmt.Errorf("cannot start the controller of cluster roles: %w", err)
	}
	if err := allow(ctx, c.Client); err != nil {
		return nil, err
	}
	if err := c.serveRegistry(ctx); err != nil {
		return nil, err
	}
	if !sandbox.Isolated() {
		if c.proxy, err = serveProxy(ctx); err != nil {
			return nil, err
		}
	}
	if err := c.startKubelet(background, o); err != nil {
		return nil, err
	}
	c.Core, err = startCore(ctx, c.Client, o, c.Kubeconfig, c.proxy.environment())
	return c, err
}

func (c *Cluster) serveRegistry(ctx context.Context) error {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	c.Registry = listener.Addr().String()
	c.registry = &http.Server{
		Handler:           registry.New(registry.Logger(log.New(io.Discard, "", 0))),
		ReadHeaderTimeout: time.Minute,
	}
	go c.registry.Serve(listener) //nolint:errcheck // It ends when it is closed.
	return nil
}

func (c *Cluster) startKubelet(ctx context.Context, o Options) error {
	mgr, err := ctrl.NewManager(c.Config, ctrl.Options{
		Scheme:  o.Scheme,
		Cache:   cache.Options{DefaultNamespaces: map[string]cache.Config{Namespace: {}}},
		Metrics: server.Options{BindAddress: "0"},
		// The queue with priorities may not end when the manager is stopped.
		Controller: config.Controller{UsePriorityQueue: new(false)},
	})
	if err != nil {
		return err
	}
	setHosts := sandbox.SetHosts
	if c.proxy != nil {
		setHosts = c.proxy.setHosts
	}
	if c.Kubelet, err = kubelet.New(mgr, Namespace, filepath.Join(o.Memory, "pods"), o.Logs, setHosts); err != nil {
		return err
	}
	c.manager = make(chan error, 1)
	go func() { c.manager <- mgr.Start(ctx) }()
	return nil
}

// Stop stops everything that was started, the last first.
func (c *Cluster) Stop() error {
	var all []error
	if c.Core != nil {
		all = append(all, c.Core.Stop())
	}
	if c.cancel != nil {
		c.cancel()
	}
	if c.manager != nil {
		all = append(all, <-c.manager)
	}
	if c.Kubelet != nil {
		all = append(all, c.Kubelet.Stop())
	}
	if c.registry != nil {
		all = append(all, c.registry.Close())
	}
	if c.proxy != nil {
		all = append(all, c.proxy.server.Close())
	}
	if c.control != nil {
		all = append(all, c.control.stop())
	}
	return errors.Join(all...)
}

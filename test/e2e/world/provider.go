package world

import (
	"context"
	"time"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/config"
	"sigs.k8s.io/controller-runtime/pkg/metrics/server"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
	"github.com/function-patchwork/function-patchwork/test/e2e/provider"
)

// startProvider installs the provider's kinds, and runs it with a cloud in
// which nothing is done at once, and some of it fails at first.
func (w *World) startProvider(ctx context.Context) error {
	for _, crd := range provider.CRDs() {
		if err := w.Client.Create(ctx, crd); err != nil {
			return err
		}
	}
	w.Cloud = cloud.New(cloud.Options{
		CreateTime: 200 * time.Millisecond, UpdateTime: 100 * time.Millisecond, DeleteTime: 200 * time.Millisecond,
		FailEvery: map[cloud.Operation]int{cloud.Create: 7, cloud.Update: 5, cloud.Delete: 6},
	})
	mgr, err := ctrl.NewManager(w.Config, ctrl.Options{
		Scheme:  w.Client.Scheme(),
		Metrics: server.Options{BindAddress: "0"},
		// The queue with priorities may not end when the manager is stopped.
		Controller: config.Controller{UsePriorityQueue: new(false)},
	})
	if err != nil {
		return err
	}
	if err := provider.Setup(mgr, w.Cloud, provider.Options{PollInterval: 3 * time.Second}); err != nil {
		return err
	}
	running, cancel := context.WithCancel(context.Background())
	w.cancel, w.provider = cancel, make(chan error, 1)
	go func() { w.provider <- mgr.Start(running) }()
	return nil
}

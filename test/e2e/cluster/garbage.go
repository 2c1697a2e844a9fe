package cluster

import (
	"context"
	"time"

	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/metadata/metadatainformer"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/controller-manager/pkg/informerfactory"
	"k8s.io/kubernetes/pkg/controller/garbagecollector"
)

// collectGarbage runs Kubernetes' garbage collector, which deletes what a
// deleted object owned, until the context is done.
func collectGarbage(ctx context.Context, config *rest.Config) error {
	kube, err := kubernetes.NewForConfig(config)
	if err != nil {
		return err
	}
	meta, err := metadata.NewForConfig(config)
	if err != nil {
		return err
	}
	resources, err := discovery.NewDiscoveryClientForConfig(config)
	if err != nil {
		return err
	}
	shared, objects := informers.NewSharedInformerFactory(kube, 0), metadatainformer.NewSharedInformerFactory(meta, 0)
	started := make(chan struct{})
	collector, err := garbagecollector.NewGarbageCollector(ctx, kube, meta,
		restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(resources)),
		garbagecollector.DefaultIgnoredResources(), informerfactory.NewInformerFactory(shared, objects), started)
	if err != nil {
		return err
	}
	shared.Start(ctx.Done())
	objects.Start(ctx.Done())
	close(started)
	const workers = 4
	go collector.Run(ctx, workers, 10*time.Second)
	// It looks for new kinds now and then.
	go collector.Sync(ctx, resources, 2*time.Second)
	return nil
}

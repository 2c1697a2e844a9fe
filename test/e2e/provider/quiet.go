package provider

import (
	"context"

	"k8s.io/apimachinery/pkg/api/equality"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// quiet returns a manager whose client does not write statuses that the API
// server has already. The reconciler of managed resources writes one at each
// poll, which thousands of resources that are left alone would keep the API
// server busy with.
func quiet(mgr ctrl.Manager) ctrl.Manager {
	return quietManager{Manager: mgr}
}

type quietManager struct {
	ctrl.Manager
}

// GetClient returns the manager's client, quietened.
func (m quietManager) GetClient() client.Client {
	return quietClient{Client: m.Manager.GetClient()}
}

type quietClient struct {
	client.Client
}

// Status returns a writer that writes no status that is as the cache has it.
func (c quietClient) Status() client.SubResourceWriter {
	return quietStatus{SubResourceWriter: c.Client.Status(), cache: c.Client}
}

type quietStatus struct {
	client.SubResourceWriter

	cache client.Reader
}

// Update the status of an object, unless the cache has the same object.
func (s quietStatus) Update(ctx context.Context, obj client.Object, opts ...client.SubResourceUpdateOption) error {
	if o, ok := obj.(Object); ok && s.has(ctx, o) {
		return nil
	}
	return s.SubResourceWriter.Update(ctx, obj, opts...)
}

func (s quietStatus) has(ctx context.Context, o Object) bool {
	cached, ok := o.DeepCopyObject().(Object)
	if !ok || s.cache.Get(ctx, client.ObjectKeyFromObject(o), cached) != nil {
		return false
	}
	return equality.Semantic.DeepEqual(cached, o)
}

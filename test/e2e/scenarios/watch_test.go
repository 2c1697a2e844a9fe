package scenarios

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// What happens to objects.
const (
	added   = "added"
	deleted = "deleted"
)

// watch tells of the objects of a kind that come and go, until the test ends.
// It misses none when the API server ends a watch, as it does now and then.
func (s *story) watch(k kind, tell func(what string, o object), which ...client.ListOption) {
	s.Helper()
	list := func() *unstructured.UnstructuredList {
		l := &unstructured.UnstructuredList{}
		l.SetAPIVersion(k.apiVersion)
		l.SetKind(k.kind + "List")
		return l
	}
	informer := cache.NewSharedInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			l := list()
			return l, here.Client.List(ctx, l, append(which, &client.ListOptions{Raw: &o})...)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return here.Client.Watch(ctx, list(), append(which, &client.ListOptions{Raw: &o})...)
		},
	}, &unstructured.Unstructured{}, 0)
	_, err := informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { tell(added, object{o.(*unstructured.Unstructured)}) },
		DeleteFunc: func(o any) {
			if unseen, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = unseen.Obj
			}
			tell(deleted, object{o.(*unstructured.Unstructured)})
		},
	})
	s.must(err)
	go informer.RunWithContext(s.Context())
	if !cache.WaitForCacheSync(s.Context().Done(), informer.HasSynced) {
		s.Fatalf("cannot watch %s", k.kind)
	}
}

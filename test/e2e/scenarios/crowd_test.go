package scenarios

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// A crowd is many composite resources, each of a network and a database, that
// are changed again and again while a test does things to the function.
type crowd struct {
	*story

	xrs  kind
	size int

	mu     sync.Mutex
	rounds map[string]int64 // by name: how often each was changed
	events []string         // of what the crowd composes, as ADDED FavouriteNetwork app-00-1a2b3c
}

// gather makes a crowd whose composition has a function compose it. It does not
// wait until that is done.
func (s *story) gather(function string, size int) *crowd {
	s.Helper()
	s.folder = "testdata/crowd"
	c := &crowd{story: s, xrs: kind{s.name + ".example.org/v1", "App"}, size: size, rounds: map[string]int64{}}
	for _, k := range []kind{networkKind, databaseKind} {
		c.watch(k)
	}
	s.apply("apps.yaml", "function", function)
	for i := range size {
		s.apply("app.yaml", "name", member(i))
		c.rounds[member(i)] = 0
	}
	return c
}

func member(i int) string { return fmt.Sprintf("app-%02d", i) }

// watch keeps book of the objects of a kind that come and go.
func (c *crowd) watch(k kind) {
	c.Helper()
	l := &unstructured.UnstructuredList{}
	l.SetAPIVersion(k.apiVersion)
	l.SetKind(k.kind + "List")
	w, err := here.Client.Watch(c.Context(), l, client.InNamespace(c.namespace))
	c.must(err)
	c.Cleanup(w.Stop)
	go func() {
		for e := range w.ResultChan() {
			if o, ok := e.Object.(*unstructured.Unstructured); ok && e.Type != watch.Modified {
				c.mu.Lock()
				c.events = append(c.events, fmt.Sprintf("%s %s %s", e.Type, o.GetKind(), o.GetName()))
				c.mu.Unlock()
			}
		}
	}()
}

// change changes one of the crowd after the other, at random, until the
// returned function is called: each about every ten seconds. If something was
// changed more often, Crossplane would leave out the events of what it composes
// for minutes, see its circuit breakers.
func (c *crowd) change() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(10 * time.Second / time.Duration(c.size))
		defer ticker.Stop()
		for {
			select {
			case <-end:
				return
			case <-ticker.C:
				if err := c.changeOne(member(rand.IntN(c.size))); err != nil {
					c.Errorf("cannot change the crowd: %v", err)
					return
				}
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(end)
		<-ended
	})
}

func (c *crowd) changeOne(name string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	xr, err := c.get(c.xrs, c.namespace, name)
	if err != nil {
		return err
	}
	c.rounds[name]++
	patch := fmt.Appendf(nil, `{"spec": {"round": %d}}`, c.rounds[name])
	return here.Client.Patch(c.Context(), xr.Unstructured, client.RawPatch(types.MergePatchType, patch))
}

// settled returns an error unless each of the crowd is synced and ready, and
// its last change has come to what it composes, to the cloud, and back.
func (c *crowd) settled() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	xrs, err := c.list(c.xrs, c.namespace)
	if err != nil {
		return err
	}
	if len(xrs) != c.size {
		return fmt.Errorf("there are %d of %d", len(xrs), c.size)
	}
	for _, xr := range xrs {
		want := fmt.Sprint(c.rounds[xr.GetName()])
		if err := errors.Join(xr.ready(), xr.has(map[string]any{"status.round": want})); err != nil {
			return err
		}
		found := map[string]any{}
		for _, r := range here.Cloud.List(cloud.Filter{Namespace: c.namespace, Composite: xr.GetName()}) {
			found[r.Owner.Resource], _ = r.Properties["tags"].(map[string]any)["round"]
		}
		if all := map[string]any{"network": want, "database": want}; !reflect.DeepEqual(found, all) {
			return fmt.Errorf("%s: the cloud has %v, and not %v", xr.GetName(), found, all)
		}
	}
	return nil
}

// unharmed sees that nothing that the crowd composes was deleted, or made more
// than once: neither in the cluster nor in the cloud.
func (c *crowd) unharmed() {
	c.Helper()
	want := 2 * c.size
	if n := len(here.Cloud.Created(cloud.Filter{Namespace: c.namespace})); n != want {
		c.Errorf("the cloud was asked for %d resources, and not %d", n, want)
	}
	for _, e := range here.Cloud.Deleted(cloud.Filter{Namespace: c.namespace}) {
		c.Errorf("the %s of %s was deleted in the cloud", e.Owner.Resource, e.Owner.Composite)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	added := 0
	for _, e := range c.events {
		if strings.HasPrefix(e, string(watch.Added)) {
			added++
			continue
		}
		c.Errorf("something happened that should not have: %s", e)
	}
	if added != want {
		c.Errorf("%d resources were composed, and not %d", added, want)
	}
}

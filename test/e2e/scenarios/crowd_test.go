package scenarios

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// A crowd is many composite resources, each of a network and a database, that
// are changed again and again while a test does things to the function. Every
// other one is asked for by a claim.
type crowd struct {
	*story

	xrs, claims kind
	size        int

	mu     sync.Mutex
	rounds map[string]int64 // by name: how often each was changed
	events []string         // of what the crowd composes, as added FavouriteNetwork app-00-1a2b3c
}

// gather makes a crowd whose composition has a function compose it. It does not
// wait until that is done.
func (s *story) gather(function string, size int) *crowd {
	s.Helper()
	s.folder = "testdata/crowd"
	group := s.name + ".example.org/v1"
	c := &crowd{story: s, xrs: kind{group, "App"}, claims: kind{group, "AppClaim"}, size: size, rounds: map[string]int64{}}
	for _, k := range []kind{networkKind, databaseKind} {
		s.watch(k, c.note, client.InNamespace(s.namespace))
	}
	for _, k := range []kind{clusterNetworkKind, clusterDatabaseKind} {
		s.watch(k, c.note, client.MatchingLabels{"crossplane.io/claim-namespace": s.namespace})
	}
	s.apply("apps.yaml", "function", function)
	s.apply("claims.yaml", "function", function)
	for i := range size {
		s.apply("app.yaml", "kind", c.kindOf(i).kind, "name", member(i))
		c.rounds[member(i)] = 0
	}
	return c
}

// note keeps book of what comes and goes.
func (c *crowd) note(what string, o object) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.events = append(c.events, fmt.Sprintf("%s %s %s", what, o.GetKind(), o.GetName()))
}

func member(i int) string { return fmt.Sprintf("app-%02d", i) }

// kindOf is the kind of a member.
func (c *crowd) kindOf(i int) kind {
	if i%2 == 0 {
		return c.xrs
	}
	return c.claims
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
				if err := c.changeOne(rand.IntN(c.size)); err != nil {
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

func (c *crowd) changeOne(i int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	name := member(i)
	o, err := c.get(c.kindOf(i), c.namespace, name)
	if err != nil {
		return err
	}
	c.rounds[name]++
	patch := fmt.Appendf(nil, `{"spec": {"round": %d}}`, c.rounds[name])
	return here.Client.Patch(c.Context(), o.Unstructured, client.RawPatch(types.MergePatchType, patch))
}

// members are all of the crowd: composite resources, and claims.
func (c *crowd) members() ([]object, error) {
	xrs, err := c.list(c.xrs, c.namespace)
	if err != nil {
		return nil, err
	}
	claims, err := c.list(c.claims, c.namespace)
	if err == nil && len(xrs)+len(claims) != c.size {
		err = fmt.Errorf("there are %d and %d of %d", len(xrs), len(claims), c.size)
	}
	return append(xrs, claims...), err
}

// ofMember selects what the cloud made for a member.
func (c *crowd) ofMember(o object) cloud.Filter {
	if o.GetKind() == c.xrs.kind {
		return cloud.Filter{Namespace: c.namespace, Composite: o.GetName()}
	}
	xr, err := o.text("spec.resourceRef.name")
	if err != nil {
		xr = "none" // An empty name would select everything.
	}
	return cloud.Filter{Composite: xr}
}

// settled returns an error unless each of the crowd is synced and ready, and
// its last change has come to what it composes, to the cloud, and back.
func (c *crowd) settled() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	members, err := c.members()
	if err != nil {
		return err
	}
	for _, o := range members {
		want := fmt.Sprint(c.rounds[o.GetName()])
		if err := errors.Join(o.ready(), o.has(map[string]any{"status.round": want})); err != nil {
			return err
		}
		found := map[string]any{}
		for _, r := range here.Cloud.List(c.ofMember(o)) {
			found[r.Owner.Resource], _ = r.Properties["tags"].(map[string]any)["round"]
		}
		if all := map[string]any{"network": want, "database": want}; !reflect.DeepEqual(found, all) {
			return fmt.Errorf("%s: the cloud has %v, and not %v", o.GetName(), found, all)
		}
	}
	return nil
}

// unharmed sees that nothing that the crowd composes was deleted, or made more
// than once: neither in the cluster nor in the cloud.
func (c *crowd) unharmed() {
	c.Helper()
	members, err := c.members()
	c.must(err)
	for _, o := range members {
		if n := len(here.Cloud.Created(c.ofMember(o))); n != 2 {
			c.Errorf("the cloud was asked for %d resources of %s, and not 2", n, o.GetName())
		}
		for _, e := range here.Cloud.Deleted(c.ofMember(o)) {
			c.Errorf("the %s of %s was deleted in the cloud", e.Owner.Resource, o.GetName())
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	composed := 0
	for _, e := range c.events {
		if strings.HasPrefix(e, added) {
			composed++
			continue
		}
		c.Errorf("something happened that should not have: %s", e)
	}
	if want := 2 * c.size; composed != want {
		c.Errorf("%d resources were composed, and not %d", composed, want)
	}
}

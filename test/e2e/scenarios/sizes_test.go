package scenarios

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
	"github.com/function-patchwork/function-patchwork/test/e2e/cluster"
	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// A team has the example of an environment, as it is but for the time after
// which Crossplane asks again: a network of subnets, a bastion and a database
// whose sizes are in a class.
func TestSizes(t *testing.T) {
	s := tell(t, "team-shop")
	s.folder = "../../../example/environment"
	e := &shop{team: &team{
		story:     s,
		asked:     kind{"environments.example.org/v1alpha1", "Environment"},
		composite: kind{"environments.example.org/v1alpha1", "Environment"},
		databases: databaseKind,
	}}
	// Crossplane's RBAC manager would allow this, and not the classes.
	s.must(here.Allow(s.Context(), "environments", "environments.example.org", "environments", "environments/status", "environments/finalizers"))
	s.apply("definition.yaml")
	e.appliesComposition()
	role := e.appliesClasses()
	s.apply("xr.yaml")

	e.isNotAllowed()
	s.must(applyObject(s.Context(), role))
	s.eventually("Crossplane may read classes", func() error { return e.mayRead(true) })
	e.waitsForClass()
	e.comesUp()
	e.changesSubnets()
	e.togglesBastion()
	e.changesClass()
	e.losesClass()
}

// The shop is a team that has one environment, shop.
type shop struct{ *team }

// appliesComposition applies the composition with a short time to live.
func (e *shop) appliesComposition() {
	e.Helper()
	compositions, err := e.read("composition.yaml")
	e.must(err)
	pipeline, _, err := unstructured.NestedSlice(compositions[0].Object, "spec", "pipeline")
	e.must(err)
	e.must(unstructured.SetNestedField(pipeline[0].(map[string]any), "2s", "input", "responseTTL"))
	e.must(unstructured.SetNestedSlice(compositions[0].Object, pipeline, "spec", "pipeline"))
	e.eventually("applying the composition", func() error { return applyObject(e.Context(), compositions[0].DeepCopy()) })
}

// appliesClasses applies the definition of classes, and returns the role by which
// Crossplane may read them.
func (e *shop) appliesClasses() *unstructured.Unstructured {
	e.Helper()
	objects, err := e.read("sizeclass.yaml")
	e.must(err)
	e.must(applyObject(e.Context(), objects[0]))
	return objects[1]
}

// isNotAllowed sees that Crossplane may not read classes, and waits for that.
func (e *shop) isNotAllowed() {
	e.Helper()
	e.must(e.mayRead(false))
	e.eventually("the function asks for a class", func() error {
		if e.calls("") == 0 {
			return errors.New("it is not called")
		}
		return nil
	})
	xr, err := e.xr("shop")
	e.must(err)
	if err := xr.says("Waiting", "True", "HeldBack", ""); err == nil {
		e.Error("there was an answer, though Crossplane may not read classes")
	}
}

// mayRead returns an error unless Crossplane may read classes, or may not.
func (e *shop) mayRead(want bool) error {
	e.Helper()
	for _, verb := range []string{"get", "list", "watch"} {
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: cluster.User,
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Group: "environments.example.org", Resource: "sizeclasses", Verb: verb,
			},
		}}
		if err := here.Client.Create(e.Context(), review); err != nil {
			return err
		}
		if review.Status.Allowed != want {
			return fmt.Errorf("Crossplane may %s classes: %t", verb, !want)
		}
	}
	return nil
}

// waitsForClass sees that nothing is made without a class, and that this is told
// when it begins, and never again once the environment has the condition, though
// the function is called again and again.
func (e *shop) waitsForClass() {
	e.Helper()
	const message = `waiting for the required resource "size" (there is no SizeClass "large"`
	waits := func(xr object, composed map[string]object) error {
		return errors.Join(xr.says("Waiting", "True", "HeldBack", message), xr.says("NetworkReady", "False", "Creating", ""),
			xr.condition("Synced", "True"), xr.condition("Ready", "False"), composes(composed))
	}
	e.comesTo("it waits for its class", waits)
	// Until Crossplane has read what it wrote itself, it may call without it.
	e.reconciled()
	warned := e.calls(`"warnings":1`)
	for range 5 {
		xr, composed := e.reconciled()
		e.must(waits(xr, composed))
	}
	e.warned(warned, message)
}

// comesUp adds the class, and sees what is made after what.
func (e *shop) comesUp() {
	e.Helper()
	network := here.Cloud.Hold(cloud.Filter{Kind: cloud.Network, Namespace: "team-shop"})
	defer network()
	subnet := here.Cloud.Hold(cloud.Filter{Kind: cloud.Subnet, Namespace: "team-shop", Resource: "subnet-app"})
	defer subnet()
	e.apply("classes.yaml")
	e.comesTo("the network is made", func(xr object, _ map[string]object) error {
		return errors.Join(xr.condition("Ready", "False"),
			xr.says("Waiting", "True", "HeldBack", `waiting for network.status.atProvider.id before creating "subnet-web", "subnet-app", "subnet-data", "bastion"; `))
	}, "network")
	network()
	e.comesTo("the subnets are made", func(xr object, _ map[string]object) error {
		return errors.Join(xr.says("Waiting", "True", "HeldBack", `waiting for "subnet-app" to be ready before creating "database"`),
			xr.says("NetworkReady", "False", "Creating", ""))
	}, "bastion", "network", "route-web", "subnet-app", "subnet-data", "subnet-web")
	subnet()
	e.comesTo("the environment is ready", func(xr object, _ map[string]object) error {
		return errors.Join(xr.ready(), xr.says("Waiting", "False", "NothingHeldBack", ""))
	}, "bastion", "database", "network", "route-web", "subnet-app", "subnet-data", "subnet-web")
	e.arrived()
}

// arrived sees that values came from wherever they are.
func (e *shop) arrived() {
	e.Helper()
	e.comesTo("all fields are there", func(xr object, composed map[string]object) error {
		id := func(name string) any { return composed[name].value("status.atProvider.id") }
		return errors.Join(
			xr.says("NetworkReady", "True", "Available", fmt.Sprintf("Network %s in eu-central-1", id("network"))),
			xr.has(map[string]any{
				"status.size": "large", "status.networkID": id("network"),
				"status.subnets.web.id": id("subnet-web"), "status.subnets.app.id": id("subnet-app"), "status.subnets.data.id": id("subnet-data"),
				"status.subnets.app.zone": "eu-central-1b", "status.subnets.data.zone": "eu-central-1a",
				"status.bastion.address":   composed["bastion"].value("status.atProvider.address"),
				"status.database.endpoint": composed["database"].value("status.atProvider.endpoint"),
			}),
			composed["subnet-data"].has(map[string]any{"spec.forProvider.networkID": id("network"), "spec.forProvider.cidrBlock": "10.20.32.0/20"}),
			composed["route-web"].has(map[string]any{"spec.forProvider.subnetID": id("subnet-web")}),
			composed["bastion"].has(map[string]any{"spec.forProvider.class": "medium", "spec.forProvider.networkID": id("network")}),
			composed["database"].has(map[string]any{
				"spec.forProvider.class": "xlarge", "spec.forProvider.storageGB": int64(200), "spec.forProvider.networkID": id("network"),
				"spec.forProvider.parameters[1].name": "max_connections", "spec.forProvider.parameters[1].value": "800",
				"spec.forProvider.tags.environment": "team-shop/shop (LARGE)", "spec.forProvider.engineVersion": "17",
			}))
	}, "bastion", "database", "network", "route-web", "subnet-app", "subnet-data", "subnet-web")
}

// changesSubnets takes the first subnet away and puts one in the middle, and sees
// that no other notices.
func (e *shop) changesSubnets() {
	e.Helper()
	xr, before := e.reconciled()
	mark := here.Cloud.Mark()
	e.change(xr, `{"spec":{"subnets":[{"name":"app","cidr":"10.20.16.0/20"},
		{"name":"cache","cidr":"10.20.48.0/20"},{"name":"data","cidr":"10.20.32.0/20"}]}}`)
	e.comesTo("there are other subnets", func(xr object, composed map[string]object) error {
		subnets, _ := xr.value("status.subnets").(map[string]any)
		if got := slices.Sorted(maps.Keys(subnets)); !slices.Equal(got, []string{"app", "cache", "data"}) {
			return fmt.Errorf("the status has the subnets %q", got)
		}
		return errors.Join(xr.ready(), // It is not named any more, and it stays.
			composed["subnet-app"].has(map[string]any{"spec.forProvider.zone": "eu-central-1b"}))
	}, "bastion", "database", "network", "subnet-app", "subnet-cache", "subnet-data")
	e.eventually("the cloud has deleted the subnet", func() error {
		if deleted := here.Cloud.Deleted(cloud.Filter{Kind: cloud.Subnet, Namespace: "team-shop", Since: mark}); len(deleted) == 0 {
			return errors.New("it has not")
		}
		return nil
	})
	e.did(mark, xr, "create subnet-cache", "delete route-web", "delete subnet-web")
	delete(before, "subnet-web")
	delete(before, "route-web")
	_, after := e.reconciled()
	e.same(before, after)
}

// togglesBastion has no bastion, and then another one.
func (e *shop) togglesBastion() {
	e.Helper()
	xr, before := e.reconciled()
	mark := here.Cloud.Mark()
	e.change(xr, `{"spec":{"bastion":{"enabled":false}}}`)
	e.comesTo("the bastion is gone", func(xr object, _ map[string]object) error {
		return errors.Join(xr.ready(), xr.has(map[string]any{"status.bastion": nil}))
	}, "database", "network", "subnet-app", "subnet-cache", "subnet-data")
	e.change(xr, `{"spec":{"bastion":{"enabled":true}}}`)
	e.comesTo("there is a bastion again", func(xr object, composed map[string]object) error {
		return errors.Join(xr.ready(), xr.has(map[string]any{"status.bastion.address": composed["bastion"].value("status.atProvider.address")}))
	}, "bastion", "database", "network", "subnet-app", "subnet-cache", "subnet-data")
	e.did(mark, xr, "create bastion", "delete bastion")
	delete(before, "bastion")
	_, after := e.reconciled()
	e.same(before, after)
}

// changesClass changes the class, which Crossplane does not watch: it asks the
// function again when its response is too old.
func (e *shop) changesClass() {
	e.Helper()
	xr, before := e.reconciled()
	mark := here.Cloud.Mark()
	class, err := e.get(kind{"environments.example.org/v1alpha1", "SizeClass"}, "", "large")
	e.must(err)
	e.change(class, `{"spec":{"database":{"storageGB":300}}}`)
	begin := time.Now()
	e.comesTo("the database is larger", func(xr object, composed map[string]object) error {
		return errors.Join(xr.ready(), composed["database"].has(map[string]any{
			"spec.forProvider.storageGB": int64(300), "status.atProvider.storageGB": int64(300),
		}))
	}, "bastion", "database", "network", "subnet-app", "subnet-cache", "subnet-data")
	e.Logf("the change of the class arrived after %s", time.Since(begin).Round(100*time.Millisecond))
	e.did(mark, xr, "update database storageGB=300")
	_, after := e.reconciled()
	e.same(before, after)
}

// losesClass deletes the class, and sees that nothing that exists is touched, and
// that nothing new is made.
func (e *shop) losesClass() {
	e.Helper()
	xr, before := e.reconciled()
	mark := here.Cloud.Mark()
	class, err := e.get(kind{"environments.example.org/v1alpha1", "SizeClass"}, "", "large")
	e.must(err)
	e.must(here.Client.Delete(e.Context(), class))
	e.comesTo("it does without its class", func(xr object, _ map[string]object) error {
		return errors.Join(xr.ready(), xr.has(map[string]any{"status.size": nil}), xr.says("Waiting", "True", "MissingFields",
			`leaving what exists without the required resource "size" (there is no SizeClass "large"`))
	})
	e.change(xr, `{"spec":{"subnets":[{"name":"app","cidr":"10.20.16.0/20"},{"name":"late","cidr":"10.20.64.0/20"},
		{"name":"cache","cidr":"10.20.48.0/20"},{"name":"data","cidr":"10.20.32.0/20"}]}}`)
	e.comesTo("the new subnet waits", func(xr object, _ map[string]object) error {
		return errors.Join(xr.condition("Synced", "True"), xr.condition("Ready", "False"), xr.says("Waiting", "True", "HeldBack",
			`waiting for the required resource "size" (there is no SizeClass "large"`))
	})
	_, after := e.reconciled()
	e.must(composes(after, slices.Sorted(maps.Keys(before))...))
	e.same(before, after)
	e.must(errors.Join(
		after["database"].has(map[string]any{
			"spec.forProvider.class": "xlarge", "spec.forProvider.storageGB": int64(300),
			"spec.forProvider.parameters[1].value": "800", "spec.forProvider.tags.environment": "team-shop/shop (LARGE)",
		}),
		after["bastion"].has(map[string]any{"spec.forProvider.class": "medium"}),
	))
	e.did(mark, xr)

	e.apply("classes.yaml")
	e.comesTo("the new subnet is made", func(xr object, _ map[string]object) error {
		return errors.Join(xr.ready(), xr.says("Waiting", "False", "NothingHeldBack", ""))
	}, "bastion", "database", "network", "subnet-app", "subnet-cache", "subnet-data", "subnet-late")
}

// comesTo waits until the environment is composed of just these resources, if
// any are named, and is as a condition says.
func (e *shop) comesTo(what string, condition func(xr object, composed map[string]object) error, names ...string) {
	e.Helper()
	e.eventually(what, func() error {
		xr, err := e.xr("shop")
		if err != nil {
			return err
		}
		composed, err := e.composed(xr)
		if err != nil {
			return err
		}
		if len(names) > 0 {
			if err := composes(composed, names...); err != nil {
				return fmt.Errorf("%w; its conditions: %v", err, xr.value("status.conditions"))
			}
		}
		return condition(xr, composed)
	})
}

// reconciled waits until Crossplane has reconciled the environment from before it
// calls the function until it has applied what that returns. It calls twice, as
// the function requires something.
func (e *shop) reconciled() (xr object, composed map[string]object) {
	e.Helper()
	for range 3 {
		calls := e.calls("")
		e.annotate(e.asks("shop"), asksForReconciliation, time.Now().Format(time.RFC3339Nano))
		e.eventually("it is reconciled", func() error {
			if n := e.calls("") - calls; n < 2 {
				return fmt.Errorf("there were %d calls", n)
			}
			return nil
		})
	}
	e.comesTo("it is read", func(x object, c map[string]object) error {
		xr, composed = x, c
		return nil
	})
	return xr, composed
}

// calls returns how often the function was called for the environment, by its
// log, and what that says of the call has a text.
func (e *shop) calls(having string) (n int) {
	e.Helper()
	places, err := world.FromEnvironment()
	e.must(err)
	logs, err := filepath.Glob(filepath.Join(places.Logs, "function-patchwork-*.log"))
	e.must(err)
	for _, path := range logs {
		log, err := os.ReadFile(path)
		e.must(err)
		for line := range bytes.Lines(log) {
			if bytes.Contains(line, []byte(`"kind":"Environment","namespace":"team-shop","name":"shop"`)) && bytes.Contains(line, []byte(having)) {
				n++
			}
		}
	}
	return n
}

// warned sees that so many calls had a warning, of which there was one at least,
// and that there are no more events than that: Crossplane drops events when it has
// many.
func (e *shop) warned(times int, message string) {
	e.Helper()
	if n := e.calls(`"warnings":1`); n != times || n == 0 {
		e.Errorf("there were %d calls with a warning, and then %d", times, n)
	}
	events := &corev1.EventList{}
	e.must(here.Client.List(e.Context(), events, client.InNamespace("team-shop")))
	got := 0
	for _, v := range events.Items {
		if v.Type == corev1.EventTypeWarning && v.InvolvedObject.Name == "shop" && strings.Contains(v.Message, message) {
			got += int(max(v.Count, 1))
		}
	}
	if got > times {
		e.Errorf("there were %d events with %q, and %d calls with a warning", got, message, times)
	}
}

// says returns an error unless a condition has a status, a reason and a message
// that begins so.
func (o object) says(kind, status, reason, message string) error {
	conditions, _ := o.array("status.conditions") // It may have none.
	for _, c := range conditions {
		c := c.(map[string]any)
		if c["type"] != kind {
			continue
		}
		said, _ := c["message"].(string)
		if c["status"] != status || c["reason"] != reason || !strings.HasPrefix(said, message) {
			return fmt.Errorf("%s %s: condition %s is %v: %v: %v", o.GetKind(), o.GetName(), kind, c["status"], c["reason"], said)
		}
		return nil
	}
	return fmt.Errorf("%s %s has no condition %s", o.GetKind(), o.GetName(), kind)
}

// composes returns an error unless just these resources are composed.
func composes(composed map[string]object, want ...string) error {
	if got := slices.Sorted(maps.Keys(composed)); !slices.Equal(got, want) {
		return fmt.Errorf("it is composed of %q, and not of %q", got, want)
	}
	return nil
}

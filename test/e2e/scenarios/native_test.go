package scenarios

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// A website is composed of what Kubernetes itself has: a Deployment, a Service,
// a ConfigMap and a Secret.
func TestNativeKinds(t *testing.T) {
	s := tell(t, "native")
	websites := kind{"native.example.org/v1", "Website"}
	s.apply("definition.yaml")
	s.apply("website.yaml", "replicas", "2")

	var composed map[string]object
	s.eventually("the website waits for its Deployment alone", func() error {
		xr, err := s.get(websites, "native", "welcome")
		if err != nil {
			return err
		}
		if composed, err = s.composed(xr); err != nil {
			return err
		}
		want := []string{"content", "deployment", "service", "session-key"}
		if names := slices.Sorted(maps.Keys(composed)); !slices.Equal(names, want) {
			return fmt.Errorf("it composes %q, and not %q", names, want)
		}
		return errors.Join(xr.condition("Synced", "True"), xr.unready("deployment"))
	})
	s.natives(composed)

	// There is no controller of Deployments here; this is what it would report.
	s.must(reportAvailable(s.Context(), composed["deployment"], 2))
	s.websiteReady(websites, composed["service"], 2)

	// Another number of replicas, and what the API server filled in stays.
	s.apply("website.yaml", "replicas", "3")
	s.eventually("the Deployment has more replicas", func() error {
		d, err := s.get(kind{"apps/v1", "Deployment"}, "native", composed["deployment"].GetName())
		if err != nil {
			return err
		}
		return d.has(map[string]any{
			"spec.replicas": int64(3), "spec.strategy.type": "RollingUpdate",
			"spec.template.spec.containers[0].imagePullPolicy": "IfNotPresent",
		})
	})
	s.websiteReady(websites, composed["service"], 2)
}

// natives sees what the website's objects say.
func (s *story) natives(composed map[string]object) {
	s.Helper()
	secret, err := s.secret("native", composed["session-key"].GetName())
	s.must(err)
	xr := composed["content"].GetOwnerReferences()[0]
	if secret["key"] != string(xr.UID) {
		s.Errorf("the Secret has the key %q, and not the UID of %s, %s", secret["key"], xr.Name, xr.UID)
	}
	s.must(errors.Join(
		composed["content"].has(map[string]any{
			"data[index.html]": "<h1>Hello & welcome</h1>\n", "metadata.labels.app": "welcome",
		}),
		composed["session-key"].has(map[string]any{"type": "example.org/session-key"}),
		composed["deployment"].has(map[string]any{
			"spec.replicas": int64(2), "spec.selector.matchLabels.app": "welcome",
			"spec.template.spec.containers[0].image":                  "registry.example.org/web:1",
			"spec.template.spec.containers[0].ports[0].containerPort": int64(8080),
			"spec.template.spec.containers[0].volumeMounts[0].name":   "content",
		}),
		composed["service"].has(map[string]any{"spec.selector.app": "welcome", "spec.ports[0].targetPort": "http"}),
	))
}

func (s *story) websiteReady(websites kind, service object, replicas int64) {
	s.Helper()
	s.eventually("the website is ready", func() error {
		xr, err := s.get(websites, "native", "welcome")
		if err != nil {
			return err
		}
		return errors.Join(xr.ready(), xr.has(map[string]any{
			"status.replicas": replicas, "status.address": service.value("spec.clusterIP"),
		}))
	})
}

// unready returns an error unless a composite resource is not ready, because of
// just these resources.
func (o object) unready(resources string) error {
	conditions, _ := o.array("status.conditions") // It may have none.
	for _, c := range conditions {
		c := c.(map[string]any)
		if c["type"] != "Ready" {
			continue
		}
		if want := "Unready resources: " + resources; c["status"] != "False" || c["message"] != want {
			return fmt.Errorf("condition Ready of %s is %v with %v, and not with %q", o.GetName(), c["status"], c["message"], want)
		}
		return nil
	}
	return fmt.Errorf("%s has no condition Ready", o.GetName())
}

// reportAvailable says of a Deployment that its pods run.
func reportAvailable(ctx context.Context, o object, replicas int32) error {
	d := &appsv1.Deployment{}
	if err := here.Client.Get(ctx, client.ObjectKeyFromObject(o), d); err != nil {
		return err
	}
	d.Status.ObservedGeneration = d.Generation
	d.Status.Replicas, d.Status.AvailableReplicas, d.Status.ReadyReplicas = replicas, replicas, replicas
	d.Status.Conditions = []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: corev1.ConditionTrue}}
	return here.Client.Status().Update(ctx, d)
}

// Package kubelet runs the functions that Crossplane makes Deployments of, as
// far as they need it: their images' programs as processes, with arguments,
// environment and Secrets, restarted when they end, replaced one template by
// the next without a gap, and found by the names of their Services.
package kubelet

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/function-patchwork/function-patchwork/test/e2e/sandbox"
)

// Kubelet runs the Deployments of one namespace. Its methods may be called
// concurrently.
type Kubelet struct {
	kube      client.Client
	namespace string
	files     string // where pods have their files
	logs      string // where their output goes

	mu     sync.Mutex
	pods   map[string][]*Pod // by the Deployment's name
	images map[string]*image
	made   int // pods so far

	setHosts func([]sandbox.Host) error

	exits   chan event.GenericEvent
	stopped chan struct{}
}

// New returns a Kubelet that is run by a manager, keeps the files of pods in
// one folder, their output in another one, and tells the addresses that the
// names of Services have.
func New(mgr ctrl.Manager, namespace, files, logs string, setHosts func([]sandbox.Host) error) (*Kubelet, error) {
	k := &Kubelet{
		kube: mgr.GetClient(), namespace: namespace, files: files, logs: logs, setHosts: setHosts,
		pods: map[string][]*Pod{}, images: map[string]*image{},
		exits: make(chan event.GenericEvent), stopped: make(chan struct{}),
	}
	all := handler.EnqueueRequestsFromMapFunc(k.everyDeployment)
	here := predicate.NewPredicateFuncs(func(o client.Object) bool { return o.GetNamespace() == namespace })
	return k, ctrl.NewControllerManagedBy(mgr).
		Named("kubelet").
		For(&appsv1.Deployment{}).
		Watches(&corev1.Secret{}, all).
		Watches(&corev1.Service{}, all).
		WatchesRawSource(source.Channel(k.exits, &handler.EnqueueRequestForObject{})).
		WithEventFilter(here).
		Complete(k)
}

func (k *Kubelet) everyDeployment(ctx context.Context, _ client.Object) []reconcile.Request {
	deployments := &appsv1.DeploymentList{}
	if err := k.kube.List(ctx, deployments, client.InNamespace(k.namespace)); err != nil {
		return nil
	}
	requests := make([]reconcile.Request, len(deployments.Items))
	for i := range deployments.Items {
		requests[i].NamespacedName = client.ObjectKeyFromObject(&deployments.Items[i])
	}
	return requests
}

// Pods are those of the Deployments whose pods have a label, in the order they
// were started.
func (k *Kubelet) Pods(label, value string) []*Pod {
	k.mu.Lock()
	defer k.mu.Unlock()
	var found []*Pod
	for _, name := range slices.Sorted(maps.Keys(k.pods)) {
		for _, p := range k.pods[name] {
			if p.labels[label] == value {
				found = append(found, p)
			}
		}
	}
	return found
}

// Stop stops all pods, once the manager has been stopped.
func (k *Kubelet) Stop() error {
	close(k.stopped)
	k.mu.Lock()
	defer k.mu.Unlock()
	var failed []string
	for name, pods := range k.pods {
		for _, p := range pods {
			if err := p.remove(); err != nil {
				failed = append(failed, err.Error())
			}
		}
		delete(k.pods, name)
	}
	if len(failed) > 0 {
		return fmt.Errorf("cannot stop all pods: %s", strings.Join(failed, "; "))
	}
	return nil
}

// Reconcile brings the pods of a Deployment to what it says.
func (k *Kubelet) Reconcile(ctx context.Context, r reconcile.Request) (reconcile.Result, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	deployment := &appsv1.Deployment{}
	err := k.kube.Get(ctx, r.NamespacedName, deployment)
	if apierrors.IsNotFound(err) || err == nil && deployment.DeletionTimestamp != nil {
		return reconcile.Result{}, k.keep(ctx, r.Name, nil)
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	files, err := readVolumes(ctx, k.kube, k.namespace, &deployment.Spec.Template.Spec)
	if apierrors.IsNotFound(err) {
		// Running pods keep the files they have.
		return reconcile.Result{RequeueAfter: soon}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	complete, err := k.roll(ctx, deployment, files)
	if err != nil || complete {
		return reconcile.Result{}, err
	}
	return reconcile.Result{RequeueAfter: soon}, nil
}

// soon is when something is looked at again that is under way.
const soon = 100 * time.Millisecond

// roll starts pods of the current template, and removes others when those are
// ready. It returns whether that is done.
func (k *Kubelet) roll(ctx context.Context, d *appsv1.Deployment, files volumes) (complete bool, err error) {
	revision, want := revisionOf(d), replicas(d)
	current, others, err := k.restart(d, revision, files)
	if err != nil {
		return false, err
	}
	for len(current) < want {
		p, err := k.newPod(d, revision, files)
		if err != nil {
			return false, err
		}
		current = append(current, p)
	}
	ready := 0
	for _, p := range current {
		if err := files.write(p.root); err != nil {
			return false, err
		}
		if p.ready(ctx) {
			ready++
		}
	}
	keep := append(others, current...)
	if complete = ready >= want; complete {
		keep = current[:want]
	}
	if err := k.keep(ctx, d.Name, keep); err != nil {
		return false, err
	}
	return complete, k.report(ctx, d, ready)
}

// restart starts the pods of the current template that have ended again, and
// drops others that have. It returns those of the template, and the others.
func (k *Kubelet) restart(d *appsv1.Deployment, revision string, files volumes) (current, others []*Pod, err error) {
	for _, p := range k.pods[d.Name] {
		if !p.Running() {
			if err := p.remove(); err != nil {
				return nil, nil, err
			}
			if p.Revision != revision {
				continue
			}
			again, err := k.startPod(d, revision, p.Name, p.Address, files)
			if err != nil {
				return nil, nil, err
			}
			again.Restarts = p.Restarts + 1
			p = again
		}
		if p.Revision == revision {
			current = append(current, p)
		} else {
			others = append(others, p)
		}
	}
	k.pods[d.Name] = append(slices.Clone(others), current...)
	return current, others, nil
}

// keep makes the pods of a Deployment those that are given, which takes the
// others' addresses away before they are stopped.
func (k *Kubelet) keep(ctx context.Context, deployment string, keep []*Pod) error {
	before := k.pods[deployment]
	k.pods[deployment] = keep
	if err := k.publish(ctx); err != nil {
		return err
	}
	for _, p := range before {
		if slices.Contains(keep, p) {
			continue
		}
		if err := p.remove(); err != nil {
			return err
		}
	}
	return nil
}

func (k *Kubelet) newPod(d *appsv1.Deployment, revision string, files volumes) (*Pod, error) {
	k.made++
	p, err := k.startPod(d, revision, fmt.Sprintf("%s-%d", d.Name, k.made), fmt.Sprintf("127.1.%d.%d", k.made/250, k.made%250+1), files)
	if err == nil {
		k.pods[d.Name] = append(k.pods[d.Name], p)
	}
	return p, err
}

func (k *Kubelet) startPod(d *appsv1.Deployment, revision, name, address string, files volumes) (*Pod, error) {
	reference := d.Spec.Template.Spec.Containers[0].Image
	img, ok := k.images[reference]
	if !ok {
		var err error
		if img, err = pull(reference); err != nil {
			return nil, err
		}
		k.images[reference] = img
	}
	pod, err := start(k.logs, filepath.Join(k.files, name), name, address, &d.Spec.Template, img, files)
	if err != nil {
		return nil, err
	}
	pod.Revision = revision
	go func() {
		<-pod.Exited()
		select {
		case k.exits <- event.GenericEvent{Object: d}:
		case <-k.stopped:
		}
	}()
	return pod, nil
}

// publish lets the names of Services resolve to the addresses of their pods.
func (k *Kubelet) publish(ctx context.Context) error {
	services := &corev1.ServiceList{}
	if err := k.kube.List(ctx, services, client.InNamespace(k.namespace)); err != nil {
		return err
	}
	var hosts []sandbox.Host
	for i := range services.Items {
		s := &services.Items[i]
		for _, pods := range k.pods {
			for _, p := range pods {
				if p.Running() && p.ready(ctx) && selects(s.Spec.Selector, p.labels) {
					hosts = append(hosts, sandbox.Host{Address: p.Address, Name: s.Name + "." + s.Namespace})
				}
			}
		}
	}
	slices.SortFunc(hosts, func(a, b sandbox.Host) int { return strings.Compare(a.Name+a.Address, b.Name+b.Address) })
	return k.setHosts(hosts)
}

func selects(selector, labels map[string]string) bool {
	for name, value := range selector {
		if labels[name] != value {
			return false
		}
	}
	return len(selector) > 0
}

// report tells the Deployment how many of its pods are ready.
func (k *Kubelet) report(ctx context.Context, d *appsv1.Deployment, ready int) error {
	current := &appsv1.Deployment{}
	if err := k.kube.Get(ctx, types.NamespacedName{Namespace: d.Namespace, Name: d.Name}, current); err != nil {
		return client.IgnoreNotFound(err)
	}
	want := int32(replicas(d))
	available := corev1.ConditionFalse
	if int32(ready) >= want {
		available = corev1.ConditionTrue
	}
	if s := current.Status; s.ReadyReplicas == int32(ready) && s.ObservedGeneration == d.Generation && len(s.Conditions) == 1 &&
		s.Conditions[0].Status == available {
		return nil
	}
	current.Status = appsv1.DeploymentStatus{
		ObservedGeneration: d.Generation, Replicas: max(want, int32(ready)), ReadyReplicas: int32(ready),
		AvailableReplicas: int32(ready), UpdatedReplicas: int32(ready),
		Conditions: []appsv1.DeploymentCondition{{Type: appsv1.DeploymentAvailable, Status: available, Reason: "Pods"}},
	}
	return k.kube.Status().Update(ctx, current)
}

func replicas(d *appsv1.Deployment) int {
	if d.Spec.Replicas == nil {
		return 1
	}
	return int(*d.Spec.Replicas)
}

// revisionOf is the same for the same template.
func revisionOf(d *appsv1.Deployment) string {
	hash := fnv.New64a()
	_ = json.NewEncoder(hash).Encode(d.Spec.Template) // A template and a hash take anything.
	return fmt.Sprintf("%016x", hash.Sum64())
}

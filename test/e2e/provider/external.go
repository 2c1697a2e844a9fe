package provider

import (
	"context"
	"maps"
	"reflect"

	xpv2 "github.com/crossplane/crossplane/apis/v2/core/v2"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	"github.com/crossplane/crossplane-runtime/v2/pkg/meta"
	"github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// An external client does with the cloud what a managed resource of a kind asks
// for. It has no state.
type external struct {
	cloud *cloud.Cloud
	kind  kind
}

var _ managed.TypedExternalClient[Object] = &external{}

// Connect returns the client, whoever asks.
func (e *external) Connect(context.Context, Object) (managed.TypedExternalClient[Object], error) {
	return e, nil
}

// Disconnect does nothing.
func (e *external) Disconnect(context.Context) error {
	return nil
}

// Observe looks for the resource that the external name says. There is none
// before there is a name, as the cloud generates those. A resource that is not
// available yet, or that is going away, counts as up to date: it cannot be updated.
func (e *external) Observe(_ context.Context, o Object) (managed.ExternalObservation, error) {
	id := meta.GetExternalName(o)
	if id == "" {
		return managed.ExternalObservation{}, nil
	}
	res, err := e.cloud.Describe(e.kind.cloud, id)
	if cloud.Is(err, cloud.NotFound) {
		return managed.ExternalObservation{}, nil
	}
	if err != nil {
		return managed.ExternalObservation{}, err
	}
	observed := maps.Clone(res.Properties)
	maps.Copy(observed, res.Outputs)
	observed["id"], observed["state"] = res.ID, string(res.State)

	late, err := e.report(o, e.kind.fields(observed))
	if err != nil {
		return managed.ExternalObservation{}, err
	}
	o.SetConditions(ready(res.State))
	differing, err := e.differing(o, res)
	if err != nil {
		return managed.ExternalObservation{}, err
	}
	return managed.ExternalObservation{
		ResourceExists:          true,
		ResourceUpToDate:        len(differing) == 0,
		ResourceLateInitialized: late,
		ConnectionDetails:       details(res),
	}, nil
}

// Create makes a resource of forProvider, and of initProvider where that says
// nothing. An external name that was set before there was a resource is its id.
func (e *external) Create(_ context.Context, o Object) (managed.ExternalCreation, error) {
	o.SetConditions(xpv2.Creating())
	forProvider, initProvider, _ := o.Parts()
	wanted, err := e.properties(initProvider)
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	always, err := e.properties(forProvider)
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	maps.Copy(wanted, always)
	res, err := e.cloud.Create(cloud.Request{
		Kind: e.kind.cloud, ID: meta.GetExternalName(o), Owner: owner(o), Properties: wanted,
	})
	if err != nil {
		return managed.ExternalCreation{}, err
	}
	meta.SetExternalName(o, res.ID)
	return managed.ExternalCreation{ConnectionDetails: details(res)}, nil
}

// Update sets those properties of the resource that differ from forProvider.
func (e *external) Update(_ context.Context, o Object) (managed.ExternalUpdate, error) {
	id := meta.GetExternalName(o)
	res, err := e.cloud.Describe(e.kind.cloud, id)
	if err != nil {
		return managed.ExternalUpdate{}, err
	}
	differing, err := e.differing(o, res)
	if err != nil || len(differing) == 0 {
		return managed.ExternalUpdate{}, err
	}
	return managed.ExternalUpdate{}, e.cloud.Update(e.kind.cloud, id, differing)
}

// Delete asks for the resource to be gone, which it is later.
func (e *external) Delete(_ context.Context, o Object) (managed.ExternalDelete, error) {
	o.SetConditions(xpv2.Deleting())
	err := e.cloud.Delete(e.kind.cloud, meta.GetExternalName(o))
	if cloud.Is(err, cloud.NotFound) {
		err = nil
	}
	return managed.ExternalDelete{}, err
}

// report writes what was observed to atProvider, and to those fields of
// forProvider that are late initialized and set nowhere. It tells whether it
// wrote any of those.
func (e *external) report(o Object, observed values) (late bool, err error) {
	forProvider, initProvider, atProvider := o.Parts()
	// What is not observed any more is not kept.
	reflect.ValueOf(atProvider).Elem().SetZero()
	if err := read(observed, atProvider); err != nil {
		return false, err
	}
	if len(e.kind.late) == 0 {
		return false, nil
	}
	wanted, err := write(forProvider)
	if err != nil {
		return false, err
	}
	initially, err := write(initProvider)
	if err != nil {
		return false, err
	}
	for _, field := range e.kind.late {
		_, always := wanted[field]
		_, initial := initially[field]
		if value, known := observed[field]; known && !always && !initial {
			wanted[field], late = value, true
		}
	}
	if !late {
		return false, nil
	}
	return true, read(wanted, forProvider)
}

// differing returns the properties that forProvider sets, and that the resource
// has otherwise. There are none while they cannot be updated.
func (e *external) differing(o Object, res cloud.Resource) (values, error) {
	if res.State == cloud.Creating || res.State == cloud.Deleting {
		return nil, nil
	}
	forProvider, _, _ := o.Parts()
	wanted, err := e.properties(forProvider)
	if err != nil {
		return nil, err
	}
	for name, value := range wanted {
		if reflect.DeepEqual(value, res.Properties[name]) {
			delete(wanted, name)
		}
	}
	return wanted, nil
}

// properties returns the cloud's properties of forProvider or initProvider.
func (e *external) properties(part any) (values, error) {
	fields, err := write(part)
	if err != nil {
		return nil, err
	}
	return e.kind.properties(fields)
}

// write returns the fields of a part of a managed resource that are set.
func write(part any) (values, error) {
	v, err := runtime.DefaultUnstructuredConverter.ToUnstructured(part)
	return v, errors.Wrapf(err, "cannot read %T", part)
}

// read sets the fields of a part of a managed resource.
func read(v values, part any) error {
	return errors.Wrapf(runtime.DefaultUnstructuredConverter.FromUnstructured(v, part), "cannot set %T", part)
}

// ready returns the condition of a managed resource whose external resource is in a state.
func ready(s cloud.State) xpv2.Condition {
	switch s {
	case cloud.Available, cloud.Updating:
		return xpv2.Available()
	case cloud.Creating:
		return xpv2.Creating()
	case cloud.Deleting:
		return xpv2.Deleting()
	}
	return xpv2.Unavailable()
}

func details(res cloud.Resource) managed.ConnectionDetails {
	out := make(managed.ConnectionDetails, len(res.Connection))
	for k, v := range res.Connection {
		out[k] = []byte(v)
	}
	return out
}

// What Crossplane writes to the resources of a composition.
const (
	labelComposite     = "crossplane.io/composite"
	annotationResource = "crossplane.io/composition-resource-name"
)

func owner(o Object) cloud.Owner {
	return cloud.Owner{
		Namespace: o.GetNamespace(),
		Name:      o.GetName(),
		Composite: o.GetLabels()[labelComposite],
		Resource:  o.GetAnnotations()[annotationResource],
	}
}

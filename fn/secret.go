package fn

import (
	"encoding/base64"
	"errors"
	"fmt"
	"maps"

	"github.com/function-patchwork/function-patchwork/patch"
	"github.com/function-patchwork/function-patchwork/patch/fieldpath"
	"github.com/function-patchwork/function-patchwork/proto"
)

// connectionSecretType is the type that Crossplane gives connection Secrets.
const connectionSecretType = "connection.crossplane.io/v1alpha1"

var (
	modernPath      = fieldpath.Fields("spec", "crossplane")
	nameOfXR        = fieldpath.Fields("metadata", "name")
	namespaceOfXR   = fieldpath.Fields("metadata", "namespace")
	refName         = fieldpath.Fields("name")
	refNamespace    = fieldpath.Fields("namespace")
	xrRefName       = fieldpath.Fields("spec", "writeConnectionSecretToRef", "name")
	xrRefNamespace  = fieldpath.Fields("spec", "writeConnectionSecretToRef", "namespace")
	errNoNameOfXR   = errors.New("the observed composite resource has no metadata.name to name its connection Secret after")
	errSecretExists = errors.New("is the name of a resource of the input, and of the composed connection Secret")
)

// connectionSecret composes the Secret that holds the connection details of a
// modern composite resource, which cannot have any itself.
func (r *run) connectionSecret() error {
	_, modern, err := r.observedXR.Get(modernPath)
	if err != nil || !modern {
		return nil //nolint:nilerr // What has no such field is a classic one.
	}
	details := r.request.Desired().Composite().ConnectionDetails()
	if len(details)+len(r.response.ConnectionDetails) == 0 {
		return nil
	}
	data := make(map[string]any, len(details))
	for k, v := range details {
		data[k] = base64.StdEncoding.EncodeToString(v)
	}
	for k, v := range r.response.ConnectionDetails {
		data[k] = base64.StdEncoding.EncodeToString(v)
	}
	return r.addSecret(data)
}

func (r *run) addSecret(data map[string]any) error {
	xr, err := r.get(nameOfXR)
	if err != nil {
		return err
	}
	if xr == "" {
		return errNoNameOfXR
	}
	name := xr + "-connection-secret"
	if _, taken := r.response.Resources[name]; taken {
		return fmt.Errorf("%q %w", name, errSecretExists)
	}
	metadata, err := r.secretMetadata(xr)
	if err != nil {
		return err
	}
	secret := map[string]any{
		"apiVersion": "v1", "kind": secretKind, "type": connectionSecretType,
		"metadata": metadata, "data": data,
	}
	draft := fieldpath.NewDraft(fieldpath.Freeze(secret), r.budget, r.memory)
	r.response.Resources[name] = &proto.Desired{Object: draft, Ready: proto.ReadyTrue}
	return nil
}

// secretMetadata names and places the Secret: as the composite resource asks
// for, else as the input does, else after the composite resource. The patches of
// the input come last.
func (r *run) secretMetadata(xr string) (map[string]any, error) {
	name, err := r.get(xrRefName)
	if err != nil {
		return nil, err
	}
	namespace, err := r.get(xrRefNamespace)
	if err != nil {
		return nil, err
	}
	if name == "" && namespace == "" {
		name, namespace = r.program.secret.name, r.program.secret.namespace
	}
	if name == "" && namespace == "" {
		if namespace, err = r.get(namespaceOfXR); err != nil {
			return nil, err
		}
	}
	ref, err := r.patchedReference(or(name, xr+"-connection"), namespace)
	if err != nil {
		return nil, err
	}
	maps.DeleteFunc(ref, func(_ string, v any) bool { return v == "" })
	return ref, nil
}

func (r *run) patchedReference(name, namespace string) (map[string]any, error) {
	ref := map[string]any{"name": name, "namespace": namespace}
	patched := &document{draft: fieldpath.NewDraft(fieldpath.Freeze(ref), r.budget, r.memory)}
	for _, p := range r.program.secret.patches {
		if err := r.referencePatch(p, patched); err != nil {
			return nil, err
		}
	}
	out := make(map[string]any, len(ref))
	for _, path := range []fieldpath.Path{refName, refNamespace} {
		v, _, err := patched.draft.Get(path)
		if err != nil {
			return nil, err
		}
		if _, ok := v.(string); !ok {
			return nil, &fieldpath.ValueError{
				Value: v, Hide: patched.secret,
				Problem: fmt.Sprintf("writeConnectionSecretToRef: the %s of the connection Secret must be a string", path),
			}
		}
		out[path.String()] = v
	}
	if out["name"] == "" {
		out["name"] = name
	}
	return out, nil
}

func (r *run) referencePatch(p *patch.Patch, reference *document) error {
	s := &scene{run: r}
	if applies, err := s.applies(p); err != nil || !applies {
		return err
	}
	found, err := r.apply(p, s, reference)
	if err == nil && !found && p.Required {
		err = fmt.Errorf("%s: policy.fromFieldPath is Required: %s", p.At, p.Missing(s))
	}
	return err
}

// get returns a string of the observed composite resource, or nothing.
func (r *run) get(path fieldpath.Path) (string, error) {
	v, _, err := r.observedXR.Get(path)
	if err != nil {
		return "", fmt.Errorf("the observed composite resource: %w", err)
	}
	s, _ := v.(string)
	return s, nil
}

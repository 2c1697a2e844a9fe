package scenarios

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
)

// A team has databases: composite resources in its namespace, or claims of
// composite resources that are cluster-scoped, as they were before Crossplane 2.
type team struct {
	*story

	claims    bool
	asked     kind
	composite kind
	databases kind
}

// teams tells a story of a team with composite resources, and one of a team with
// claims. Both begin with the XRD and the story's composition.yaml, if not empty.
func teams(t *testing.T, name, composition string, happens func(*team)) {
	t.Helper()
	t.Parallel()
	t.Run("Namespaced", func(t *testing.T) {
		s := tell(t, name)
		k := kind{name + ".example.org/v1", "Database"}
		(&team{story: s, asked: k, composite: k, databases: databaseKind}).begin(name, "namespaced.yaml", composition, happens)
	})
	t.Run("Claim", func(t *testing.T) {
		s := tell(t, name+"-claim")
		group := s.name + ".example.org/v1"
		(&team{
			story: s, claims: true, asked: kind{group, "DatabaseClaim"}, composite: kind{group, "XDatabase"},
			databases: clusterDatabaseKind,
		}).begin(name, "claim.yaml", composition, happens)
	})
}

func (t *team) begin(folder, definition, composition string, happens func(*team)) {
	t.Helper()
	t.folder = filepath.Join("testdata", "daytwo")
	t.apply(definition)
	t.folder = filepath.Join("testdata", folder)
	t.applies(composition)
	happens(t)
}

// applies applies manifests that are the same for both teams but for the kinds.
func (t *team) applies(file string, pairs ...string) {
	t.Helper()
	group, _, _ := strings.Cut(t.databases.apiVersion, ".example.org")
	t.apply(file, append(pairs, "asked", t.asked.kind, "composite", t.composite.kind, "provider", group)...)
}

// asks reads what the team has written.
func (t *team) asks(name string) object {
	t.Helper()
	o, err := t.get(t.asked, t.namespace, name)
	t.must(err)
	return o
}

// xr reads the composite resource of a name that the team has written.
func (t *team) xr(name string) (object, error) {
	if t.claims {
		return t.story.composite(t.asked, t.namespace, name, t.composite.kind)
	}
	return t.get(t.asked, t.namespace, name)
}

// change merges a patch into an object, as kubectl patch --type merge does.
func (t *team) change(o object, patch string) {
	t.Helper()
	t.must(here.Client.Patch(t.Context(), o.DeepCopy(), client.RawPatch(types.MergePatchType, []byte(patch))))
}

// annotate sets an annotation, as kubectl annotate does, or removes it if the
// value is empty.
func (t *team) annotate(o object, name, value string) {
	t.Helper()
	text := "null"
	if value != "" {
		text = fmt.Sprintf("%q", value)
	}
	t.change(o, fmt.Sprintf(`{"metadata":{"annotations":{%q:%s}}}`, name, text))
}

const asksForReconciliation = "crossplane.io/reconcile-requested-at"

// settled asks for the reconciliation of what the team has written, and waits
// until it has happened to the resources composed of it, which have to be those
// of the names: the compositions hand the annotation on. Then all that was
// changed before has had its effect in the cloud, and all is ready.
func (t *team) settled(name string, resources ...string) (xr object, composed map[string]object) {
	t.Helper()
	token := t.asksForAll(name)
	t.eventually(name+" has settled", func() (err error) {
		if xr, err = t.xr(name); err != nil {
			return err
		}
		if composed, err = t.composed(xr); err != nil {
			return err
		}
		wrong := []error{xr.ready()}
		if got := slices.Sorted(maps.Keys(composed)); !slices.Equal(got, resources) {
			wrong = append(wrong, fmt.Errorf("it is composed of %q, and not of %q", got, resources))
		}
		for _, o := range composed {
			wrong = append(wrong, o.has(map[string]any{"status.lastHandledReconcileAt": token}), o.ready())
		}
		return errors.Join(wrong...)
	})
	return xr, composed
}

// asksForAll asks for the reconciliation of what the team has written, and of
// what is composed of it. It returns what the annotation then has.
func (t *team) asksForAll(name string) string {
	t.Helper()
	token := time.Now().Format(time.RFC3339Nano)
	t.annotate(t.asks(name), asksForReconciliation, token)
	return token
}

// did sees that the cloud has done this, and nothing else, for a composite
// resource since a mark.
func (t *team) did(mark int, xr object, want ...string) {
	t.Helper()
	t.happened(cloud.Filter{Since: mark, Namespace: xr.GetNamespace(), Composite: xr.GetName()}, want...)
}

// happened sees that the cloud has done this, and nothing else, to what a filter
// selects: an operation, the resource's name in the composition and, of updates,
// the properties that were set.
func (t *team) happened(f cloud.Filter, want ...string) {
	t.Helper()
	var got []string
	for _, e := range here.Cloud.Events(f) {
		if e.Err != nil || e.Operation == cloud.Drifted {
			continue
		}
		text := string(e.Operation) + " " + e.Owner.Resource
		if e.Operation == cloud.Update {
			for _, p := range slices.Sorted(maps.Keys(e.Properties)) {
				text += fmt.Sprintf(" %s=%v", p, e.Properties[p])
			}
		}
		got = append(got, text)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the cloud has not done what it should (-want +got):\n%s", diff)
	}
}

// same sees that resources are those that they were, and not new ones with
// their names.
func (t *team) same(before, after map[string]object) {
	t.Helper()
	for name, was := range before {
		is, ok := after[name]
		if !ok {
			t.Errorf("%s is gone", name)
			continue
		}
		t.check(is.has(map[string]any{
			"metadata.uid":               was.value("metadata.uid"),
			"metadata.name":              was.value("metadata.name"),
			"metadata.creationTimestamp": was.value("metadata.creationTimestamp"),
			"metadata.annotations[crossplane.io/external-name]": was.value("metadata.annotations[crossplane.io/external-name]"),
		}))
	}
}

// check tells of an error, and goes on with the story.
func (t *team) check(err error) {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
}

// existence reads the resource in the cloud that a composed resource is of.
func (t *team) existence(o object) cloud.Resource {
	t.Helper()
	id := o.GetAnnotations()["crossplane.io/external-name"]
	res, ok := here.Cloud.Get(id)
	if !ok {
		t.Fatalf("%s %s is %q in the cloud, which has none", o.GetKind(), o.GetName(), id)
	}
	return res
}

// existing makes a database in the cloud that nobody has asked for in the
// cluster, and returns its id.
func (t *team) existing() string {
	t.Helper()
	id := "db-" + t.name
	t.eventually("the cloud makes "+id, func() error {
		_, err := here.Cloud.Create(cloud.Request{
			Kind: cloud.Database, ID: id, Owner: cloud.Owner{Resource: "database"},
			Properties: map[string]any{"region": "eu", "engine": "postgres", "storageGB": 20, "class": "large"},
		})
		return err
	})
	return id
}

// deleted deletes what the team has written, and waits until it, the composite
// resource and all that is composed of it are gone.
func (t *team) deleted(name string) {
	t.Helper()
	xr, err := t.xr(name)
	t.must(err)
	asked := t.asks(name)
	t.must(here.Client.Delete(t.Context(), asked))
	t.eventually(name+" is gone", func() error {
		for _, o := range []object{asked, xr} {
			_, err := t.get(kind{o.GetAPIVersion(), o.GetKind()}, o.GetNamespace(), o.GetName())
			if err == nil {
				return fmt.Errorf("there is still %s %s", o.GetKind(), o.GetName())
			}
			if !apierrors.IsNotFound(err) {
				return err
			}
		}
		all, err := t.list(t.databases, xr.GetNamespace())
		for _, o := range all {
			if o.GetLabels()["crossplane.io/composite"] == xr.GetName() {
				return fmt.Errorf("there is still %s %s: %w", o.GetKind(), o.GetName(), o.ready())
			}
		}
		return err
	})
}

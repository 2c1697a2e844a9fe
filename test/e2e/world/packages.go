package world

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"
	pkgv1beta1 "github.com/crossplane/crossplane/apis/v2/pkg/v1beta1"
)

// registry is the one that packages are installed from as users know it. An
// ImageConfig has Crossplane pull them from the cluster's registry instead.
const registry = "ghcr.io/function-patchwork"

// mirror has Crossplane take the packages from the cluster's registry.
func (w *World) mirror(ctx context.Context) error {
	return w.Client.Create(ctx, &pkgv1beta1.ImageConfig{
		ObjectMeta: metav1.ObjectMeta{Name: "mirror"},
		Spec: pkgv1beta1.ImageConfigSpec{
			MatchImages:  []pkgv1beta1.ImageMatch{{Type: pkgv1beta1.Prefix, Prefix: registry + "/"}},
			RewriteImage: &pkgv1beta1.ImageRewrite{Prefix: w.Registry + "/"},
		},
	})
}

// Push pushes a package to the cluster's registry, and returns the reference
// that it can be installed by.
func (w *World) Push(name, version string) (string, error) {
	return w.pushTo(name, name, version)
}

// pushTo pushes a package to a repository of another name.
func (w *World) pushTo(repository, name, version string) (string, error) {
	file := repository + ":" + version
	files, err := w.places.packages(name, version)
	if err != nil {
		return "", err
	}
	push := exec.Command(filepath.Join(w.places.Bin, "crossplane-cli"), //nolint:noctx // It is quick.
		"xpkg", "push", "--package-files="+strings.Join(files, ","), w.Registry+"/"+file)
	push.Env = append(os.Environ(), "HOME="+w.places.Memory)
	if out, err := push.CombinedOutput(); err != nil {
		return "", fmt.Errorf("cannot push %s: %w: %s", file, err, out)
	}
	return registry + "/" + file, nil
}

// Install installs a function from a package that was pushed, with a
// DeploymentRuntimeConfig unless its name is empty, or changes it to that. It
// waits until the function is healthy.
func (w *World) Install(ctx context.Context, name, reference, runtimeConfig string) error {
	f := &pkgv1.Function{ObjectMeta: metav1.ObjectMeta{Name: name}}
	f.SetGroupVersionKind(pkgv1.FunctionGroupVersionKind)
	f.Spec.Package = reference
	if runtimeConfig != "" {
		f.Spec.RuntimeConfigReference = &pkgv1.RuntimeConfigReference{Name: runtimeConfig}
	}
	if err := w.Client.Patch(ctx, f, client.Apply, client.FieldOwner("e2e"), client.ForceOwnership); err != nil { //nolint:staticcheck // See apply.
		return err
	}
	return w.WaitHealthy(ctx, name, reference)
}

// WaitHealthy waits until a function's current package is installed and healthy.
func (w *World) WaitHealthy(ctx context.Context, name, reference string) error {
	f := &pkgv1.Function{}
	err := wait.PollUntilContextTimeout(ctx, 100*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		if err := w.Client.Get(ctx, client.ObjectKey{Name: name}, f); err != nil {
			return false, err
		}
		return f.Status.CurrentIdentifier == reference &&
			f.GetCondition(pkgv1.TypeInstalled).Status == "True" && f.GetCondition(pkgv1.TypeHealthy).Status == "True", nil
	})
	if err != nil {
		return fmt.Errorf("function %s is not healthy: %w: %s; %s", name, err,
			f.GetCondition(pkgv1.TypeInstalled).Message, f.GetCondition(pkgv1.TypeHealthy).Message)
	}
	return nil
}

// Package world is what the tests take place in: a cluster with Crossplane, the
// function as a package that Crossplane's package manager has installed, and a
// provider with a cloud.
package world

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"

	pkgv1 "github.com/crossplane/crossplane/apis/v2/pkg/v1"
	pkgv1beta1 "github.com/crossplane/crossplane/apis/v2/pkg/v1beta1"

	"github.com/function-patchwork/function-patchwork/test/e2e/cloud"
	"github.com/function-patchwork/function-patchwork/test/e2e/cluster"
	"github.com/function-patchwork/function-patchwork/test/e2e/provider"
)

// Places are the folders that a world is made from, and writes to.
type Places struct {
	Bin    string // the programs and packages
	Memory string // what need not be kept
	Logs   string // the output of programs, and what is dumped
}

// The variables of the environment that name the places.
const (
	binVariable    = "E2E_BIN"
	memoryVariable = "E2E_MEMORY"
	logsVariable   = "E2E_LOGS"
)

// FromEnvironment reads the places from the environment, where Environment put
// them.
func FromEnvironment() (Places, error) {
	p := Places{Bin: os.Getenv(binVariable), Memory: os.Getenv(memoryVariable), Logs: os.Getenv(logsVariable)}
	if p.Bin == "" || p.Memory == "" || p.Logs == "" {
		return p, errors.New("these tests need programs that are built for them, and a network of their own: run make e2e")
	}
	return p, nil
}

// Environment has the places as variables.
func (p Places) Environment() []string {
	return []string{binVariable + "=" + p.Bin, memoryVariable + "=" + p.Memory, logsVariable + "=" + p.Logs}
}

// packages are the paths of a package's files, one for each platform.
func (p Places) packages(name, version string) ([]string, error) {
	pattern := filepath.Join(p.Bin, "packages", fmt.Sprintf("%s-%s-*.xpkg", name, version))
	files, err := filepath.Glob(pattern)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("there are no files %s", pattern)
	}
	return files, err
}

// The functions that are installed, and the versions of this one's package.
const (
	Function = "function-patchwork"
	// EnvironmentFunction stands in for the one of this name, whose input it
	// takes; EnvironmentPackage is the package that it is installed from.
	EnvironmentFunction = "function-environment-configs"
	EnvironmentPackage  = "function-environment"
	// BarePackage is this function without the CRD of its input, which only one
	// of a cluster's packages can own.
	BarePackage = "function-patchwork-bare"
	Version     = "v0.1.0"
	NextVersion = "v0.2.0"
)

// World is one that runs.
type World struct {
	*cluster.Cluster
	Cloud *cloud.Cloud

	places   Places
	cancel   context.CancelFunc
	provider chan error
}

// Start makes a world. What was started is stopped again when something fails.
func Start(ctx context.Context, places Places) (_ *World, err error) {
	scheme, err := newScheme()
	if err != nil {
		return nil, err
	}
	if err := logTo(filepath.Join(places.Logs, "tests.log")); err != nil {
		return nil, err
	}
	w := &World{places: places}
	w.Cluster, err = cluster.Start(ctx, cluster.Options{Bin: places.Bin, Memory: places.Memory, Logs: places.Logs, Scheme: scheme})
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Dump(), w.Stop())
		}
	}()
	if err := w.startProvider(ctx); err != nil {
		return nil, fmt.Errorf("cannot start the provider: %w", err)
	}
	if err := w.mirror(ctx); err != nil {
		return nil, err
	}
	for _, f := range []struct{ name, pkg string }{
		{Function, Function},
		{EnvironmentFunction, EnvironmentPackage},
	} {
		reference, err := w.Push(f.pkg, Version)
		if err != nil {
			return nil, err
		}
		if err := w.Install(ctx, f.name, reference, ""); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// Stop stops everything.
func (w *World) Stop() error {
	var all []error
	if w.provider != nil {
		w.cancel()
		all = append(all, <-w.provider)
	}
	return errors.Join(append(all, w.Cluster.Stop())...)
}

func newScheme() (*runtime.Scheme, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{
		clientscheme.AddToScheme, extv1.AddToScheme, pkgv1.AddToScheme, pkgv1beta1.AddToScheme, provider.AddToScheme,
	} {
		if err := add(scheme); err != nil {
			return nil, err
		}
	}
	return scheme, nil
}

// logTo has what runs in this process write its log to a file: controllers,
// the garbage collector and clients.
func logTo(path string) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	klog.InitFlags(flags)
	for name, value := range map[string]string{"logtostderr": "false", "stderrthreshold": "FATAL"} {
		if err := flags.Set(name, value); err != nil {
			return err
		}
	}
	klog.SetOutput(file)
	ctrl.SetLogger(klog.Background())
	return nil
}

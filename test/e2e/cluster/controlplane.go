package cluster

import (
	"errors"
	"os"
	"path/filepath"

	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// controlPlane is etcd and a kube-apiserver.
type controlPlane struct {
	env  *envtest.Environment
	logs []*os.File
}

// startControlPlane starts the programs of a folder, with etcd's data in
// memory. The API server listens on loopback.
func startControlPlane(bin, memory, logs string) (*controlPlane, *rest.Config, error) {
	c := &controlPlane{env: &envtest.Environment{BinaryAssetsDirectory: bin}}
	etcd, apiserver := &envtest.Etcd{}, &envtest.APIServer{}
	c.env.ControlPlane.Etcd, c.env.ControlPlane.APIServer = etcd, apiserver

	etcd.DataDir = filepath.Join(memory, "etcd")
	etcd.Configure().Append("unsafe-no-fsync") // Its data is in memory, where nothing is synced.
	apiserver.Configure().
		Set("advertise-address", "127.0.0.1").
		Set("endpoint-reconciler-type", "none").
		// It guards against too many clients, of which there are few.
		Set("enable-priority-and-fairness", "false").
		Set("max-requests-inflight", "0").
		Set("max-mutating-requests-inflight", "0")

	for name, outputs := range map[string]func(*os.File){
		"etcd":           func(f *os.File) { etcd.Out, etcd.Err = f, f },
		"kube-apiserver": func(f *os.File) { apiserver.Out, apiserver.Err = f, f },
	} {
		file, err := os.Create(filepath.Join(logs, name+".log"))
		if err != nil {
			return nil, nil, err
		}
		c.logs = append(c.logs, file)
		outputs(file)
	}
	config, err := c.env.Start()
	if err != nil {
		return nil, nil, errors.Join(err, c.stop())
	}
	// The tests' own clients wait for no quota.
	config.QPS, config.Burst = -1, -1
	return c, config, nil
}

func (c *controlPlane) stop() error {
	err := c.env.Stop()
	for _, file := range c.logs {
		err = errors.Join(err, file.Close())
	}
	return err
}

package kubelet

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// volumes are the files of Secrets, by the folder they are mounted at.
type volumes map[string]map[string][]byte

// readVolumes reads the Secrets that the first container of a pod mounts.
func readVolumes(ctx context.Context, kube client.Reader, namespace string, pod *corev1.PodSpec) (volumes, error) {
	secrets := map[string]*corev1.SecretVolumeSource{}
	for _, v := range pod.Volumes {
		if v.Secret == nil {
			return nil, fmt.Errorf("volume %q is no Secret", v.Name)
		}
		secrets[v.Name] = v.Secret
	}
	all := volumes{}
	for _, mount := range pod.Containers[0].VolumeMounts {
		source, ok := secrets[mount.Name]
		if !ok {
			return nil, fmt.Errorf("there is no volume %q", mount.Name)
		}
		secret := &corev1.Secret{}
		if err := kube.Get(ctx, types.NamespacedName{Namespace: namespace, Name: source.SecretName}, secret); err != nil {
			return nil, err
		}
		files := map[string][]byte{}
		for _, item := range source.Items {
			content, ok := secret.Data[item.Key]
			if !ok {
				return nil, fmt.Errorf("secret %q has no %q", source.SecretName, item.Key)
			}
			files[item.Path] = content
		}
		if len(source.Items) == 0 {
			files = secret.Data
		}
		all[mount.MountPath] = files
	}
	return all, nil
}

// write writes the volumes below a root, each all at once: the files of a
// volume are links through one link, ..data, which is switched to the new ones.
// A real kubelet does the same, so that a certificate is never seen with
// another one's key. Volumes that have these files already are left alone.
func (v volumes) write(root string) error {
	for at, files := range v {
		folder := filepath.Join(root, at)
		if same(folder, files) {
			continue
		}
		if err := writeVolume(folder, files); err != nil {
			return fmt.Errorf("cannot write %s: %w", at, err)
		}
	}
	return nil
}

func writeVolume(folder string, files map[string][]byte) error {
	if err := os.MkdirAll(folder, 0o755); err != nil { //nolint:gosec // The program's user reads it.
		return err
	}
	current, err := os.MkdirTemp(folder, "..")
	if err != nil {
		return err
	}
	if err := os.Chmod(current, 0o755); err != nil { //nolint:gosec // The program's user reads it.
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(current, name), content, 0o644); err != nil { //nolint:gosec // As above.
			return err
		}
	}
	data, next := filepath.Join(folder, "..data"), filepath.Join(folder, "..data_next")
	old, _ := os.Readlink(data) // There may be none.
	if err := os.Symlink(filepath.Base(current), next); err != nil {
		return err
	}
	if err := os.Rename(next, data); err != nil {
		return err
	}
	for name := range files {
		link := filepath.Join(folder, name)
		if _, err := os.Lstat(link); err == nil {
			continue
		}
		if err := os.Symlink(filepath.Join("..data", name), link); err != nil {
			return err
		}
	}
	if old != "" {
		return os.RemoveAll(filepath.Join(folder, old))
	}
	return nil
}

func same(folder string, files map[string][]byte) bool {
	for name, content := range files {
		existing, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil || !bytes.Equal(existing, content) {
			return false
		}
	}
	return len(files) > 0
}

package scenarios

import (
	"errors"
	"testing"

	"github.com/function-patchwork/function-patchwork/test/e2e/kubelet"
	"github.com/function-patchwork/function-patchwork/test/e2e/world"
)

// The function is killed, told to stop, upgraded and downgraded, while fifty
// composite resources change all the time. All of them get where they should,
// and nothing that they compose is deleted or made again.
func TestRestarts(t *testing.T) {
	s := tell(t, "restarts")
	f := s.install("function-patchwork-restarts", "")
	c := s.gather(f.name, 50)
	stop := c.change()
	defer stop()
	f.serves(1, world.Version)

	killed := f.pods()[0]
	killed.Kill()
	f.restarted(killed)
	f.serves(1, world.Version)

	drained := f.pods()[0]
	f.drains(drained)
	f.restarted(drained)
	f.serves(1, world.Version)

	// Crossplane looks up the addresses of pods every 30 seconds at the most.
	// Calls wait until then.
	for _, version := range []string{world.NextVersion, world.Version} {
		old := f.pods()[0]
		f.change(version, "")
		f.serves(1, version)
		if err := old.Stopped(); err != nil {
			t.Errorf("the pod that %s took the place of ended with %v", version, err)
		}
	}
	stop()
	s.eventually("the crowd has settled", c.settled)
	c.unharmed()
	f.wasRestarted(0)
}

// restarted waits until there is another process in the place of one that ended.
func (f *function) restarted(ended *kubelet.Pod) {
	f.Helper()
	f.eventually(ended.Name+" is started again", func() error {
		for _, p := range f.pods() {
			if p.Name == ended.Name && p != ended && p.Restarts == ended.Restarts+1 {
				return nil
			}
		}
		return errors.New("it is not there")
	})
}

// wasRestarted sees that pods were started again only as often as a test ended
// them, since they took others' places.
func (f *function) wasRestarted(want int) {
	f.Helper()
	restarts := 0
	for _, p := range f.pods() {
		restarts += p.Restarts
	}
	if restarts != want {
		f.Errorf("pods were started again %d times, and not %d: see their logs", restarts, want)
	}
}

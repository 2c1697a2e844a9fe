package child

import "sync"

// tail keeps the last of what is written to it. It is safe for concurrent use.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

// most is how much a tail keeps.
const most = 16 << 10

// Write never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(b)
	b = b[max(0, n-most):]
	if drop := len(t.kept) + len(b) - most; drop > 0 {
		t.kept = append(t.kept[:0], t.kept[drop:]...)
	}
	t.kept = append(t.kept, b...)
	return n, nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept)
}

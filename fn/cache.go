package fn

import (
	"container/list"
	"sync"

	"github.com/function-patchwork/function-patchwork/proto"
)

// defaultCacheBytes bounds what the inputs of the cached programs take together. A
// program takes a few times as much as its input.
const defaultCacheBytes = 16 << 20

// cache keeps programs by the meaning of their input, those used last. It is
// safe for concurrent use. An input that does not compile is kept too, with its
// problems, since Crossplane sends it again and again.
type cache struct {
	limit int64

	mu      sync.Mutex
	entries map[proto.Hash]*list.Element // of *entry
	recent  *list.List                   // the one used last is first
	stats   CacheStats
}

// CacheStats tell how the program cache does. Bytes are those of the inputs.
type CacheStats struct {
	Hits, Misses uint64
	Programs     int
	Bytes        int64
}

// entry is a program that is compiled once, by who asks for it first.
type entry struct {
	key  proto.Hash
	size int64

	once     sync.Once
	compiled compiled

	notified sync.Map // of notices that were told
}

// compiled is what compiling an input came to.
type compiled struct {
	program *Program
	err     error
}

func newCache(limit int64) *cache {
	return &cache{limit: limit, entries: make(map[proto.Hash]*list.Element), recent: list.New()}
}

// get returns the entry for an input of a size in bytes, and whether it was
// there. A new one has to be compiled by once.
func (c *cache) get(key proto.Hash, size int64) (*entry, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		c.stats.Hits++
		c.recent.MoveToFront(e)
		return e.Value.(*entry), true //nolint:forcetypeassert // The list has nothing else.
	}
	c.stats.Misses++
	e := &entry{key: key, size: size}
	c.entries[key] = c.recent.PushFront(e)
	c.stats.Bytes += size
	c.evict()
	return e, false
}

// evict drops the entries used least recently, but never the last one.
func (c *cache) evict() {
	for c.stats.Bytes > c.limit && c.recent.Len() > 1 {
		last := c.recent.Back()
		e := c.recent.Remove(last).(*entry) //nolint:forcetypeassert // The list has nothing else.
		delete(c.entries, e.key)
		c.stats.Bytes -= e.size
	}
}

func (c *cache) statistics() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Programs = c.recent.Len()
	return s
}

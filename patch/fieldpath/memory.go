package fieldpath

// Memory is what drafts are made of. It can be used again for other drafts once
// those it was used for are not needed any more. A nil Memory takes everything
// from the heap. It is not safe for concurrent use.
type Memory struct {
	open   chunks[opened]
	node   chunks[node]
	fields chunks[field]

	maps     []map[string]int
	usedMaps int
}

// Reset makes the memory free again. No draft made of it may be used after it.
func (m *Memory) Reset() {
	m.open.reset()
	m.node.reset()
	m.fields.reset()
	for _, places := range m.maps[:m.usedMaps] {
		clear(places)
	}
	m.usedMaps = 0
}

// places returns an empty map, of which only a few are kept: few objects have so
// many fields that they need one.
func (m *Memory) places() map[string]int {
	if m == nil || m.usedMaps == mostMaps {
		return make(map[string]int, 4*manyFields)
	}
	if m.usedMaps == len(m.maps) {
		m.maps = append(m.maps, make(map[string]int, 4*manyFields))
	}
	m.usedMaps++
	return m.maps[m.usedMaps-1]
}

func (m *Memory) opened() *opened {
	if m == nil {
		return &opened{}
	}
	return &m.open.take(1)[0]
}

func (m *Memory) nodes(n int) []node {
	if m == nil {
		return make([]node, n)
	}
	return m.node.take(n)
}

// grown returns the same fields with room for twice as many.
func (m *Memory) grown(fields []field) []field {
	room := max(4, 2*cap(fields))
	var out []field
	if m == nil {
		out = make([]field, room)
	} else {
		out = m.fields.take(room)
	}
	return out[:copy(out, fields)]
}

// chunks hands out slices of larger ones.
type chunks[T any] struct {
	all  [][]T
	used int // of all, those that are handed out up to next
	next int // in the last one used
}

const (
	chunkItems = 2048
	mostMaps   = 16

	// mostChunks is how many chunks are kept to be used again.
	mostChunks = 64
)

// take returns n zero values, with no capacity beyond them.
func (c *chunks[T]) take(n int) []T {
	if n > chunkItems {
		return make([]T, n)
	}
	if c.used == 0 || c.next+n > chunkItems {
		if c.used == len(c.all) {
			c.all = append(c.all, make([]T, chunkItems))
		}
		c.used++
		c.next = 0
	}
	out := c.all[c.used-1][c.next : c.next+n : c.next+n]
	c.next += n
	return out
}

func (c *chunks[T]) reset() {
	for i, chunk := range c.all[:c.used] {
		if i == c.used-1 {
			chunk = chunk[:c.next]
		}
		clear(chunk)
	}
	clear(c.all[min(mostChunks, len(c.all)):])
	c.all = c.all[:min(mostChunks, len(c.all))]
	c.used, c.next = 0, 0
}

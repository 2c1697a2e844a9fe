package cloud

import "math"

// A fault makes calls fail.
type fault struct {
	operation Operation
	filter    Filter
	err       error
	left      int
}

// A hold keeps resources from becoming available.
type hold struct {
	filter   Filter
	released bool
}

// FailNext makes the next n calls of an operation fail that the filter selects.
// With a nil error they are throttled. Calls that fail have no effect.
func (c *Cloud) FailNext(o Operation, f Filter, n int, err error) {
	c.fail(o, f, n, err)
}

func (c *Cloud) fail(o Operation, f Filter, n int, err error) *fault {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil {
		err = refuse(Throttled, "%s was asked for too often", o)
	}
	made := &fault{operation: o, filter: f, err: err, left: n}
	c.faults = append(c.faults, made)
	return made
}

// Fail makes all calls of an operation fail that the filter selects, until the
// returned function is called. With a nil error they are throttled.
func (c *Cloud) Fail(o Operation, f Filter, err error) (stop func()) {
	made := c.fail(o, f, math.MaxInt, err)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		made.left = 0
	}
}

// Hold keeps resources that the filter selects, and that are created from now
// on, from becoming available before the returned function is called. That
// may be called again, and does nothing then.
func (c *Cloud) Hold(f Filter) (release func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := &hold{filter: f}
	c.holds = append(c.holds, h)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		h.released = true
	}
}

// fails counts a call, and returns why it fails, nil if it does not.
func (c *Cloud) fails(e Event) error {
	c.calls[e.Operation]++
	for _, f := range c.faults {
		if f.left > 0 && f.operation == e.Operation && f.filter.matches(e.Kind, e.ID, e.Owner) {
			f.left--
			return f.err
		}
	}
	if n := c.opts.FailEvery[e.Operation]; n > 0 && c.calls[e.Operation]%n == 0 {
		return refuse(Throttled, "%s was asked for too often", e.Operation)
	}
	return nil
}

// holding returns the holds on the resource that an event creates.
func (c *Cloud) holding(e Event) []*hold {
	var out []*hold
	for _, h := range c.holds {
		if !h.released && h.filter.matches(e.Kind, e.ID, e.Owner) {
			out = append(out, h)
		}
	}
	return out
}

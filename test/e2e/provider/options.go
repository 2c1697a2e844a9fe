package provider

import (
	"time"

	"github.com/crossplane/crossplane-runtime/v2/pkg/logging"
)

// Options of the controllers. The zero value is what tests of a few resources need.
type Options struct {
	// PollInterval is how often resources that are ready are observed: by
	// default every 500ms. A test that makes many should say more.
	PollInterval time.Duration

	// PendingInterval is how often resources that are not ready are observed:
	// by default every 100ms.
	PendingInterval time.Duration

	// CreationGracePeriod is how long a created resource may be missing without
	// being created again. There is none by default: the cloud is consistent.
	CreationGracePeriod time.Duration

	// Timeout of a reconciliation's calls: by default 10s.
	Timeout time.Duration

	// MaxConcurrentReconciles of each kind: by default 10.
	MaxConcurrentReconciles int

	// Events makes the controllers record Kubernetes events.
	Events bool

	// Logger gets debug messages. They are dropped by default.
	Logger logging.Logger
}

// MaxBackoff is the longest that a resource waits to be tried again after errors.
const MaxBackoff = 2 * time.Second

func (o Options) withDefaults() Options {
	o.PollInterval = either(o.PollInterval, 500*time.Millisecond)
	o.PendingInterval = either(o.PendingInterval, 100*time.Millisecond)
	o.Timeout = either(o.Timeout, 10*time.Second)
	o.MaxConcurrentReconciles = either(o.MaxConcurrentReconciles, 10)
	if o.Logger == nil {
		o.Logger = logging.NewNopLogger()
	}
	return o
}

// either returns a, or b if that is not set.
func either[T comparable](a, b T) T {
	var unset T
	if a == unset {
		return b
	}
	return a
}

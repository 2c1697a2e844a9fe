package fn

import (
	"context"
	"log/slog"
	"time"
)

// The outcomes of a call. A call has the worst of its results as its outcome,
// and is an error if it got no response.
const (
	outcomeOK      = "ok"
	outcomeWarning = "warning"
	outcomeFatal   = "fatal"
	outcomeError   = "error"
)

// Bounds of what one call may write to the log.
const (
	maxLoggedMessages = 10
	maxLoggedMessage  = 2048
)

// record is how one call went.
type record struct {
	version, outcome string
	start            time.Time
	duration         time.Duration
	call             Call
	err              error
}

func outcomeOf(c Call) string {
	switch {
	case c.Fatal > 0:
		return outcomeFatal
	case c.Warnings > 0:
		return outcomeWarning
	default:
		return outcomeOK
	}
}

func (r *record) level() slog.Level {
	switch r.outcome {
	case outcomeError:
		return slog.LevelError
	case outcomeFatal:
		return slog.LevelWarn
	default:
		return slog.LevelInfo
	}
}

// log writes the line of a call.
func (r *record) log(ctx context.Context, log *slog.Logger) {
	level := r.level()
	if !log.Enabled(ctx, level) {
		return
	}
	c := &r.call
	attrs := make([]slog.Attr, 0, 20)
	attrs = append(attrs,
		slog.String("tag", c.Tag),
		slog.String("apiVersion", c.APIVersion),
		slog.String("kind", c.Kind),
		slog.String("namespace", c.Namespace),
		slog.String("name", c.Name),
		slog.String("outcome", r.outcome),
		slog.Int("fatal", c.Fatal),
		slog.Int("warnings", c.Warnings),
		slog.Int("normals", c.Normals),
		slog.Bool("cacheHit", c.CacheHit),
		slog.Float64("milliseconds", milliseconds(r.duration)),
		slog.Int("requestBytes", c.RequestBytes),
		slog.Int("responseBytes", c.ResponseBytes),
	)
	debug := log.Enabled(ctx, slog.LevelDebug)
	if len(c.Messages) > 0 && (c.Fatal > 0 || debug) {
		attrs = append(attrs, slog.Any("messages", bounded(c.Messages)))
	}
	if r.err != nil {
		attrs = append(attrs, slog.String("error", r.err.Error()))
	}
	if debug {
		attrs = append(attrs, slog.String("service", r.version), slog.Time("start", r.start))
	}
	// Straight to the handler: a Logger would look for the caller on each call.
	line := slog.NewRecord(time.Now(), level, "Call", 0)
	line.AddAttrs(attrs...)
	_ = log.Handler().Handle(ctx, line) // A log that cannot be written has nowhere to say so.
}

func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}

// bounded returns the first of the messages, and the beginning of each.
func bounded(messages []string) []string {
	out := make([]string, 0, min(len(messages), maxLoggedMessages))
	for _, m := range messages[:cap(out)] {
		if len(m) > maxLoggedMessage {
			m = m[:maxLoggedMessage] + "..."
		}
		out = append(out, m)
	}
	return out
}

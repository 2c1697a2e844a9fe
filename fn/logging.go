package fn

import (
	"io"
	"log/slog"
	"os"
)

// NewLogger returns a logger that writes JSON, a record a line, or a form that
// is easier to read if it writes to a terminal. Debug tells more.
func NewLogger(w io.Writer, debug bool) *slog.Logger {
	o := &slog.HandlerOptions{Level: slog.LevelInfo}
	if debug {
		o.Level = slog.LevelDebug
	}
	if isTerminal(w) {
		return slog.New(slog.NewTextHandler(w, o))
	}
	return slog.New(slog.NewJSONHandler(w, o))
}

// LogNotice returns what tells a logger of the notices of a program.
func LogNotice(log *slog.Logger) func(Notice) {
	return func(n Notice) {
		log.Info("Part of an input has no effect", "place", n.Place, "notice", n.Text)
	}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil {
		return false
	}
	// The null device is a character device too, and no terminal.
	null, err := os.Stat(os.DevNull)
	return info.Mode()&os.ModeCharDevice != 0 && (err != nil || !os.SameFile(info, null))
}

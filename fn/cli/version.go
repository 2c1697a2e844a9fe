package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"text/tabwriter"
)

// Build says what was built.
type Build struct {
	Version, Commit, Date string
}

// NewBuild returns what is known of this build. All of it may be stamped by
// the linker; what is empty is taken from what Go notes in a binary.
func NewBuild(version, commit, date string) Build {
	b := Build{Version: version, Commit: commit, Date: date}
	if info, ok := debug.ReadBuildInfo(); ok {
		b = b.orElse(noted(info))
	}
	return b.orElse(Build{Version: "development", Commit: "unknown", Date: "unknown"})
}

// orElse fills in what is not known from another.
func (b Build) orElse(o Build) Build {
	return Build{
		Version: cmp.Or(b.Version, o.Version),
		Commit:  cmp.Or(b.Commit, o.Commit),
		Date:    cmp.Or(b.Date, o.Date),
	}
}

func noted(info *debug.BuildInfo) Build {
	settings := make(map[string]string, len(info.Settings))
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	b := Build{Commit: settings["vcs.revision"], Date: settings["vcs.time"]}
	if info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	if settings["vcs.modified"] == "true" {
		b.Commit += " (modified)"
	}
	return b
}

// Version is the command that tells what this is.
type Version struct{}

// Run writes the version.
func (Version) Run(std Streams, b Build) error {
	t := tabwriter.NewWriter(std.Out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "Version:\t%s\n", b.Version)
	fmt.Fprintf(t, "Commit:\t%s\n", b.Commit)
	fmt.Fprintf(t, "Commit date:\t%s\n", b.Date)
	fmt.Fprintf(t, "Go:\t%s\n", runtime.Version())
	fmt.Fprintf(t, "Platform:\t%s/%s\n", runtime.GOOS, runtime.GOARCH)
	return t.Flush()
}

package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"text/tabwriter"
)

// Build says what was built.
type Build struct {
	Version, Commit, Date string
}

// NewBuild returns what is known of this build. The version may be stamped by
// the linker; if it is empty, it is that of the module, as `go install` knows it.
func NewBuild(version string) Build {
	b := Build{Version: version, Commit: "unknown", Date: "unknown"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b.orDevelopment()
	}
	if b.Version == "" && info.Main.Version != "(devel)" {
		b.Version = info.Main.Version
	}
	modified := ""
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = s.Value
		case "vcs.time":
			b.Date = s.Value
		case "vcs.modified":
			if s.Value == "true" {
				modified = " (modified)"
			}
		}
	}
	b.Commit += modified
	return b.orDevelopment()
}

func (b Build) orDevelopment() Build {
	if b.Version == "" {
		b.Version = "development"
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

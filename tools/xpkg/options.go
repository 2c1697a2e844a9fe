package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// options say what is built. Names of files and folders are absolute.
type options struct {
	module      string        // folder of the Go module
	main        string        // package of the module, or of one that it requires
	packageRoot string        // folder with crossplane.yaml
	ignore      string        // what of packageRoot stays out of the package
	out         string        // folder of what is written
	version     string        // of the function
	revision    string        // the commit, may be empty
	platforms   []v1.Platform // at least one
	created     time.Time     // of all that has a time
	cli         string        // the crossplane CLI, or empty
	cliModule   string        // module with the crossplane CLI as its tool
	push        string        // where to push the packages, or empty
}

// parseOptions reads the arguments, and SOURCE_DATE_EPOCH.
func parseOptions(args []string) (options, error) {
	var o options
	var platforms string
	f := flag.NewFlagSet("xpkg", flag.ContinueOnError)
	f.StringVar(&o.module, "module", "..", "`folder` of the Go module to build in")
	f.StringVar(&o.main, "main", ".", "the Go `package` to build, in the module or in one that it requires")
	f.StringVar(&o.packageRoot, "package-root", "../package", "`folder` with crossplane.yaml")
	f.StringVar(&o.ignore, "ignore", "", "`files` of package-root to leave out, with commas between: input/*")
	f.StringVar(&o.out, "out", "../bin/xpkg", "`folder` to write to")
	f.StringVar(&o.version, "version", "v0.0.0-dev", "`version` of the function")
	f.StringVar(&o.revision, "revision", "", "`commit` of the sources")
	f.StringVar(&platforms, "platforms", "linux/amd64,linux/arm64", "`platforms` to build for, with commas between")
	f.StringVar(&o.cli, "cli", "", "`file` of a crossplane CLI (the one that cli-module pins, built if need be)")
	f.StringVar(&o.cliModule, "cli-module", "crossplane", "`folder` of the Go module that pins the crossplane CLI")
	f.StringVar(&o.push, "push", "", "push all platforms as one to this `image`: registry.example.org/function:v1.2.3")
	if err := f.Parse(args); err != nil {
		return o, err
	}
	if f.NArg() > 0 {
		return o, fmt.Errorf("%q is not a flag; -h tells those that there are", f.Arg(0))
	}
	for _, path := range []*string{&o.module, &o.packageRoot, &o.out, &o.cli, &o.cliModule} {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return o, err
		}
		*path = abs
	}
	if o.push != "" {
		if _, err := name.NewTag(o.push, name.StrictValidation); err != nil {
			return o, fmt.Errorf("-push needs a registry, a name and a tag, as in registry.example.org/function:v1.2.3: %w", err)
		}
	}
	var err error
	if o.platforms, err = parsePlatforms(platforms); err != nil {
		return o, err
	}
	o.created, err = sourceDate()
	return o, err
}

// parsePlatforms reads platforms such as linux/amd64, with commas between.
func parsePlatforms(text string) ([]v1.Platform, error) {
	var platforms []v1.Platform
	for p := range strings.SplitSeq(text, ",") {
		system, architecture, ok := strings.Cut(strings.TrimSpace(p), "/")
		if !ok || system == "" || architecture == "" || strings.Contains(architecture, "/") {
			return nil, fmt.Errorf("-platforms: %q is not of the form linux/amd64", p)
		}
		platforms = append(platforms, v1.Platform{OS: system, Architecture: architecture})
	}
	return platforms, nil
}

// sourceDate is the time that SOURCE_DATE_EPOCH tells, or else the beginning of
// 1970.
func sourceDate() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return time.Unix(0, 0).UTC(), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil || seconds < 0 {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %q is not a number of seconds since 1970", text)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

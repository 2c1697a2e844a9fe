package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../.."

var update = flag.Bool("update", false, "write the reference")

// TestReference also finds a row of a table that has no worked case, and a case
// that has no place.
func TestReference(t *testing.T) {
	want, err := reference(root)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := run(root); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(root + "/" + referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(got), "\n"), strings.Split(want, "\n")); diff != "" {
		t.Errorf("%s is stale; write it anew with: go run ./docs/generate\n-is +should be\n%s", referenceFile, diff)
	}
}

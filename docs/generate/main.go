// Command generate writes docs/reference.md from the tables of the packages, the
// descriptions in the input's CRD and the worked cases. It is run in the root of
// the repository.
package main

import (
	"fmt"
	"os"
)

const referenceFile = "docs/reference.md"

func main() {
	if err := run("."); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(root string) error {
	text, err := reference(root)
	if err != nil {
		return err
	}
	return os.WriteFile(root+"/"+referenceFile, []byte(text), 0o644)
}

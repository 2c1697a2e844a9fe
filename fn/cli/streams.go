// Package cli holds the commands of function-patchwork.
package cli

import "io"

// Streams are what a command reads from and writes to.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
}

// Package patch compiles patches and applies them. A patch reads a field of one
// document, sends it through transforms and writes it to another document.
package patch

// Package fn is the composition function: it compiles an input to a program,
// runs the program for a request, and serves that over gRPC.
package fn

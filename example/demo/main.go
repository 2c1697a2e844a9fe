// Command demo starts the built server, asks it for a database as Crossplane
// would, and prints what the function composes.
//
//	go run ./example/demo -server bin/function-patchwork
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/function-patchwork/function-patchwork/test/child"
)

func main() {
	binary := flag.String("server", "bin/function-patchwork", "the built server")
	example := flag.String("example", "example/database", "folder of the example to ask for")
	flag.Parse()
	if err := demo(context.Background(), os.Stdout, *binary, *example); err != nil {
		fmt.Fprintln(os.Stderr, "demo: "+err.Error())
		os.Exit(1)
	}
}

func demo(ctx context.Context, w io.Writer, binary, example string) error {
	req, err := request(example)
	if err != nil {
		return err
	}
	s, err := child.Start(ctx, binary, func(address string) []string {
		return []string{"--insecure", "--address", address, "--metrics-address", ""}
	})
	if err != nil {
		return err
	}
	defer s.Kill()
	heading(w, "1. The server runs", "%s\nanswers after %s", s, round(s.Took))
	describeRequest(w, example, req)

	conn, err := grpc.NewClient(s.Address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	rsp, first, err := call(ctx, conn, req)
	if err != nil {
		return err
	}
	_, second, err := call(ctx, conn, req)
	if err != nil {
		return err
	}
	describeResponse(w, title(req.GetObserved().GetComposite().GetResource()), rsp, first, second)

	if err := s.Stop(); err != nil {
		return err
	}
	heading(w, "5. The server stops", "told to with SIGTERM, it exits with status 0")
	return nil
}

// call runs the function once, as Crossplane does, and says how long it took.
func call(ctx context.Context, conn *grpc.ClientConn, req *fnv1.RunFunctionRequest) (*fnv1.RunFunctionResponse, time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	begin := time.Now()
	rsp, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(ctx, req)
	return rsp, time.Since(begin), err
}

func heading(w io.Writer, title, format string, args ...any) {
	_, _ = fmt.Fprintf(w, "\n%s\n%s\n", title, indent(fmt.Sprintf(format, args...)))
}

func indent(text string) string {
	return "   " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n   ")
}

func round(d time.Duration) time.Duration { return d.Round(10 * time.Microsecond) }

package fn_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	gproto "google.golang.org/protobuf/proto"

	"github.com/function-patchwork/function-patchwork/fn"
)

// patience is how long anything may take that should happen soon.
const patience = 20 * time.Second

// testServer is a server on the loopback interface.
type testServer struct {
	*fn.Server

	log  *syncBuffer
	stop context.CancelFunc
	done chan error // gets what Serve returned
}

// serve starts a server for run. It is insecure and has metrics unless the
// options say otherwise. The end of the test stops it.
func serve(t *testing.T, run fn.RunFunc, change ...func(*fn.ServerOptions)) *testServer {
	t.Helper()
	log := &syncBuffer{}
	o := fn.ServerOptions{
		Address: "127.0.0.1:0", MetricsAddress: "127.0.0.1:0", Insecure: true,
		Log: fn.NewLogger(log, false), Version: "v1.2.3",
	}
	for _, c := range change {
		c(&o)
	}
	s, err := fn.Listen(t.Context(), run, o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ts := &testServer{Server: s, log: log, stop: stop, done: make(chan error, 1)}
	go func() { ts.done <- s.Serve(ctx); close(ts.done) }()
	t.Cleanup(func() {
		stop()
		<-ts.done
	})
	return ts
}

// dial connects to the server, without TLS if there is no configuration.
func (s *testServer) dial(t *testing.T, config *tls.Config, o ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	creds := insecure.NewCredentials()
	if config != nil {
		creds = credentials.NewTLS(config)
	}
	conn, err := grpc.NewClient("passthrough:///"+s.Addr.String(), append(o, grpc.WithTransportCredentials(creds))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// get returns the status and body of a page at the metrics address.
func (s *testServer) get(t *testing.T, path string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.MetricsAddr.String()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	rsp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rsp.Body.Close() }()
	body, err := io.ReadAll(rsp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return rsp.StatusCode, string(body)
}

// result returns what Serve returned.
func (s *testServer) result(t *testing.T) error {
	t.Helper()
	select {
	case err := <-s.done:
		return err
	case <-time.After(patience):
		t.Fatal("the server did not stop")
		return nil
	}
}

// lines returns the records of the log that have this message.
func (s *testServer) lines(t *testing.T, msg string) []map[string]any {
	t.Helper()
	var out []map[string]any
	for line := range strings.Lines(s.log.String()) {
		var v map[string]any
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%v in the log line %q", err, line)
		}
		if v["msg"] == msg {
			out = append(out, v)
		}
	}
	return out
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	late := time.After(patience)
	for !holds() {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("not in time: %s", what)
		}
	}
}

// respond is a function that returns the tag, and a call that says so.
func respond(_ context.Context, b, _ []byte) ([]byte, fn.Call, error) {
	req := &fnv1.RunFunctionRequest{}
	if err := gproto.Unmarshal(b, req); err != nil {
		return nil, fn.Call{}, err
	}
	rsp, err := gproto.Marshal(&fnv1.RunFunctionResponse{Meta: &fnv1.ResponseMeta{Tag: req.GetMeta().GetTag()}})
	return rsp, fn.Call{Tag: req.GetMeta().GetTag(), RequestBytes: len(b), ResponseBytes: len(rsp)}, err
}

// tagged is a request with a tag.
func tagged(tag string) *fnv1.RunFunctionRequest {
	return &fnv1.RunFunctionRequest{Meta: &fnv1.RequestMeta{Tag: tag}}
}

// syncBuffer is a buffer that a server may write to while a test reads it.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

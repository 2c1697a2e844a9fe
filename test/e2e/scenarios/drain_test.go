package scenarios

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"time"

	"github.com/function-patchwork/function-patchwork/test/e2e/kubelet"
)

// drains tells a pod to stop while a call is under way, and sees that it takes
// no others then, answers that one, and ends well.
func (f *function) drains(p *kubelet.Pod) {
	f.Helper()
	caller := f.caller()
	body, rest := io.Pipe()
	answered := make(chan error, 1)
	headers := make(chan struct{})
	ctx := httptrace.WithClientTrace(f.Context(), &httptrace.ClientTrace{WroteHeaders: func() { close(headers) }})
	go func() { answered <- call(ctx, caller, p, body) }()
	select {
	case <-headers:
	case err := <-answered:
		f.Fatalf("cannot begin a call: %v", err)
	}
	// The pod reads a connection in order: when another call on it is answered,
	// it knows of the first.
	f.must(call(f.Context(), caller, p, bytes.NewReader(emptyRequest)))

	stopped := make(chan error, 1)
	go func() { stopped <- p.Stop() }()
	f.eventually("no connections are taken any more", func() error {
		conn, err := (&net.Dialer{}).DialContext(f.Context(), "tcp", p.Address+":9443")
		if err != nil {
			return nil //nolint:nilerr // That is it.
		}
		return errors.Join(errors.New("one was"), conn.Close())
	})
	_, err := rest.Write(emptyRequest)
	if err = errors.Join(err, rest.Close(), <-answered); err != nil {
		f.Errorf("a call that was under way when %s was told to stop: %v", p.Name, err)
	}
	f.must(<-stopped)
	if err := p.Stopped(); err != nil {
		f.Errorf("%s was told to stop, and ended with %v", p.Name, err)
	}
}

// emptyRequest is a request without anything, as gRPC sends one: that it is not
// compressed, and that it is of no bytes.
var emptyRequest = make([]byte, 5)

// call calls a pod as gRPC does, and returns an error unless it answers.
func call(ctx context.Context, caller *http.Client, p *kubelet.Pod, body io.Reader) error {
	const method = "/apiextensions.fn.proto.v1.FunctionRunnerService/RunFunction"
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://"+p.Address+":9443"+method, body)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/grpc")
	request.Header.Set("TE", "trailers")
	response, err := caller.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	// Trailers are there once the body was read; without a body they are headers.
	if status := response.Trailer.Get("Grpc-Status"); status != "0" || len(answer) < len(emptyRequest) {
		return fmt.Errorf("%s has %d bytes and the status %q: %v %v", response.Status, len(answer), status, response.Header, response.Trailer)
	}
	return nil
}

// caller has the certificate of Crossplane itself, and wants that of the function.
func (f *function) caller() *http.Client {
	f.Helper()
	transport := &http.Transport{TLSClientConfig: f.clientTLS(), ForceAttemptHTTP2: true}
	f.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport, Timeout: time.Minute}
}

// clientTLS is what Crossplane dials the function with.
func (f *function) clientTLS() *tls.Config {
	f.Helper()
	secret, err := f.secret("crossplane-system", "crossplane-tls-client")
	f.must(err)
	pair, err := tls.X509KeyPair([]byte(secret["tls.crt"]), []byte(secret["tls.key"]))
	f.must(err)
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM([]byte(secret["ca.crt"])) {
		f.Fatal("the Secret of Crossplane's certificate has no authority")
	}
	return &tls.Config{
		MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, RootCAs: authorities,
		ServerName: f.name + ".crossplane-system",
	}
}

package cluster

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/function-patchwork/function-patchwork/test/e2e/sandbox"
)

// proxy is an HTTP proxy that connects clients to the pods of a Service, each
// connection to the next one. It takes the place of names that resolve, where
// these cannot be set.
type proxy struct {
	server  *http.Server
	address string

	mu    sync.Mutex
	hosts map[string][]string // addresses by name
	next  int
}

func serveProxy(ctx context.Context) (*proxy, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{address: listener.Addr().String()}
	p.server = &http.Server{Handler: p, ReadHeaderTimeout: time.Minute}
	go p.server.Serve(listener) //nolint:errcheck // It ends when it is closed.
	return p, nil
}

// environment has a program use the proxy, but for loopback addresses.
func (p *proxy) environment() []string {
	if p == nil {
		return nil
	}
	return []string{"HTTPS_PROXY=http://" + p.address}
}

func (p *proxy) setHosts(hosts []sandbox.Host) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.hosts = map[string][]string{}
	for _, h := range hosts {
		p.hosts[h.Name] = append(p.hosts[h.Name], h.Address)
	}
	return nil
}

func (p *proxy) resolve(name string) (address string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	addresses := p.hosts[name]
	if len(addresses) == 0 {
		return "", false
	}
	p.next++
	return addresses[p.next%len(addresses)], true
}

// ServeHTTP serves the method CONNECT.
func (p *proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, port, err := net.SplitHostPort(r.Host)
	address, ok := p.resolve(name)
	if err != nil || !ok || r.Method != http.MethodConnect {
		http.Error(w, "there are no pods of "+r.Host, http.StatusBadGateway)
		return
	}
	pod, err := (&net.Dialer{}).DialContext(r.Context(), "tcp", net.JoinHostPort(address, port))
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer pod.Close()
	client, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return // The client has gone.
	}
	defer client.Close()
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connected\r\n\r\n"); err != nil {
		return
	}
	ended := make(chan struct{}, 2)
	for _, way := range []struct {
		to   io.Writer
		from io.Reader
	}{{pod, buffered}, {client, pod}} {
		go func() {
			_, _ = io.Copy(way.to, way.from) // However it ends, both ways end.
			ended <- struct{}{}
		}()
	}
	<-ended
}

package fn

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"

	"github.com/function-patchwork/function-patchwork/proto"
)

const (
	// DefaultMaxRequestBytes is the size of the largest request that is read.
	DefaultMaxRequestBytes = 64 << 20

	// DefaultGrace is how long calls in flight may take once a server stops.
	DefaultGrace = 10 * time.Second

	// DefaultConnectionAge makes a client look up the function's pods again:
	// Crossplane's client does so only when a connection ends, and would not
	// find the pods that were added since.
	DefaultConnectionAge = 2 * time.Minute

	handshakeTimeout = 20 * time.Second

	// window is how much of its requests a client may send before it waits for
	// the server: more than most requests, so that few of them wait at all.
	window = 8 << 20

	// ioBuffer is how much is read from or written to a connection at once.
	ioBuffer = 128 << 10

	// streamWorkers answer calls one after another on stacks that have grown
	// already. Calls beyond them get stacks of their own.
	streamWorkers = 16
)

// A RunFunc answers an encoded RunFunctionRequest, as Function.Run does: the
// response is appended to dst.
type RunFunc func(ctx context.Context, req, dst []byte) ([]byte, Call, error)

// ServerOptions configure a Server. Either Insecure or CertsDir is needed.
type ServerOptions struct {
	// Network and Address to listen at for gRPC.
	Network, Address string

	// Insecure serves without TLS, whatever CertsDir says.
	Insecure bool

	// CertsDir holds tls.crt, tls.key and ca.crt.
	CertsDir string

	// MetricsAddress to listen at for metrics and probes. Empty is nowhere.
	MetricsAddress string

	// MaxRequestBytes, Grace and ConnectionAge are defaults if zero.
	MaxRequestBytes int
	Grace           time.Duration
	ConnectionAge   time.Duration

	// Log is told of each call. It is needed.
	Log *slog.Logger

	// CacheStats are read for the metrics. It may be nil.
	CacheStats func() CacheStats

	// Version to be told by the metrics.
	Version string
}

// A Server serves a function. It listens already, and answers once it serves.
type Server struct {
	// Addr is where it listens for gRPC, and MetricsAddr for metrics and
	// probes; that one is nil if it does not.
	Addr, MetricsAddr net.Addr

	options  ServerOptions
	grpc     *grpc.Server
	health   *health.Server
	http     *http.Server
	probes   *probes
	listener net.Listener
	metrics  net.Listener
}

// Listen makes a server for a function, and listens at its addresses.
func Listen(ctx context.Context, run RunFunc, o ServerOptions) (*Server, error) {
	o = o.withDefaults()
	creds, err := o.credentials()
	if err != nil {
		return nil, err
	}
	codec, err := proto.NewCodec()
	if err != nil {
		return nil, err
	}
	var l net.ListenConfig
	lis, err := l.Listen(ctx, o.Network, o.Address)
	if err != nil {
		return nil, fmt.Errorf("cannot listen for gRPC calls at %q: %w", o.Address, err)
	}
	m := newMetrics(o.Version, o.CacheStats)
	s := &Server{Addr: lis.Addr(), options: o, listener: lis, probes: &probes{}, health: health.NewServer()}
	if o.MetricsAddress != "" {
		s.metrics, err = l.Listen(ctx, "tcp", o.MetricsAddress)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("cannot listen for metrics and probes at %q: %w", o.MetricsAddress, err), lis.Close())
		}
		s.MetricsAddr = s.metrics.Addr()
		s.http = newHTTPServer(m.registry, s.probes, o.Log)
	}
	s.grpc = newGRPCServer(o, creds, codec)
	s.register(&service{run: run, codec: codec, log: o.Log, metrics: m})
	return s, nil
}

func (o ServerOptions) withDefaults() ServerOptions {
	if o.Network == "" {
		o.Network = "tcp"
	}
	if o.MaxRequestBytes == 0 {
		o.MaxRequestBytes = DefaultMaxRequestBytes
	}
	if o.Grace == 0 {
		o.Grace = DefaultGrace
	}
	if o.ConnectionAge == 0 {
		o.ConnectionAge = DefaultConnectionAge
	}
	return o
}

func (o ServerOptions) credentials() (credentials.TransportCredentials, error) {
	switch {
	case o.Insecure:
		return insecure.NewCredentials(), nil
	case o.CertsDir == "":
		return nil, errors.New("no credentials to serve with: name the directory that holds tls.crt, tls.key and ca.crt " +
			"with --tls-certs-dir or TLS_SERVER_CERTS_DIR, or serve without TLS with --insecure")
	}
	certs, err := loadCerts(o.CertsDir, o.Log)
	if err != nil {
		return nil, err
	}
	return credentials.NewTLS(certs.tlsConfig()), nil
}

func newGRPCServer(o ServerOptions, creds credentials.TransportCredentials, codec *proto.Codec) *grpc.Server {
	g := guard{log: o.Log}
	return grpc.NewServer(
		grpc.Creds(creds),
		grpc.ForceServerCodecV2(codec),
		grpc.MaxRecvMsgSize(o.MaxRequestBytes),
		grpc.UnaryInterceptor(g.unary),
		grpc.StreamInterceptor(g.stream),
		grpc.ConnectionTimeout(handshakeTimeout),
		grpc.InitialWindowSize(window),
		grpc.InitialConnWindowSize(window),
		grpc.ReadBufferSize(ioBuffer),
		grpc.WriteBufferSize(ioBuffer),
		grpc.NumStreamWorkers(streamWorkers),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			MaxConnectionAge:      o.ConnectionAge,
			MaxConnectionAgeGrace: time.Minute,
			Time:                  time.Minute,
			Timeout:               20 * time.Second,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{
			MinTime:             10 * time.Second,
			PermitWithoutStream: true,
		}),
	)
}

func (s *Server) register(svc *service) {
	for _, d := range svc.descs() {
		s.grpc.RegisterService(d, svc)
		s.health.SetServingStatus(d.ServiceName, grpc_health_v1.HealthCheckResponse_SERVING)
	}
	grpc_health_v1.RegisterHealthServer(s.grpc, s.health)
	reflection.Register(s.grpc)
}

// Serve answers calls until the context is done, or serving fails. Then it is
// not ready any more, and calls in flight have a while to finish. It returns
// nil if it stopped because of the context. It can be called once.
func (s *Server) Serve(ctx context.Context) error {
	failed := make(chan error, 2)
	go func() { failed <- s.grpc.Serve(s.listener) }()
	if s.http != nil {
		go func() { failed <- s.http.Serve(s.metrics) }()
	}
	s.probes.ready.Store(true)
	s.options.Log.Info("Serving", "address", s.Addr.String(), "metricsAddress", addrText(s.MetricsAddr),
		"insecure", s.options.Insecure, "version", s.options.Version)

	var err error
	select {
	case <-ctx.Done():
		s.options.Log.Info("Stopping; calls in flight may finish", "grace", s.options.Grace.String())
	case err = <-failed:
		err = fmt.Errorf("cannot serve: %w", err)
	}
	s.stop()
	return err
}

// stop is the end of a server: no new calls, and a while for those in flight.
func (s *Server) stop() {
	s.probes.ready.Store(false)
	s.health.Shutdown()

	done := make(chan struct{})
	go func() {
		s.grpc.GracefulStop()
		close(done)
	}()
	late := time.NewTimer(s.options.Grace)
	defer late.Stop()
	select {
	case <-done:
		s.options.Log.Info("Stopped")
	case <-late.C:
		s.options.Log.Warn("Stopped before all calls were answered", "grace", s.options.Grace.String())
		s.grpc.Stop()
	}
	if s.http != nil {
		_ = s.http.Close() // Nothing is lost with it.
	}
}

func addrText(a net.Addr) string {
	if a == nil {
		return ""
	}
	return a.String()
}

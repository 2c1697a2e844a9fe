package cli

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/function-patchwork/function-patchwork/fn"
)

// Serve is the command that serves the function over gRPC.
type Serve struct {
	Debug              bool          `short:"d" help:"Log more: the messages of all results, and the time and service of a call."`
	Insecure           bool          `help:"Serve without TLS, whatever --tls-certs-dir says."`
	TLSCertsDir        string        `name:"tls-certs-dir" env:"TLS_SERVER_CERTS_DIR" placeholder:"DIR" help:"Directory of the server's certificate (tls.crt), its key (tls.key), and the certificate of the authority that clients need one of (ca.crt). Changed files are picked up."`
	Network            string        `default:"tcp" enum:"tcp,tcp4,tcp6,unix" help:"Network to listen at for gRPC calls: tcp, tcp4, tcp6 or unix."`
	Address            string        `default:":9443" help:"Address to listen at for gRPC calls."`
	MaxRecvMessageSize int           `default:"64" placeholder:"MB" help:"Size of the largest request to accept, in MB."`
	ResponseTTL        time.Duration `name:"response-ttl" default:"1m" help:"How long Crossplane may use a response for."`
	MetricsAddress     string        `default:":8080" help:"Address to listen at for /metrics, /healthz and /readyz. Empty turns them off."`
}

// Help is the longer help of the command.
func (*Serve) Help() string {
	return `Serves until it gets SIGTERM or SIGINT. Then /readyz fails, calls in flight have
10 seconds to finish, and it exits. A second signal ends it at once.

Try it without a cluster:

  function-patchwork --insecure --address 127.0.0.1:9443 --metrics-address 127.0.0.1:8080
  grpcurl -plaintext 127.0.0.1:9443 list`
}

// Validate checks what flags cannot.
func (s *Serve) Validate() error {
	if s.MaxRecvMessageSize < 1 || s.MaxRecvMessageSize > 1024 {
		return fmt.Errorf("--max-recv-message-size: %d is not from 1 to 1024", s.MaxRecvMessageSize)
	}
	if s.ResponseTTL <= 0 {
		return fmt.Errorf("--response-ttl: %s is not more than 0", s.ResponseTTL)
	}
	return nil
}

// Run serves until a signal ends it.
func (s *Serve) Run(b Build) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // The next signal does what it does by default.

	log := fn.NewLogger(os.Stderr, s.Debug)
	f := fn.New(fn.Options{TTL: s.ResponseTTL, Notify: fn.LogNotice(log)})
	server, err := fn.Listen(ctx, f.Run, fn.ServerOptions{
		Network:         s.Network,
		Address:         s.Address,
		Insecure:        s.Insecure,
		CertsDir:        s.TLSCertsDir,
		MetricsAddress:  s.MetricsAddress,
		MaxRequestBytes: s.MaxRecvMessageSize << 20,
		Log:             log,
		CacheStats:      f.CacheStats,
		Version:         b.Version,
	})
	if err != nil {
		return err
	}
	return server.Serve(ctx)
}

// Command function-environment stands in for function-environment-configs in
// the end-to-end tests. It is built with the SDK, as most functions are.
package main

import (
	"github.com/alecthomas/kong"
	"github.com/crossplane/function-sdk-go"
)

// flags are those that functions made from the template have.
type flags struct {
	Debug          bool   `short:"d" help:"Log more."`
	Network        string `default:"tcp" help:"Network to listen at for gRPC calls."`
	Address        string `default:":9443" help:"Address to listen at for gRPC calls."`
	TLSCertsDir    string `name:"tls-certs-dir" env:"TLS_SERVER_CERTS_DIR" help:"Directory of tls.crt, tls.key and ca.crt."`
	Insecure       bool   `help:"Serve without TLS, whatever --tls-certs-dir says."`
	MetricsAddress string `default:":8080" help:"Address to listen at for /metrics. Empty turns them off."`
}

// Run serves the function.
func (f *flags) Run() error {
	log, err := function.NewLogger(f.Debug)
	if err != nil {
		return err
	}
	return function.Serve(&Function{log: log},
		function.Listen(f.Network, f.Address),
		function.MTLSCertificates(f.TLSCertsDir),
		function.Insecure(f.Insecure),
		function.WithMetricsServer(f.MetricsAddress))
}

func main() {
	ctx := kong.Parse(&flags{}, kong.Description("Fills the environment of a Composition, for the end-to-end tests."))
	ctx.FatalIfErrorf(ctx.Run())
}

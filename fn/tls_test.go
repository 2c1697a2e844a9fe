package fn_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	fnv1 "github.com/crossplane/function-sdk-go/proto/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"github.com/function-patchwork/function-patchwork/fn"
)

// authority issues certificates.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{}
	a.key, a.cert = a.certificate(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: "authority"}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign,
	})
	return a
}

// certificate issues a certificate, one that signs itself if it is the first.
func (a *authority) certificate(t *testing.T, c *x509.Certificate) (*ecdsa.PrivateKey, *x509.Certificate) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, err = rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		t.Fatal(err)
	}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, signer := c, key
	if a.cert != nil {
		parent, signer = a.cert, a.key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, signer)
	if err != nil {
		t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return key, cert
}

// issue returns a certificate for a name, and its key, as PEM.
func (a *authority) issue(t *testing.T, name string) (cert, key []byte) {
	t.Helper()
	k, c := a.certificate(t, &x509.Certificate{
		Subject: pkix.Name{CommonName: name}, DNSNames: []string{name},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	})
	der, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	return encodePEM("CERTIFICATE", c.Raw), encodePEM("PRIVATE KEY", der)
}

func encodePEM(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// client is the configuration of a client of this authority's, that trusts
// servers of another one.
func (a *authority) client(t *testing.T, trusts *authority) *tls.Config {
	t.Helper()
	pair, err := tls.X509KeyPair(a.issue(t, "client"))
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(trusts.cert)
	return &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}, RootCAs: pool, ServerName: "server"}
}

// write makes a directory one with a certificate for a server. The files change
// one by one, as they may.
func (a *authority) write(t *testing.T, dir string) {
	t.Helper()
	cert, key := a.issue(t, "server")
	writeFile(t, filepath.Join(dir, "tls.crt"), cert)
	writeFile(t, filepath.Join(dir, "tls.key"), key)
	writeFile(t, filepath.Join(dir, "ca.crt"), encodePEM("CERTIFICATE", a.cert.Raw))
}

func writeFile(t *testing.T, path string, b []byte) {
	t.Helper()
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
}

func secured(dir string) func(*fn.ServerOptions) {
	return func(o *fn.ServerOptions) { o.Insecure, o.CertsDir = false, dir }
}

// call makes one call on a new connection, and returns its TLS state.
func (s *testServer) call(t *testing.T, config *tls.Config) (tls.ConnectionState, error) {
	t.Helper()
	conn := s.dial(t, config)
	var p peer.Peer
	_, err := fnv1.NewFunctionRunnerServiceClient(conn).RunFunction(t.Context(), tagged("t"), grpc.Peer(&p))
	_ = conn.Close()
	info, _ := p.AuthInfo.(credentials.TLSInfo)
	return info.State, err
}

func TestMutualTLS(t *testing.T) {
	ours, theirs := newAuthority(t), newAuthority(t)
	dir := t.TempDir()
	ours.write(t, dir)
	s := serve(t, respond, secured(dir))

	without := ours.client(t, ours)
	without.Certificates = nil
	tls12 := ours.client(t, ours)
	tls12.MaxVersion = tls.VersionTLS12
	tls11 := ours.client(t, ours)
	tls11.MinVersion, tls11.MaxVersion = tls.VersionTLS10, tls.VersionTLS11

	cases := map[string]struct {
		client  *tls.Config
		refused bool
		version uint16
	}{
		"OurClient":                {client: ours.client(t, ours), version: tls.VersionTLS13},
		"OurClientWithTLS12":       {client: tls12, version: tls.VersionTLS12},
		"OurClientWithTLS11":       {client: tls11, refused: true},
		"ClientWithoutCertificate": {client: without, refused: true},
		"ClientOfAnotherAuthority": {client: theirs.client(t, ours), refused: true},
		"ClientWithoutTLS":         {refused: true},
		"ClientThatDoesNotTrustUs": {client: ours.client(t, theirs), refused: true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			state, err := s.call(t, tc.client)
			switch {
			case tc.refused && status.Code(err) != codes.Unavailable:
				t.Errorf("got %v, want to be refused", err)
			case !tc.refused && err != nil:
				t.Error(err)
			case state.Version != tc.version:
				t.Errorf("got TLS version %x, want %x", state.Version, tc.version)
			}
		})
	}
}

func TestInsecureWinsOverCertificates(t *testing.T) {
	s := serve(t, respond, func(o *fn.ServerOptions) { o.Insecure, o.CertsDir = true, "testdata/nothing-here" })
	if _, err := s.call(t, nil); err != nil {
		t.Error(err)
	}
}

func TestCertificatesChangeWhileServing(t *testing.T) {
	before, after := newAuthority(t), newAuthority(t)
	dir := t.TempDir()
	before.write(t, dir)
	s := serve(t, respond, secured(dir))
	old, fresh := before.client(t, before), after.client(t, after)
	if _, err := s.call(t, old); err != nil {
		t.Fatal(err)
	}

	after.write(t, dir)
	eventually(t, "a client of the new authority is served", func() bool {
		_, err := s.call(t, fresh)
		return err == nil
	})
	if _, err := s.call(t, before.client(t, after)); err == nil {
		t.Error("a client of the old authority is served")
	}
	if n := len(s.lines(t, "Certificates changed; new connections use them")); n == 0 {
		t.Errorf("the log does not say so:\n%s", s.log.String())
	}
}

func TestCertificatesThatCannotBeUsed(t *testing.T) {
	cases := map[string]func(t *testing.T, dir string){
		"NoPEM": func(t *testing.T, dir string) {
			t.Helper()
			writeFile(t, filepath.Join(dir, "tls.crt"), []byte("broken"))
		},
		"AnotherKey": func(t *testing.T, dir string) {
			t.Helper()
			_, key := newAuthority(t).issue(t, "server")
			writeFile(t, filepath.Join(dir, "tls.key"), key)
		},
		"NoAuthority": func(t *testing.T, dir string) {
			t.Helper()
			writeFile(t, filepath.Join(dir, "ca.crt"), []byte("broken"))
		},
		"Missing": func(t *testing.T, dir string) {
			t.Helper()
			if err := os.Remove(filepath.Join(dir, "tls.crt")); err != nil {
				t.Fatal(err)
			}
		},
	}
	const complaint = "Certificates changed and cannot be used; the old ones stay in use"
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours := newAuthority(t)
			dir := t.TempDir()
			ours.write(t, dir)
			s := serve(t, respond, secured(dir))
			client := ours.client(t, ours)

			damage(t, dir)
			eventually(t, "the log says so", func() bool {
				if _, err := s.call(t, client); err != nil {
					t.Fatalf("a call failed: %v", err)
				}
				return len(s.lines(t, complaint)) > 0
			})
			if key, _ := os.ReadFile(filepath.Join(dir, "tls.key")); strings.Contains(s.log.String(), string(key)) {
				t.Error("the log has the key")
			}

			t.Run("AtStart", func(t *testing.T) {
				_, err := fn.Listen(t.Context(), respond, fn.ServerOptions{
					Address: "127.0.0.1:0", CertsDir: dir, Log: fn.NewLogger(t.Output(), false),
				})
				if err == nil || !strings.Contains(err.Error(), dir) {
					t.Errorf("got %v, want an error that names %s", err, dir)
				}
			})

			repaired := newAuthority(t)
			repaired.write(t, dir)
			client = repaired.client(t, repaired)
			eventually(t, "repaired files are used", func() bool {
				_, err := s.call(t, client)
				return err == nil
			})
		})
	}
}

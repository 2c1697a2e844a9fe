package fn

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// certsCheckInterval bounds how often the certificate files are read.
const certsCheckInterval = time.Second

// certFiles are the contents of the files in a directory of certificates.
type certFiles struct {
	cert, key, ca []byte
}

// certs are the certificates of a directory. A handshake picks up changed files;
// while those cannot be used, the ones before them stay in use.
type certs struct {
	dir string
	log *slog.Logger

	mu      sync.Mutex
	config  *tls.Config
	seen    certFiles // that config was made of, or that cannot be used
	checked time.Time
	problem string // that was logged last
}

func loadCerts(dir string, log *slog.Logger) (*certs, error) {
	files, err := readCertFiles(dir)
	if err != nil {
		return nil, err
	}
	config, err := files.config()
	if err != nil {
		return nil, fmt.Errorf("cannot use the certificates in %q: %w", dir, err)
	}
	return &certs{dir: dir, log: log, config: config, seen: files, checked: time.Now()}, nil
}

func readCertFiles(dir string) (certFiles, error) {
	var f certFiles
	var errs [3]error
	f.cert, errs[0] = os.ReadFile(filepath.Join(dir, "tls.crt"))
	f.key, errs[1] = os.ReadFile(filepath.Join(dir, "tls.key"))
	f.ca, errs[2] = os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err := errors.Join(errs[:]...); err != nil {
		return f, fmt.Errorf("cannot read certificates: %w", err)
	}
	return f, nil
}

func (f certFiles) equal(o certFiles) bool {
	return bytes.Equal(f.cert, o.cert) && bytes.Equal(f.key, o.key) && bytes.Equal(f.ca, o.ca)
}

// config makes a configuration that requires clients with a certificate of the
// authority. Sessions are not resumed, so that every client is verified against
// the authority of the day.
func (f certFiles) config() (*tls.Config, error) {
	pair, err := tls.X509KeyPair(f.cert, f.key)
	if err != nil {
		return nil, fmt.Errorf("tls.crt and tls.key: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(f.ca) {
		return nil, errors.New("ca.crt: no PEM encoded certificate in it")
	}
	return &tls.Config{
		MinVersion:             tls.VersionTLS12,
		Certificates:           []tls.Certificate{pair},
		ClientCAs:              pool,
		ClientAuth:             tls.RequireAndVerifyClientCert,
		NextProtos:             []string{"h2"},
		SessionTicketsDisabled: true,
	}, nil
}

// tlsConfig returns a configuration that uses the certificates of the moment.
func (c *certs) tlsConfig() *tls.Config {
	return &tls.Config{
		MinVersion:         tls.VersionTLS12,
		NextProtos:         []string{"h2"},
		GetConfigForClient: func(*tls.ClientHelloInfo) (*tls.Config, error) { return c.current(), nil },
	}
}

func (c *certs) current() *tls.Config {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := time.Now(); now.Sub(c.checked) >= certsCheckInterval {
		c.checked = now
		c.reload()
	}
	return c.config
}

func (c *certs) reload() {
	files, err := readCertFiles(c.dir)
	if err != nil {
		c.keep(err)
		return
	}
	if files.equal(c.seen) {
		return
	}
	c.seen = files
	config, err := files.config()
	if err != nil {
		c.keep(err)
		return
	}
	c.config, c.problem = config, ""
	c.log.Info("Certificates changed; new connections use them", "dir", c.dir)
}

// keep logs why the certificates stay what they are, unless that was said last.
func (c *certs) keep(err error) {
	if c.problem == err.Error() {
		return
	}
	c.problem = err.Error()
	c.log.Error("Certificates changed and cannot be used; the old ones stay in use", "dir", c.dir, "error", c.problem)
}

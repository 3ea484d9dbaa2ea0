package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"os"

	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
)

// configTLS is how `up` serves over TLS: files of PEM text. Client certificates
// are asked for where client_ca says who signs them; none need be shown.
type configTLS struct {
	Cert     string `json:"cert"`
	Key      string `json:"key"`
	ClientCA string `json:"client_ca"`
}

// check refuses halves.
func (t configTLS) check(certificates bool) error {
	switch {
	case (t.Cert == "") != (t.Key == ""):
		return errors.New("tls: cert and key go together; one is missing")
	case t.ClientCA != "" && t.Cert == "":
		return errors.New("tls.client_ca: client certificates need a cert and a key of the server's own")
	case certificates && t.ClientCA == "":
		return errors.New("auth.tokens: certificates are believed where tls.client_ca says who signs them; add it")
	}
	return nil
}

// tlsConfig reads the files; nil where there are none.
func (c config) tlsConfig() (*tls.Config, error) {
	if c.TLS.Cert == "" {
		return nil, nil
	}
	pair, err := tls.LoadX509KeyPair(c.path(c.TLS.Cert), c.path(c.TLS.Key))
	if err != nil {
		return nil, configError("tls: %v", err)
	}
	out := &tls.Config{MinVersion: tls.VersionTLS12, Certificates: []tls.Certificate{pair}}
	if c.TLS.ClientCA == "" {
		return out, nil
	}
	text, err := os.ReadFile(c.path(c.TLS.ClientCA))
	if err != nil {
		return nil, configError("tls.client_ca: %v", err)
	}
	out.ClientCAs, out.ClientAuth = x509.NewCertPool(), tls.VerifyClientCertIfGiven
	if !out.ClientCAs.AppendCertsFromPEM(text) {
		return nil, configError("tls.client_ca: %s holds no certificate", c.TLS.ClientCA)
	}
	return out, nil
}

// serveOn serves, over TLS where there is a configuration for it.
func serveOn(srv *http.Server, lis net.Listener, secure *tls.Config) error {
	lis = httpapi.Bound(srv, lis)
	if secure == nil {
		return srv.Serve(lis)
	}
	srv.TLSConfig = secure
	return srv.ServeTLS(lis, "", "")
}

func scheme(secure *tls.Config) string {
	if secure == nil {
		return "http://"
	}
	return "https://"
}

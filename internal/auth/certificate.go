package auth

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// certified gives the principal that a verified client certificate names. A
// certificate of which the configuration knows nothing is no credential: it may
// have been asked for by the transport alone.
func (a *Authenticator) certified(state *tls.ConnectionState) (who interlock.Principal, known bool, err error) {
	if len(a.certs) == 0 || state == nil || len(state.VerifiedChains) == 0 || len(state.VerifiedChains[0]) == 0 {
		return who, false, nil
	}
	leaf := state.VerifiedChains[0][0]
	found := -1
	for _, name := range namesOf(leaf) {
		at, ok := a.certs[name]
		if !ok {
			continue
		}
		if found >= 0 && found != at {
			return who, false, disagree("The client certificate is of two principals; use one that names one.")
		}
		found = at
	}
	if found < 0 {
		return who, false, nil
	}
	// The handshake saw it valid; a connection can outlive that.
	if now := a.clock(); now.Before(leaf.NotBefore) || now.After(leaf.NotAfter) {
		return who, false, unauthenticated(FaultCertificate, "The client certificate has expired, or is not valid yet.")
	}
	who = a.named[found]
	who.Until = leaf.NotAfter
	return who, true, nil
}

// namesOf gives what a certificate can be known by.
func namesOf(leaf *x509.Certificate) []string {
	names := []string{"subject:" + leaf.Subject.String()}
	if leaf.Subject.CommonName != "" {
		names = append(names, "cn:"+leaf.Subject.CommonName)
	}
	for _, n := range leaf.DNSNames {
		names = append(names, "dns:"+n)
	}
	for _, n := range leaf.EmailAddresses {
		names = append(names, "email:"+n)
	}
	for _, n := range leaf.URIs {
		names = append(names, "uri:"+n.String())
	}
	return names
}

// certKinds are the forms of a certificate's name.
var certKinds = [...]string{"cn:", "subject:", "dns:", "uri:", "email:"}

// certName checks the form of a configured certificate name.
func certName(name string) error {
	for _, kind := range certKinds {
		if rest, ok := strings.CutPrefix(name, kind); ok && rest != "" {
			return nil
		}
	}
	return fmt.Errorf("certificate %q does not begin with cn:, subject:, dns:, uri: or email: as its kind", name)
}

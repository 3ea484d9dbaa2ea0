package auth

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// MaxSecret is the most bytes that a secret's file may have.
const MaxSecret = 64 << 10

// Resolver reads secrets by reference: "env:NAME" from Lookup, "file:PATH"
// from the file without its last line break, "command:PROGRAM ARGUMENT …" from
// what the program writes, "keyring:SERVICE/NAME" from the keyring of the
// system. It implements interlock.Secrets and keeps nothing; Run and Keyring may
// keep what they gave for half a minute, after which a rotated secret is the new
// one.
type Resolver struct {
	Lookup func(name string) (string, bool) // of the environment; nil knows no variable
	// Run gives what a command writes; nil runs none.
	Run func(command string) (interlock.Secret, error)
	// Keyring gives the entry of a name under a service; nil: there is none.
	Keyring func(service, name string) (interlock.Secret, error)
	// Forget lets go of what Run and Keyring keep; nil: they keep nothing.
	Forget func()
}

var _ interlock.Secrets = Resolver{}

// Secret reads the secret that ref names. An empty one is an error, and no
// error holds any part of a secret.
func (r Resolver) Secret(ref string) (interlock.Secret, error) {
	secret, err := r.read(ref)
	if err == nil && secret == "" {
		err = errors.New("it is empty")
	}
	if err != nil {
		return "", &interlock.Error{
			Code: interlock.CodeUnavailable, Reason: interlock.ReasonCredential, Stage: "invoke", Outcome: interlock.OutcomeNotSent,
			Public: "A credential that the source needs could not be read; the operator's log names it.",
			Err:    fmt.Errorf("secret %q: %w", shortRef(ref), err),
		}
	}
	return secret, nil
}

// Again reads the secret that ref names anew, whatever was kept of it.
func (r Resolver) Again(ref string) (interlock.Secret, error) {
	if r.Forget != nil {
		r.Forget()
	}
	return r.Secret(ref)
}

// read looks up a reference.
func (r Resolver) read(ref string) (interlock.Secret, error) {
	if name, ok := strings.CutPrefix(ref, "env:"); ok {
		if r.Lookup != nil {
			if secret, set := r.Lookup(name); set {
				return interlock.Secret(secret), nil
			}
		}
		return "", errors.New("the variable is not set")
	}
	if path, ok := strings.CutPrefix(ref, "file:"); ok {
		return readFile(path)
	}
	if command, ok := strings.CutPrefix(ref, "command:"); ok {
		if r.Run == nil {
			return "", errors.New("commands are not run here")
		}
		return r.Run(command)
	}
	if entry, ok := strings.CutPrefix(ref, "keyring:"); ok {
		return r.entry(entry)
	}
	return "", errors.New("a reference is env:NAME, file:PATH, command:PROGRAM ARGUMENT … or keyring:SERVICE/NAME")
}

// entry reads an entry of the keyring. The name is what follows the last slash,
// because a service is often named by an address.
func (r Resolver) entry(text string) (interlock.Secret, error) {
	at := strings.LastIndexByte(text, '/')
	if at < 1 || at == len(text)-1 {
		return "", errors.New("an entry of the keyring is named SERVICE/NAME")
	}
	if r.Keyring == nil {
		return "", errors.New("no keyring is read here")
	}
	secret, err := r.Keyring(text[:at], text[at+1:])
	if err == nil && len(secret) > MaxSecret {
		return "", fmt.Errorf("over %d bytes", MaxSecret)
	}
	return secret, err
}

// readFile reads a bounded file without its last line break.
func readFile(path string) (interlock.Secret, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }() // only read
	text, err := io.ReadAll(io.LimitReader(f, MaxSecret+1))
	if err != nil {
		return "", err
	}
	if len(text) > MaxSecret {
		return "", fmt.Errorf("over %d bytes", MaxSecret)
	}
	return interlock.Secret(strings.TrimSuffix(strings.TrimSuffix(string(text), "\n"), "\r")), nil
}

// shortRef is a reference as a log may hold it: of a command the program alone,
// because an argument may be a secret itself.
func shortRef(ref string) string {
	if command, ok := strings.CutPrefix(ref, "command:"); ok {
		program, _, more := strings.Cut(strings.TrimSpace(command), " ")
		if ref = "command:" + program; more {
			ref += " …"
		}
	}
	return ref
}

package main

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/zalando/go-keyring"

	"github.com/seed-ae386458/interlock"
)

// maxKeyringWaits is how many questions to the keyring may be open at once: one
// may wait for a person to unlock it, longer than anyone waits for the answer.
const maxKeyringWaits = 4

// keyrings reads entries of the keyring of the system: the secret service on
// Linux, the keychain on macOS, the credential manager on Windows. It writes
// none. The zero value is ready.
type keyrings struct {
	kept  keptSecrets
	waits atomic.Int32                               // questions that are open, at most maxKeyringWaits
	read  func(service, name string) (string, error) // nil: the system's
}

// secret gives the entry of a name under a service.
func (k *keyrings) secret(service, name string) (interlock.Secret, error) {
	return k.kept.get(service+"/"+name, func() (interlock.Secret, error) { return k.ask(service, name) })
}

// ask waits a bounded time for the keyring. Its library takes no context, so a
// question that is given up on ends when its keyring answers.
func (k *keyrings) ask(service, name string) (interlock.Secret, error) {
	if k.waits.Add(1) > maxKeyringWaits {
		k.waits.Add(-1)
		return "", errors.New("the keyring has not answered earlier questions; unlock it")
	}
	read := k.read
	if read == nil {
		read = keyring.Get
	}
	type answer struct {
		text string
		err  error
	}
	answers := make(chan answer, 1)
	go func() {
		defer k.waits.Add(-1)
		text, err := read(service, name)
		answers <- answer{text, err}
	}()
	late := time.NewTimer(commandTime)
	defer late.Stop()
	select {
	case a := <-answers:
		return interlock.Secret(a.text), keyringFault(a.err)
	case <-late.C:
		return "", fmt.Errorf("the keyring did not answer within %s; is it locked?", commandTime)
	}
}

// keyringFault says what is wrong with a keyring, in words of ours and its own.
func keyringFault(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return errors.New("the keyring has no such entry")
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return errors.New("this system has no keyring that is known here")
	}
	return fmt.Errorf("the keyring cannot be read; does one run in this session? %w", err)
}

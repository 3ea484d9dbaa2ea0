package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

// The bounds of a command that gives a secret.
const (
	commandTime = 10 * time.Second // to answer
	commandKeep = 30 * time.Second // that an answer serves
	commandWait = time.Second      // for what the command started to let go of its output
	maxCommands = 256              // answers that are kept
)

// keptSecrets are secrets that took a while to get, each for half a minute, so that a
// call does not start a process or wake a service each time. The zero value is
// ready.
type keptSecrets struct {
	mu   sync.Mutex // guards gave
	gave map[string]given
}

// given is what a reference gave.
type given struct {
	secret interlock.Secret
	at     time.Time
}

// get gives what is kept of a reference, or gets it.
func (k *keptSecrets) get(ref string, read func() (interlock.Secret, error)) (interlock.Secret, error) {
	k.mu.Lock()
	had, ok := k.gave[ref]
	k.mu.Unlock()
	if ok && time.Since(had.at) < commandKeep {
		return had.secret, nil
	}
	secret, err := read()
	if err != nil {
		return "", err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.gave == nil || len(k.gave) >= maxCommands {
		k.gave = map[string]given{}
	}
	k.gave[ref] = given{secret, time.Now()}
	return secret, nil
}

// forget lets go of everything.
func (k *keptSecrets) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	clear(k.gave)
}

// programs runs the commands that references name: a program and its arguments,
// parted by spaces, without a shell, so that nothing in them is expanded. What a
// command says on its error stream goes nowhere. The zero value is ready.
type programs struct{ kept keptSecrets }

// secret gives what a command writes, without the white space around it.
func (c *programs) secret(text string) (interlock.Secret, error) {
	return c.kept.get(text, func() (interlock.Secret, error) { return runCommand(text) })
}

func runCommand(text string) (interlock.Secret, error) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return "", errors.New("there is no command")
	}
	ctx, stop := context.WithTimeout(context.Background(), commandTime)
	defer stop()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	out := &capped{}
	cmd.Stdout, cmd.WaitDelay = out, commandWait
	err := cmd.Run()
	switch {
	case out.over:
		return "", fmt.Errorf("the command wrote over %d bytes", auth.MaxSecret)
	case ctx.Err() != nil:
		return "", fmt.Errorf("the command did not end within %s", commandTime)
	case err != nil:
		return "", fmt.Errorf("the command failed: %w", err) // the exit code, or that there is no such program
	}
	return interlock.Secret(strings.TrimSpace(out.text.String())), nil
}

// capped takes in what fits a secret, and ends the command that writes more.
type capped struct {
	text bytes.Buffer
	over bool
}

// Write takes in a piece.
func (b *capped) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > auth.MaxSecret {
		b.over = true
		return 0, errors.New("too much")
	}
	return b.text.Write(p)
}

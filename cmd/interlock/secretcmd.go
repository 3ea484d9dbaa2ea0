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

// programs runs the commands that references name: a program and its arguments,
// parted by spaces, without a shell, so that nothing in them is expanded. It
// keeps an answer for half a minute, so that a call does not start a process
// each time, and what a command says on its error stream goes nowhere. The zero
// value is ready.
type programs struct {
	mu   sync.Mutex // guards kept
	kept map[string]programGave
}

// programGave is what a command gave.
type programGave struct {
	secret interlock.Secret
	at     time.Time
}

// secret gives what a command writes, without the white space around it.
func (c *programs) secret(text string) (interlock.Secret, error) {
	c.mu.Lock()
	had, ok := c.kept[text]
	c.mu.Unlock()
	if ok && time.Since(had.at) < commandKeep {
		return had.secret, nil
	}
	secret, err := runCommand(text)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || len(c.kept) >= maxCommands {
		c.kept = map[string]programGave{}
	}
	c.kept[text] = programGave{secret, time.Now()}
	return secret, nil
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

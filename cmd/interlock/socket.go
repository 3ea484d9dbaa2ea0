package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock/internal/surface/httpapi"
)

// maxSocket is how long a socket's path may be on every system.
const maxSocket = 100

// socketPath finds the socket of a store's running server. It stands beside the
// store; where that path is too long for a socket, a file there says where it
// is.
func socketPath(store string) string {
	path := store + ".sock"
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return path
	}
	moved, err := os.ReadFile(path)
	if err != nil {
		return path
	}
	return strings.TrimSpace(string(moved))
}

// running gives a client of the store's running server; nil where there is
// none. A socket of somebody who owns neither the store nor this process is
// none: in a folder that others may write to, it would get every argument.
func running(store string) *httpapi.Client {
	path := socketPath(store)
	if !ours(store, store+".sock") || !ours(store, path) {
		return nil
	}
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err != nil {
		return nil
	}
	_ = conn.Close() // it was only a question
	return httpapi.DialSocket(path)
}

// listenBeside listens on the socket of a store. Whoever holds the store's lock
// knows that nobody listens on what is left there.
func listenBeside(store string) (lis net.Listener, remove func() error, err error) {
	path := store + ".sock"
	if err := clearSocket(store); err != nil {
		return nil, nil, err
	}
	if len(path) <= maxSocket {
		lis, err := listenPrivate(path)
		return lis, func() error { return nil }, err // closing it removes it
	}
	dir, err := os.MkdirTemp("", "interlock-") // nobody else may enter it
	if err != nil {
		return nil, nil, err
	}
	moved := filepath.Join(dir, "sock")
	lis, err = listenPrivate(moved)
	if err != nil {
		return nil, nil, errors.Join(err, os.RemoveAll(dir))
	}
	remove = func() error { return errors.Join(os.Remove(path), os.RemoveAll(dir)) }
	if err := os.WriteFile(path, []byte(moved+"\n"), 0o600); err != nil {
		return nil, nil, errors.Join(err, lis.Close(), os.RemoveAll(dir))
	}
	return lis, remove, nil
}

// clearSocket removes what a killed server left: a socket that nobody answers
// on, or the file that says where such a one is. Anything else that stands there
// is somebody's, and stays.
func clearSocket(store string) error {
	path, moved := store+".sock", socketPath(store)
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case !ours(store, path) || !info.Mode().IsRegular() && info.Mode()&os.ModeSocket == 0 || info.Mode().IsRegular() && !names(moved):
		return fmt.Errorf("%s is no socket of a server that has ended; move it away", path)
	}
	if conn, err := net.DialTimeout("unix", moved, time.Second); err == nil {
		_ = conn.Close() // it was only a question
		return fmt.Errorf("somebody answers on %s", moved)
	}
	errs := []error{os.Remove(path)}
	if moved != path {
		errs = append(errs, removeSocket(moved), os.Remove(filepath.Dir(moved)))
	}
	for _, err := range errs {
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// names reports whether a path is of the form that listenBeside gives to a
// socket that stands elsewhere.
func names(moved string) bool {
	dir, file := filepath.Split(moved)
	return filepath.IsAbs(moved) && file == "sock" && strings.HasPrefix(filepath.Base(dir), "interlock-") && !strings.ContainsAny(moved, "\n\r")
}

// removeSocket removes a socket, and nothing else.
func removeSocket(path string) error {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&os.ModeSocket == 0 {
		return fmt.Errorf("%s is no socket", path)
	}
	if err != nil {
		return err
	}
	return os.Remove(path)
}

// doorOptions are those of both doors of a session.
func (a *app) doorOptions(s *session, mcp httpapi.MCP) httpapi.Options {
	return httpapi.Options{MCP: mcp, Logger: a.logger, Version: version, Refused: s.local.NoteRefused, Holds: s.local.Holds, Why: s.explain, Audit: s.local}
}

// serveSocket serves the operator's door on the store's socket.
func (a *app) serveSocket(s *session, opts httpapi.Options) (stop func() error, err error) {
	lis, remove, err := listenBeside(s.path)
	if err != nil {
		return nil, fmt.Errorf("local socket of %s: %w", s.path, err)
	}
	door, err := httpapi.Operator(s.local, s.local, s.guard, opts)
	if err != nil {
		return nil, errors.Join(err, lis.Close(), remove())
	}
	srv := httpapi.NewServer(door, a.logger)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = srv.Serve(lis) // ends with the server
	}()
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), 3*time.Second)
		defer cancel()
		err := srv.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) {
			err = srv.Close()
		}
		<-done
		return errors.Join(err, remove())
	}, nil
}

package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

const (
	maxWitness = 64 << 10           // bytes of a request to a witness, and of its answer
	sizeMedia  = "text/x.tlog.size" // of the answer to a stale request
)

// Run lists what witnesses have signed.
func (witnessListCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		list, err := s.LogWitnesses(ctx)
		if err != nil {
			return err
		}
		if a.JSON {
			return a.print(list)
		}
		rows := make([][]string, 0, len(list))
		for _, w := range list {
			at := "-" // fewer than the policy asks for
			if !w.At.IsZero() {
				at = w.At.Format(time.RFC3339)
			}
			rows = append(rows, []string{strconv.FormatInt(w.Size, 10), at, strings.Join(w.By, " ")})
		}
		a.hint(len(rows) == 0, "No witness has signed a checkpoint of this log.")
		return table(a.out, []string{"ENTRIES", "ENOUGH AT", "BY"}, rows)
	})
}

// Run writes a request.
func (c witnessRequestCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		text, err := s.LogWitnessRequest(ctx, c.Old)
		if err != nil {
			return err
		}
		return a.put("log witness request", c.File, text)
	})
}

// Run takes signatures in.
func (c witnessAddCmd) Run(ctx context.Context, a *app) error {
	text, err := a.readFile("log witness add", c.File)
	if err != nil {
		return err
	}
	return a.withLog(ctx, func(s *session) error {
		kept, err := s.LogWitness(ctx, string(text))
		if err != nil {
			return err
		}
		return a.tellKept(kept)
	})
}

func (a *app) tellKept(kept receipt.WitnessKept) error {
	if a.JSON {
		return a.print(kept)
	}
	note := "as many as are asked for"
	if !kept.Enough {
		note = "more are asked for"
	}
	return tell(a.out, "%d entries are signed by %s; %s\n", kept.Size, strings.Join(kept.Signatures, ", "), note)
}

// Run asks every witness that has an address. One that does not answer leaves
// the others their turn.
func (c witnessAskCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		client := &http.Client{Timeout: c.Timeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
		var failed []error
		asked := 0
		for _, w := range s.cfg.Log.Witness.By {
			if w.URL == "" {
				continue
			}
			asked++
			kept, err := askWitness(ctx, s, client, w.URL)
			if err == nil {
				err = a.tellKept(kept)
			}
			if err != nil {
				failed = append(failed, err)
			}
		}
		if asked == 0 {
			return configError("log.witness: no witness has a url; carry requests by file with `interlock log witness request`")
		}
		return errors.Join(failed...)
	})
}

// askWitness asks one witness: from the size at which it is thought to know the
// log, and once more from the size that it names.
func askWitness(ctx context.Context, s *session, client *http.Client, address string) (receipt.WitnessKept, error) {
	old := int64(0)
	if list, err := s.LogWitnesses(ctx); err == nil && len(list) > 0 {
		old = list[0].Size
	}
	for range 2 {
		request, err := s.LogWitnessRequest(ctx, old)
		if err != nil {
			return receipt.WitnessKept{}, err
		}
		lines, knows, err := postWitness(ctx, client, address, request)
		if err != nil {
			return receipt.WitnessKept{}, witnessError(address, err)
		}
		if lines != "" {
			_, checkpoint, _ := strings.Cut(request, "\n\n")
			return s.LogWitness(ctx, checkpoint+lines)
		}
		old = knows
	}
	return receipt.WitnessKept{}, witnessError(address, errors.New("it goes on naming other sizes"))
}

func witnessError(address string, err error) error {
	return &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: "log",
		Public: fmt.Sprintf("The witness at %s did not sign: %v.", address, err), Err: err}
}

// postWitness sends a request: it gives the lines of signatures, or the size
// that the witness knows the log at.
func postWitness(ctx context.Context, client *http.Client, address, request string) (lines string, knows int64, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, strings.TrimSuffix(address, "/")+"/add-checkpoint", strings.NewReader(request))
	if err != nil {
		return "", 0, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return "", 0, err
	}
	defer resp.Body.Close() //nolint:errcheck // read only
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxWitness))
	switch {
	case err != nil:
		return "", 0, err
	case resp.StatusCode == http.StatusOK && strings.HasPrefix(string(text), "— "):
		return string(text), 0, nil
	case resp.StatusCode == http.StatusConflict && resp.Header.Get("Content-Type") == sizeMedia:
		knows, err = strconv.ParseInt(strings.TrimSuffix(string(text), "\n"), 10, 64)
		return "", knows, err
	}
	return "", 0, fmt.Errorf("it answers %d %s", resp.StatusCode, strings.TrimSpace(string(text[:min(len(text), 200)])))
}

// Run makes a key.
func (c witnessKeyCmd) Run(_ context.Context, a *app) error {
	const op = "log witness key"
	secret, err := receipt.NewWitness(c.Name, rand.Reader)
	if err != nil {
		return usagef("%v", err)
	}
	w, err := receipt.ParseWitness(secret, time.Now)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fileError(op, err)
	}
	_, err = f.WriteString(secret + "\n")
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fileError(op, err)
	}
	if a.JSON {
		return a.print(map[string]string{"file": c.File, "verifier_key": w.VerifierKey()})
	}
	return tell(a.out, "%s\n", w.VerifierKey())
}

// witness is a witness of one log with what it has signed last.
type witness struct {
	receipt.Witness
	state string
	log   []string
	mu    sync.Mutex // one request at a time: two would sign from one state
}

func (f witnessFlags) open(a *app, op string) (*witness, error) {
	secret, err := a.readFile(op, f.Key)
	if err != nil {
		return nil, err
	}
	w, err := receipt.ParseWitness(string(secret), time.Now)
	if err != nil {
		return nil, fileError(op, fmt.Errorf("%s: %w", f.Key, err))
	}
	return &witness{Witness: w, state: f.State, log: f.Log}, nil
}

// sign answers a request. The new state is on the disk before the signature is
// given out, so that no crash lets it sign two logs.
func (w *witness) sign(request string) (checkpoint, line string, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	last, err := os.ReadFile(w.state)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", fileError("log witness", err)
	}
	line, checkpoint, err = w.Cosign(request, string(last), w.log)
	if err != nil {
		return "", "", err
	}
	return checkpoint, line, writeFile("log witness", w.state, []byte(checkpoint))
}

// Run signs the checkpoint of a request.
func (c witnessSignCmd) Run(_ context.Context, a *app) error {
	const op = "log witness sign"
	w, err := c.open(a, op)
	if err != nil {
		return err
	}
	request, err := a.readFile(op, c.Request)
	if err != nil {
		return err
	}
	checkpoint, line, err := w.sign(string(request))
	var stale *receipt.StaleError
	if errors.As(err, &stale) {
		return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: "log",
			Public: fmt.Sprintf("This witness knows the log at %d entries. Ask with: interlock log witness request --old %[1]d", stale.Size)}
	}
	if err != nil {
		return err
	}
	if a.JSON {
		return a.print(map[string]string{"checkpoint": checkpoint + line})
	}
	_, err = io.WriteString(a.out, checkpoint+line)
	return err
}

// ServeHTTP answers add-checkpoint of the C2SP witness protocol.
func (w *witness) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	request, err := io.ReadAll(http.MaxBytesReader(out, r.Body, maxWitness))
	if err != nil {
		http.Error(out, "The request is too long or broke off.", http.StatusBadRequest)
		return
	}
	_, line, err := w.sign(string(request))
	var stale *receipt.StaleError
	switch {
	case err == nil:
		out.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, _ = io.WriteString(out, line) // who asked has gone
	case errors.As(err, &stale):
		out.Header().Set("Content-Type", sizeMedia)
		out.WriteHeader(http.StatusConflict)
		_, _ = fmt.Fprintf(out, "%d\n", stale.Size)
	case interlock.ReasonOf(err) == interlock.ReasonLogPutBack:
		http.Error(out, "The proof does not hold: the log did not grow out of the one that was signed.", http.StatusUnprocessableEntity)
	case interlock.ReasonOf(err) == interlock.ReasonLogInvalid:
		http.Error(out, "The checkpoint is not by a key of the log that is witnessed here, or malformed.", http.StatusForbidden)
	default:
		http.Error(out, "The witness cannot keep its state.", http.StatusInternalServerError)
	}
}

// Run serves until it is stopped.
func (c witnessServeCmd) Run(ctx context.Context, a *app) error {
	w, err := c.open(a, "log witness serve")
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", c.Listen)
	if err != nil {
		return usagef("cannot listen on %s: %v; choose another --listen", c.Listen, err)
	}
	mux := http.NewServeMux()
	mux.Handle("POST /add-checkpoint", w)
	srv := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second}
	stopped := context.AfterFunc(ctx, func() { _ = srv.Close() })
	defer stopped()
	if err := tell(a.out, "%s signs at http://%s\n", w.VerifierKey(), listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return ignoreClosed(srv.Serve(listener))
}

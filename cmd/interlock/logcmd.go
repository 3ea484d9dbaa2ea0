package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"golang.org/x/mod/sumdb/note"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
)

// page is how many entries are read at a time.
const page = 1000

// withLog opens a session for who may audit.
func (a *app) withLog(ctx context.Context, work func(s *session) error) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Audit, "reads the log"); err != nil {
			return err
		}
		return work(s)
	})
}

// fileError is the error of a file that the command line names. One that is not
// there, or may not be read, is a fault of the line and none of the log.
func fileError(op string, err error) error {
	stage := "log"
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		stage = "cmd"
	}
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: stage, Public: fmt.Sprintf("%s: %v", op, err), Err: err}
}

// Run prints the log, an entry a line.
func (c logListCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		out := bufio.NewWriter(a.out)
		left := c.Limit
		for from := c.From; ; {
			entries, err := s.LogList(ctx, from, page)
			if err != nil {
				return err
			}
			for _, e := range entries {
				if c.Limit > 0 && left == 0 {
					return out.Flush()
				}
				left--
				if err := a.logLine(out, e); err != nil {
					return err
				}
			}
			if len(entries) == 0 {
				return out.Flush()
			}
			from = entries[len(entries)-1].Index + 1
		}
	})
}

func (a *app) logLine(out *bufio.Writer, e interlock.LogEntry) error {
	if !a.JSON {
		return tell(out, "%s\n", logLineOf(e))
	}
	text, err := interlock.Marshal(e)
	if err != nil {
		return err
	}
	if _, err := out.Write(text); err != nil {
		return err
	}
	return out.WriteByte('\n')
}

// Run writes the whole log as one file. A part is never taken for the whole:
// the file gets its name when it is complete.
func (c logExportCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		part := c.File + ".part"
		f, err := os.OpenFile(part, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
		if err != nil {
			return fileError("log export", err)
		}
		out := bufio.NewWriterSize(f, 1<<20)
		err = errors.Join(s.LogExport(ctx, out), out.Flush(), f.Sync(), f.Close())
		if err == nil {
			err = os.Rename(part, c.File)
		}
		if err != nil {
			return errors.Join(fmt.Errorf("log export: %w", err), os.Remove(part))
		}
		if a.JSON {
			return a.print(map[string]string{"file": c.File})
		}
		err = tell(a.out, "wrote %s; `interlock log verify %s` checks it anywhere\n", c.File, c.File)
		return err
	})
}

// Run verifies an exported file offline, or the log of the store.
func (c logVerifyCmd) Run(ctx context.Context, a *app) error {
	held, err := a.heldFiles("log verify", c.Checkpoint)
	if err != nil {
		return err
	}
	check := receipt.Check{Held: held, Progress: a.counts("entries")}
	if c.File == "" {
		return a.withLog(ctx, func(s *session) error {
			report, err := s.LogCheck(ctx, check)
			if err != nil {
				return err
			}
			return a.verified(report, "")
		})
	}
	f, err := os.Open(c.File)
	if err != nil {
		return fileError("log verify", err)
	}
	defer f.Close() //nolint:errcheck // read only
	report, err := a.verifyFile(f, c.Key, check)
	if err != nil {
		return err
	}
	note := "signed by the key of this store"
	if !report.Trusted {
		note = "signed by " + report.Key + ", which is the file's own word; pass --key to hold it against one you trust"
	}
	return a.verified(report, note)
}

// verifyFile holds an export against the keys and witnesses that are known
// here.
func (a *app) verifyFile(f io.Reader, key string, check receipt.Check) (receipt.Report, error) {
	s, err := a.prepare()
	if err != nil {
		return receipt.Report{}, err
	}
	if check.Trusted, err = a.trustedKeys(key); err != nil {
		return receipt.Report{}, err
	}
	check.Witness, check.Now = s.cfg.Log.Witness.policy(), time.Now()
	return check.Export(f)
}

// heldFiles reads checkpoints that were kept elsewhere.
func (a *app) heldFiles(op string, names []string) ([]string, error) {
	var texts []string
	for _, name := range names {
		text, err := a.readFile(op, name)
		if err != nil {
			return nil, err
		}
		texts = append(texts, string(text))
	}
	return texts, nil
}

// Run recomputes everything.
func (c logFsckCmd) Run(ctx context.Context, a *app) error {
	if c.Tiles != "" {
		return c.fsckTiles(a)
	}
	held, err := a.heldFiles("log fsck", c.Checkpoint)
	if err != nil {
		return err
	}
	return a.withLog(ctx, func(s *session) error {
		report, err := s.LogCheck(ctx, receipt.Check{Held: held, Books: true, Progress: a.counts("entries")})
		if err != nil {
			return err
		}
		if a.JSON {
			return a.printReport(report)
		}
		if err := a.verified(report, ""); err != nil {
			return err
		}
		b := report.Books
		if err := tell(a.out, "%d receipts, %d intents, %d of them open\n", b.Receipts, b.Intents, b.Open); err != nil {
			return err
		}
		if b.Back > 0 {
			tell(a.out, "%s the clock went back %d times, at most by %s\n", a.style(a.out).yellow("note"), b.Back, b.MaxBack)
		}
		for _, note := range b.Notes {
			tell(a.out, "%s %s\n", a.style(a.out).yellow("note"), note)
		}
		return nil
	})
}

// trustedKeys are the keys one of which a file must be signed with: the one
// given, or those of the store, where there is one.
func (a *app) trustedKeys(given string) ([]string, error) {
	if given != "" {
		if _, err := note.NewVerifier(given); err != nil {
			return nil, usagef("--key %q is no verifier key; `interlock doctor` prints the one of a store", given)
		}
		return []string{given}, nil
	}
	s, err := a.prepare()
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(s.path + ".keys"); err != nil {
		return nil, nil //nolint:nilerr // no store here: the file's own key has to do, and the output says so
	}
	keys, err := receipt.LoadKeys(s.path+".keys", nil)
	if err != nil {
		return nil, err
	}
	return keys.VerifierKeys(), nil
}

// verifiedJSON is what is printed of a log that verifies.
type verifiedJSON struct {
	Verified bool  `json:"verified"`
	Entries  int64 `json:"entries"`
	receipt.Report
}

func (a *app) printReport(r receipt.Report) error { return a.print(verifiedJSON{true, r.Size, r}) }

func (a *app) verified(r receipt.Report, note string) error {
	if a.JSON {
		return a.printReport(r)
	}
	if note != "" {
		note = ", " + note
	}
	if r.Dropped > 0 {
		note += fmt.Sprintf(", of which retention has dropped %d", r.Dropped)
	}
	if n := len(r.Held); n > 0 {
		note += fmt.Sprintf(", grown out of the checkpoint of %d that was kept outside", r.Held[n-1])
	}
	if w := r.Witnessed; w != nil {
		note += fmt.Sprintf(", witnessed up to %d by %s", w.Size, strings.Join(w.By, ", "))
	}
	err := tell(a.out, "%s %d entries%s\n", a.style(a.out).green("verified"), r.Size, note)
	return err
}

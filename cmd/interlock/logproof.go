package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// maxProof is the most that is read of a proof, a receipt or a request.
const maxProof = 16 << 20

// readFile reads a file that the command line names; - is standard input.
func (a *app) readFile(op, name string) ([]byte, error) {
	in := a.in
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, fileError(op, err)
		}
		defer f.Close() //nolint:errcheck // read only
		in = f
	}
	data, err := io.ReadAll(io.LimitReader(in, maxProof+1))
	if err != nil {
		return nil, fileError(op, err)
	}
	if len(data) > maxProof {
		return nil, fileError(op, fmt.Errorf("%s has more than %d bytes", name, maxProof))
	}
	return data, nil
}

// writeFile puts a file in place as a whole.
func writeFile(op, name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".part-*")
	if err != nil {
		return fileError(op, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		return fileError(op, errors.Join(err, os.Remove(f.Name())))
	}
	return nil
}

// put writes text to the file that the command line names, or to standard
// output where it names none.
func (a *app) put(op, name, text string) error {
	if name == "" {
		_, err := io.WriteString(a.out, text)
		return err
	}
	if err := writeFile(op, name, []byte(text)); err != nil {
		return err
	}
	if a.JSON {
		return a.print(map[string]string{"file": name})
	}
	return tell(a.out, "wrote %s\n", name)
}

// Run prints the signed checkpoint.
func (c logCheckpointCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		text, err := s.LogCheckpoint(ctx)
		if err != nil {
			return err
		}
		if a.JSON && c.File == "" {
			return a.print(map[string]string{"checkpoint": text})
		}
		return a.put("log checkpoint", c.File, text)
	})
}

// given reads a file that is to be verified, and the keys it is held to.
func (f proofFlags) given(a *app, op string, into any) (trusted []string, err error) {
	data, err := a.readFile(op, f.Verify)
	if err != nil {
		return nil, err
	}
	if err := decodeStrict(data, into); err != nil {
		return nil, fileError(op, fmt.Errorf("%s is no such thing: %w", f.Verify, err))
	}
	return a.someKeys(f.Key)
}

// someKeys are trustedKeys where there have to be some.
func (a *app) someKeys(given string) ([]string, error) {
	keys, err := a.trustedKeys(given)
	if err == nil && len(keys) == 0 {
		return nil, usagef("there is no store here whose key could be trusted; pass --key")
	}
	return keys, err
}

func decodeStrict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("something stands behind it")
	}
	return nil
}

// one refuses a command line with both a thing to make and one to verify, or
// neither.
func (f proofFlags) one(made bool, what string) error {
	if made == (f.Verify != "") {
		return usagef("give %s, or --verify FILE", what)
	}
	return nil
}

// Run proves an entry, or verifies a proof.
func (c logProveCmd) Run(ctx context.Context, a *app) error {
	if err := c.one(c.Entry != "", "the entry to prove"); err != nil {
		return err
	}
	if c.Verify == "" {
		return a.withLog(ctx, func(s *session) error { return printOf(a)(s.LogProve(ctx, c.Entry)) })
	}
	var proof receipt.Proof
	trusted, err := c.given(a, "log prove", &proof)
	if err != nil {
		return err
	}
	if err := receipt.VerifyProof(proof, trusted); err != nil {
		return err
	}
	return a.holds(map[string]any{"verified": true, "index": proof.Entry.Index, "type": proof.Entry.Type, "digest": proof.Entry.Digest},
		"entry %d, a %s, is in the log", proof.Entry.Index, proof.Entry.Type)
}

// printOf prints a value as JSON unless there is an error.
func printOf(a *app) func(v any, err error) error {
	return func(v any, err error) error {
		if err != nil {
			return err
		}
		return a.print(v)
	}
}

// holds says that something was verified.
func (a *app) holds(facts map[string]any, format string, args ...any) error {
	if a.JSON {
		return a.print(facts)
	}
	return tell(a.out, "%s "+format+"\n", append([]any{a.style(a.out).green("verified")}, args...)...)
}

// Run proves consistency, or verifies a proof of it.
func (c logConsistencyCmd) Run(ctx context.Context, a *app) error {
	if err := c.one(c.Old != nil, "the number of entries of the earlier log"); err != nil {
		return err
	}
	if c.Verify == "" {
		return a.withLog(ctx, func(s *session) error { return printOf(a)(s.LogConsistency(ctx, *c.Old, c.New)) })
	}
	var proof receipt.Consistency
	trusted, err := c.given(a, "log consistency", &proof)
	if err != nil {
		return err
	}
	if err := receipt.VerifyConsistency(proof, trusted); err != nil {
		return err
	}
	return a.holds(map[string]any{"verified": true, "old": proof.Old, "new": proof.New}, "the log of %d entries grew out of the log of %d", proof.New, proof.Old)
}

// Run attests an entry, or verifies an attestation.
func (c logAttestCmd) Run(ctx context.Context, a *app) error {
	if err := c.one(c.Entry != "", "the entry to attest"); err != nil {
		return err
	}
	if c.Verify == "" {
		return a.withLog(ctx, func(s *session) error { return printOf(a)(s.LogAttest(ctx, c.Entry)) })
	}
	var envelope receipt.Envelope
	trusted, err := c.given(a, "log attest", &envelope)
	if err != nil {
		return err
	}
	statement, err := receipt.VerifyEnvelope(envelope, trusted)
	if err != nil {
		return err
	}
	entry := statement.Predicate.Entry
	return a.holds(map[string]any{"verified": true, "statement": statement}, "the statement about entry %d, a %s, and its proof", entry.Index, entry.Type)
}

// Run verifies a receipt with what its holder has.
func (c logReceiptCmd) Run(_ context.Context, a *app) error {
	const op = "log verify-receipt"
	if (c.Args != "" || c.Result != "") && c.Proof == "" {
		return usagef("arguments and result are named in the entry; pass its --proof too")
	}
	rcpt, err := c.receipt(a)
	if err != nil {
		return err
	}
	trusted, err := a.someKeys(c.Key)
	if err != nil {
		return err
	}
	var evidence receipt.Evidence
	if c.Proof != "" {
		var proof receipt.Proof
		if _, err := (proofFlags{Verify: c.Proof, Key: c.Key}).given(a, op, &proof); err != nil {
			return err
		}
		if err := receipt.VerifyProof(proof, trusted); err != nil {
			return err
		}
		evidence.Body = proof.Entry.Body
	}
	for name, into := range map[string]*[]byte{c.Args: &evidence.Args, c.Result: &evidence.Result} {
		if name == "" {
			continue
		}
		data, err := a.readFile(op, name)
		if err != nil {
			return err
		}
		*into = bytes.TrimSuffix(data, []byte("\n")) // an editor's; JSON values have none
	}
	if err := receipt.VerifyReceipt(rcpt, trusted, evidence); err != nil {
		return err
	}
	return a.holds(map[string]any{"verified": true, "receipt": rcpt.ID, "proved": c.Proof != "", "args": c.Args != "", "result": c.Result != ""},
		"receipt %s%s", rcpt.ID, c.says())
}

// says tells what was checked beside the signature.
func (c logReceiptCmd) says() string {
	text := ""
	for _, each := range []struct{ given, says string }{{c.Proof, ", its entry is in the log"}, {c.Args, ", the arguments are its own"}, {c.Result, ", the result is its own"}} {
		if each.given != "" {
			text += each.says
		}
	}
	return text
}

// receipt reads the receipt, or the result of a call that holds it.
func (c logReceiptCmd) receipt(a *app) (interlock.Receipt, error) {
	data, err := a.readFile("log verify-receipt", c.Receipt)
	if err != nil {
		return interlock.Receipt{}, err
	}
	var holder struct {
		interlock.Receipt
		In *interlock.Receipt `json:"receipt"`
	}
	if err := json.Unmarshal(data, &holder); err != nil {
		return interlock.Receipt{}, fileError("log verify-receipt", fmt.Errorf("%s is no receipt: %w", c.Receipt, err))
	}
	if holder.In != nil {
		return *holder.In, nil
	}
	return holder.Receipt, nil
}

// Run brings a mirror of tiles up to date, and puts the checkpoint in place
// last: a mirror is never behind what it signs.
func (c logTilesCmd) Run(ctx context.Context, a *app) error {
	return a.withLog(ctx, func(s *session) error {
		signed, err := s.LogCheckpoint(ctx)
		if err != nil {
			return err
		}
		size, err := receipt.SizeOf(signed)
		if err != nil {
			return err
		}
		var wrote int64
		for _, path := range receipt.TilePaths(0, size) {
			file := filepath.Join(c.Dir, filepath.FromSlash(path))
			if _, err := os.Stat(file); err == nil {
				continue // a tile never changes
			}
			data, err := s.LogTile(ctx, path)
			if err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
				return fileError("log tiles", err)
			}
			if err := writeFile("log tiles", file, data); err != nil {
				return err
			}
			wrote++
		}
		if err := os.MkdirAll(c.Dir, 0o700); err != nil {
			return fileError("log tiles", err)
		}
		if err := writeFile("log tiles", filepath.Join(c.Dir, "checkpoint"), []byte(signed)); err != nil {
			return err
		}
		if a.JSON {
			return a.print(map[string]any{"dir": c.Dir, "entries": size, "written": wrote})
		}
		return tell(a.out, "wrote %d tiles of %d entries; `interlock log fsck --tiles %s` checks them anywhere\n", wrote, size, c.Dir)
	})
}

// fsckTiles checks a mirror of tiles.
func (c logFsckCmd) fsckTiles(a *app) error {
	signed, err := os.ReadFile(filepath.Join(c.Tiles, "checkpoint"))
	if err != nil {
		return fileError("log fsck", err)
	}
	trusted, err := a.someKeys(c.Key)
	if err != nil {
		return err
	}
	n, err := receipt.VerifyTiles(string(signed), trusted, func(path string) ([]byte, error) {
		return os.ReadFile(filepath.Join(c.Tiles, filepath.FromSlash(path)))
	})
	if err != nil {
		return err
	}
	return a.holds(map[string]any{"verified": true, "tiles": n}, "%d tiles", n)
}

package receipt_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

func ExampleOpen() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "interlock")
	if err != nil {
		return
	}
	defer os.RemoveAll(dir)
	store, err := sqlite.Open(ctx, filepath.Join(dir, "store.db"), sqlite.Options{})
	if err != nil {
		return
	}
	defer store.Close()
	keys, err := receipt.LoadKeys(filepath.Join(dir, "keys.json"), rand.Reader)
	if err != nil {
		return
	}
	log, err := receipt.Open(ctx, store, keys, receipt.Options{Clock: time.Now, Rand: rand.Reader})
	if err != nil {
		return
	}
	defer log.Close()

	blank, err := log.Blank()
	if err != nil {
		return
	}
	args, result := []byte(`{"city":"Seoul"}`), []byte(`{"temperature":21}`)
	body := receipt.CallBody{
		Asker:   receipt.Asker{Principal: "alice"},
		Target:  receipt.Target{Tool: "weather/current", Version: "2.3.0", Effect: interlock.EffectRead},
		Outcome: receipt.OutcomeOK,
	}
	sealed, err := log.Seal(ctx, blank, body, args, result, receipt.Written)
	if err != nil {
		return
	}

	var export bytes.Buffer
	if err := log.Export(ctx, &export); err != nil {
		return
	}
	report, err := receipt.VerifyExport(&export, keys.VerifierKeys())
	fmt.Println("entries", report.Size, "trusted", report.Trusted, err)
	entries, err := log.List(ctx, 0, 1)
	if err != nil {
		return
	}
	fmt.Println(receipt.VerifyReceipt(sealed, keys.VerifierKeys(), receipt.Evidence{Body: entries[0].Body, Args: args, Result: result}))
	fmt.Println(receipt.VerifyReceipt(sealed, keys.VerifierKeys(), receipt.Evidence{Body: entries[0].Body, Result: []byte(`{"temperature":31}`)}) != nil)
	// Output:
	// entries 1 trusted true <nil>
	// <nil>
	// true
}

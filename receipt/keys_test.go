package receipt_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

func TestLoadKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	made, err := receipt.LoadKeys(path, &counter{})
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %o", info.Mode().Perm())
	}
	loaded, err := receipt.LoadKeys(path, failing{})
	must(t, err)
	same(t, made, loaded)
	if secrets := made.OfferSecrets(); len(secrets) != 1 || len(secrets[0]) != 32 || len(made.VerifierKeys()) != 1 {
		t.Errorf("%d secrets, %d keys", len(secrets), len(made.VerifierKeys()))
	}
	rotated, err := receipt.RotateKeys(path, &counter{n: 500})
	must(t, err)
	if rotated.Origin() != made.Origin() || rotated.VerifierKeys()[0] == made.VerifierKeys()[0] {
		t.Errorf("rotated %s", rotated)
	}
	if diff := cmp.Diff(made.VerifierKeys(), rotated.VerifierKeys()[1:]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(made.OfferSecrets(), rotated.OfferSecrets()[1:]); diff != "" {
		t.Error(diff)
	}
	loaded, err = receipt.LoadKeys(path, failing{})
	must(t, err)
	same(t, rotated, loaded)
	left, err := filepath.Glob(path + "*")
	if err != nil || len(left) != 1 {
		t.Errorf("files left beside the keys: %v, %v", left, err)
	}
}

// failing is randomness that is not there.
type failing struct{}

func (failing) Read([]byte) (int, error) { return 0, errors.New("no randomness") }

func same(t *testing.T, want, got receipt.Keys) {
	t.Helper()
	if diff := cmp.Diff(want.VerifierKeys(), got.VerifierKeys()) + cmp.Diff(want.OfferSecrets(), got.OfferSecrets()); diff != "" || want.Origin() != got.Origin() {
		t.Errorf("keys differ:\n%s", diff)
	}
}

func TestLoadKeysRefuses(t *testing.T) {
	good := keysJSON(t)
	edit := func(change func(map[string]any)) string {
		var file map[string]any
		must(t, json.Unmarshal(good, &file))
		change(file)
		text, err := json.Marshal(file)
		must(t, err)
		return string(text)
	}
	for name, text := range map[string]string{
		"nothing": "", "half": string(good[:len(good)/2]), "two": string(good) + string(good), "a list": "[]",
		"another format":   edit(func(f map[string]any) { f["format"] = "interlock/keys/2" }),
		"another member":   edit(func(f map[string]any) { f["more"] = 1 }),
		"no key":           edit(func(f map[string]any) { f["signing"] = []string{} }),
		"no secret":        edit(func(f map[string]any) { f["offers"] = nil }),
		"a short secret":   edit(func(f map[string]any) { f["offers"] = []string{"c2hvcnQ="} }),
		"another origin":   edit(func(f map[string]any) { f["origin"] = "interlock/other" }),
		"a spaced origin":  edit(func(f map[string]any) { f["origin"] = "interlock/a b" }),
		"no signing key":   edit(func(f map[string]any) { f["signing"] = []string{"PRIVATE+KEY+x+00000000+AAAA"} }),
		"an empty signing": edit(func(f map[string]any) { f["signing"] = []string{""} }),
	} {
		path := filepath.Join(t.TempDir(), "keys.json")
		must(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := receipt.LoadKeys(path, &counter{})
		if interlock.ReasonOf(asError(err)) != interlock.ReasonConfigInvalid {
			t.Errorf("%s: %v", name, err)
		}
		if kept, _ := os.ReadFile(path); string(kept) != text {
			t.Errorf("%s: the file was changed", name)
		}
	}
	_, err := receipt.LoadKeys(filepath.Join(t.TempDir(), "missing", "keys.json"), &counter{})
	wantReason(t, err, interlock.ReasonConfigInvalid, "directory")
	_, err = receipt.LoadKeys(filepath.Join(t.TempDir(), "keys.json"), failing{})
	if err == nil {
		t.Error("keys without randomness")
	}
}

// keysJSON gives the text of a keys file.
func keysJSON(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys.json")
	_, err := receipt.LoadKeys(path, &counter{})
	must(t, err)
	text, err := os.ReadFile(path)
	must(t, err)
	return text
}

func TestKeysMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	path := filepath.Join(t.TempDir(), "keys.json")
	_, err := receipt.LoadKeys(path, &counter{})
	must(t, err)
	for _, mode := range []os.FileMode{0o644, 0o640, 0o604, 0o620, 0o601} {
		must(t, os.Chmod(path, mode))
		_, err = receipt.LoadKeys(path, &counter{})
		wantReason(t, err, interlock.ReasonConfigInvalid, fmt.Sprintf("%04o", mode), "chmod 600 "+path)
	}
	must(t, os.Chmod(path, 0o400))
	_, err = receipt.LoadKeys(path, &counter{})
	must(t, err)
}

// Of many that make the keys at once all get the same ones.
func TestLoadKeysRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	got := make([]receipt.Keys, 16)
	var group sync.WaitGroup
	for n := range got {
		group.Go(func() {
			var err error
			if got[n], err = receipt.LoadKeys(path, &counter{n: uint64(n) * 1000}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	for _, keys := range got {
		same(t, got[0], keys)
	}
}

// No way of printing keys shows a secret.
func TestKeysAreNotPrinted(t *testing.T) {
	var file struct{ Signing, Offers []string }
	must(t, json.Unmarshal(keysJSON(t), &file))
	keys, err := receipt.ParseKeys(keysJSON(t))
	must(t, err)
	var out bytes.Buffer
	slog.New(slog.NewTextHandler(&out, nil)).Info("x", "keys", keys, "pointer", &keys)
	slog.New(slog.NewJSONHandler(&out, nil)).Info("x", "keys", keys)
	text, err := json.Marshal(keys) //nolint:staticcheck // SA9005: that nothing comes out is what is tested
	must(t, err)
	fmt.Fprintf(&out, "%v %+v %#v %s %q %d %x %v %s", keys, keys, keys, keys, keys, keys, keys, &keys, text)
	for _, secret := range []string{file.Signing[0], strings.Split(file.Signing[0], "+")[4], file.Offers[0], fmt.Sprintf("%x", keys.OfferSecrets()[0]), fmt.Sprint(keys.OfferSecrets()[0])} {
		if strings.Contains(out.String(), secret) {
			t.Errorf("a secret is printed: %s", out.String())
		}
	}
}

func FuzzParseKeys(f *testing.F) {
	f.Add(keysJSON(f))
	f.Add([]byte(`{"format":"interlock/keys/1","origin":"interlock/x","signing":["PRIVATE+KEY+interlock/x+00000000+AQ=="],"offers":[""]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		keys, err := receipt.ParseKeys(text)
		if err == nil && (keys.Origin() == "" || len(keys.VerifierKeys()) == 0 || len(keys.OfferSecrets()[0]) != 32) {
			t.Fatalf("half keys out of %q", text)
		}
	})
}

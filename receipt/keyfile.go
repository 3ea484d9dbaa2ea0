package receipt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/seed-ae386458/interlock"
)

// LoadKeys reads the keys file at path. Where there is none it makes one with
// mode 0600 and new keys; of two processes that do so at once one wins and both
// read its keys. A file that others may read is refused.
func LoadKeys(path string, randomness io.Reader) (Keys, error) {
	keys, err := readKeys(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return keys, err
	}
	fresh, err := NewKeys(randomness)
	if err != nil {
		return Keys{}, err
	}
	if err := writeKeys(path, fresh, placeNew); err != nil && !errors.Is(err, fs.ErrExist) {
		return Keys{}, keysError(path, err)
	}
	return readKeys(path)
}

// RotateKeys puts new keys in front of those in the file at path and writes it
// anew as a whole.
func RotateKeys(path string, randomness io.Reader) (Keys, error) {
	keys, err := readKeys(path)
	if err != nil {
		return Keys{}, err
	}
	if keys, err = keys.Rotated(randomness); err != nil {
		return Keys{}, err
	}
	if err := writeKeys(path, keys, os.Rename); err != nil {
		return Keys{}, keysError(path, err)
	}
	return readKeys(path)
}

func readKeys(path string) (Keys, error) {
	info, err := os.Stat(path)
	if err != nil {
		return Keys{}, keysError(path, err)
	}
	if mode := info.Mode(); tooOpen(mode) {
		return Keys{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: stage,
			Public: fmt.Sprintf("The keys file %s has mode %04o, so others may read it. Run: chmod 600 %s", path, mode.Perm(), path)}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return Keys{}, keysError(path, err)
	}
	keys, err := ParseKeys(data)
	if err != nil {
		return Keys{}, fmt.Errorf("keys file %s: %w", path, err)
	}
	return keys, nil
}

// writeKeys writes keys to a file of its own and puts it in place once it is
// safe, so that no reader ever meets half of it.
func writeKeys(path string, keys Keys, place func(from, to string) error) error {
	data, err := keys.encode()
	if err != nil {
		return err
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // mode 0600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(file.Name()) }() // placed, it is gone already
	_, err = file.Write(data)
	if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err := place(file.Name(), path); err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// placeNew puts a file in place where there is none; of two at once one gets
// fs.ErrExist. Where the file system has no links it cannot tell them apart.
func placeNew(from, to string) error {
	err := os.Link(from, to)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if _, err := os.Lstat(to); !errors.Is(err, fs.ErrNotExist) {
		return fs.ErrExist
	}
	return os.Rename(from, to)
}

func keysError(path string, err error) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: stage,
		Public: fmt.Sprintf("The keys file %s cannot be used. Check that its directory exists and that this user may read and write there.", path),
		Err:    fmt.Errorf("keys file %s: %w", path, err)}
}

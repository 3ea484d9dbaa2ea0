//go:build !unix

package receipt

import "io/fs"

// tooOpen knows nothing of rights that are not modes.
func tooOpen(fs.FileMode) bool { return false }

// syncDir has nothing to do.
func syncDir(string) error { return nil }

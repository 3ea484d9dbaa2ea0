package interlock_test

import (
	"errors"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// TestErrorSaysACauseOnce: what the caller reads and what the operator reads
// beside it are one sentence, and a cause that stands in the first is not said
// again.
func TestErrorSaysACauseOnce(t *testing.T) {
	refused := errors.New("dial tcp 127.0.0.1:1: connect: connection refused")
	for _, c := range []struct {
		public string
		cause  error
		want   string
	}{
		{"The server gave no list: dial tcp 127.0.0.1:1: connect: connection refused.", refused,
			"ingest: source-unreachable: The server gave no list: dial tcp 127.0.0.1:1: connect: connection refused."},
		{"The source could not be reached.", refused, "ingest: source-unreachable: The source could not be reached: dial tcp 127.0.0.1:1: connect: connection refused"},
		{"", refused, "ingest: source-unreachable: dial tcp 127.0.0.1:1: connect: connection refused"},
		{"Nothing.", nil, "ingest: source-unreachable: Nothing."},
		{"Nothing.", errors.New(""), "ingest: source-unreachable: Nothing."},
	} {
		e := &interlock.Error{Reason: interlock.ReasonSourceUnreachable, Stage: "ingest", Public: c.public, Err: c.cause}
		if got := e.Error(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

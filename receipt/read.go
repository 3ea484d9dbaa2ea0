package receipt

import (
	"context"
	"fmt"

	"github.com/seed-ae386458/interlock"
)

// page is how many entries are read at a time.
const page = 1000

// eachEntry calls do with the entries from index from up to, not including, to.
// One that is missing is ReasonLogInvalid.
func eachEntry(ctx context.Context, store interlock.LogStore, from, to int64, do func(interlock.LogEntry) error) error {
	for from < to {
		entries, err := store.LogEntries(ctx, from, int(min(page, to-from)))
		if err != nil {
			return err
		}
		if len(entries) == 0 {
			return invalid(fmt.Sprintf("entry %d is missing", from))
		}
		for _, entry := range entries {
			if entry.Index != from {
				return invalid(fmt.Sprintf("entry %d stands in the place of entry %d", entry.Index, from))
			}
			if err := do(entry); err != nil {
				return err
			}
			from++
		}
	}
	return nil
}

// List reads up to limit committed entries from index on, in order.
func (l *Log) List(ctx context.Context, index int64, limit int) ([]interlock.LogEntry, error) {
	size := l.Size()
	if index < 0 || limit < 0 {
		return nil, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: stage,
			Public: "An index or a limit below zero. Count the entries of the log from 0."}
	}
	if index >= size || limit == 0 {
		return nil, nil
	}
	return l.store.LogEntries(ctx, index, int(min(int64(limit), size-index)))
}

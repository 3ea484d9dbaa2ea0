package receipt

import (
	"bytes"
	"context"
	"fmt"
	"strconv"

	"github.com/seed-ae386458/interlock"
)

// Verify checks the whole log where it lies, against what is kept outside it
// too.
func (l *Log) Verify(ctx context.Context, c Check) (Report, error) {
	if err := l.Flush(ctx); err != nil {
		return Report{}, err
	}
	seen, err := l.opts.Seen.of(l.keys)
	if err != nil {
		return Report{}, err
	}
	c.Held = append(seen, c.Held...)
	return c.Store(ctx, l.store, l.keys)
}

// of gives the newest checkpoint that is kept, where there is one.
func (s *Seen) of(keys Keys) ([]string, error) {
	if s == nil {
		return nil, nil
	}
	texts, err := s.Checkpoints()
	if err != nil || len(texts) == 0 {
		return nil, err
	}
	newest, _, err := keys.newestOf(texts)
	if err != nil {
		return nil, putBack(fmt.Sprintf("%s holds no checkpoint of this log", s.path))
	}
	return []string{newest.signed}, nil
}

// Find gives the index of an entry that is named by its index, by the id of a
// receipt or by its digest. An id means what came of the call, and its intent
// where nothing has come of it yet. Ids and digests are looked for from the end:
// the log has no index of them, which every append would pay for.
func (l *Log) Find(ctx context.Context, name string) (int64, error) {
	switch {
	case lowerHex(name, 2*idSize):
		text := []byte(`"receipt":"` + name + `"`)
		return l.findBack(ctx, name, func(e interlock.LogEntry) bool { return callType(e.Type) && bytes.Contains(e.Body, text) })
	case lowerHex(name, 64):
		return l.findBack(ctx, name, func(e interlock.LogEntry) bool { return e.Digest == name })
	}
	index, err := strconv.ParseInt(name, 10, 64)
	if err != nil || index < 0 {
		return 0, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: stage,
			Public: fmt.Sprintf("%q names no entry. Give an index, a receipt's id of 32 hex digits or a digest of 64.", name)}
	}
	return index, nil
}

func (l *Log) findBack(ctx context.Context, name string, is func(interlock.LogEntry) bool) (int64, error) {
	for to := l.Size(); to > 0; to -= min(page, to) {
		from := max(0, to-page)
		entries, err := l.store.LogEntries(ctx, from, int(to-from))
		if err != nil {
			return 0, err
		}
		for i := len(entries) - 1; i >= 0; i-- {
			if entries[i].Index < to && is(entries[i]) {
				return entries[i].Index, nil
			}
		}
		if len(entries) == 0 || entries[0].Index > from {
			break // retention has dropped the rest
		}
	}
	return 0, notFound(fmt.Sprintf("No entry of the log is named %s.", name))
}

package receipt

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"sync"

	"github.com/seed-ae386458/interlock"
)

// OpenIntent is a call that a crash may have left half done: its intent is in
// the log and nothing says what came of it.
type OpenIntent struct {
	Index int64
	IntentBody
}

// link is what an entry means for the intents: it opens one, closes one, or
// neither.
type link struct{ opens, closes string }

// linkOf reads the link of an entry. Whatever has a member `intent` closes it.
func linkOf(entry interlock.LogEntry) link {
	intent := entry.Type == interlock.EntryIntent
	if !intent && !bytes.Contains(entry.Body, []byte(`"intent":"`)) {
		return link{}
	}
	var body struct {
		Receipt string `json:"receipt"`
		Intent  string `json:"intent"`
	}
	if json.Unmarshal(entry.Body, &body) != nil {
		return link{} // the members are something else in this body
	}
	if intent {
		return link{opens: body.Receipt}
	}
	return link{closes: body.Intent}
}

// oldest gives the smallest index of the open intents, or size.
func oldest(intents map[string]int64, size int64) int64 {
	least := size
	for _, index := range intents {
		least = min(least, index)
	}
	return least
}

// scanIntents finds the intents that are open. It begins where the checkpoint
// says that the oldest one stands, so a log without open intents is not read.
func scanIntents(ctx context.Context, store interlock.LogStore, head checkpoint) (map[string]OpenIntent, error) {
	open := map[string]OpenIntent{}
	err := eachEntry(ctx, store, head.open, head.size, func(entry interlock.LogEntry) error {
		found := linkOf(entry)
		delete(open, found.closes)
		if found.opens == "" {
			return nil
		}
		left := OpenIntent{Index: entry.Index}
		if err := json.Unmarshal(entry.Body, &left.IntentBody); err != nil {
			return invalid("an intent cannot be read")
		}
		open[found.opens] = left
		return nil
	})
	return open, err
}

func indexesOf(open map[string]OpenIntent) map[string]int64 {
	indexes := make(map[string]int64, len(open))
	for id, left := range open {
		indexes[id] = left.Index
	}
	return indexes
}

// intentSet is a set of intents that only shrinks.
type intentSet struct {
	mu   sync.Mutex
	open map[string]OpenIntent // guarded by mu
}

func (s *intentSet) remove(ids []string) {
	if len(ids) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		delete(s.open, id)
	}
}

func (s *intentSet) list() []OpenIntent {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []OpenIntent
	for _, left := range s.open {
		list = append(list, left)
	}
	slices.SortFunc(list, func(a, b OpenIntent) int { return cmp.Compare(a.Index, b.Index) })
	return list
}

// OpenIntents gives the intents that an earlier process left open and that are
// not closed yet, oldest first. Calls that this process has under way are not
// among them.
func (l *Log) OpenIntents() []OpenIntent { return l.left.list() }

// Abandon closes an intent that was left open: nobody knows what came of the
// call, and it is never repeated. It returns after the disk has confirmed.
func (l *Log) Abandon(ctx context.Context, left OpenIntent) (interlock.LogEntry, error) {
	return l.Append(ctx, interlock.EntryIndeterminate, IndeterminateBody{
		Receipt: left.Receipt, Intent: left.Receipt, At: l.Now(), Asker: left.Asker, Target: left.Target,
		ArgsDigest: left.ArgsDigest, Reason: interlock.ReasonIndeterminate, Approval: left.Approval,
	}, Flushed)
}

package receipt_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/receipt"
)

// intend opens an intent and gives its blank.
func intend(t testing.TB, p *place, tool string) *receipt.Blank {
	t.Helper()
	blank, err := p.log.Blank()
	must(t, err)
	must(t, p.log.Intend(t.Context(), blank, receipt.IntentBody{Asker: callBody().Asker, Target: receipt.Target{Tool: tool, Effect: interlock.EffectWrite}, Approval: "ap-1"}, []byte(`{}`)))
	return blank
}

func openTools(p *place) []string {
	var tools []string
	for _, left := range p.log.OpenIntents() {
		tools = append(tools, left.Tool)
	}
	return tools
}

func wantOpen(t *testing.T, p *place, want ...string) {
	t.Helper()
	if diff := cmp.Diff(want, openTools(p)); diff != "" {
		t.Errorf("open intents (-want +got):\n%s", diff)
	}
}

func TestOpenIntents(t *testing.T) {
	p := newPlace(t)
	p.append(t, 20)
	sealed, refused, lost := intend(t, p, "a/sealed"), intend(t, p, "a/refused"), intend(t, p, "a/lost")
	intend(t, p, "a/first left")
	p.append(t, 20)
	intend(t, p, "a/second left")
	_, err := p.log.Seal(t.Context(), sealed, callBody(), []byte("{}"), []byte("1"), receipt.Flushed)
	must(t, err)
	_, err = p.log.Refuse(t.Context(), refused, receipt.RefusedBody{Reason: interlock.ReasonCancelled}, nil, receipt.Written)
	must(t, err)
	_, err = p.log.Indeterminate(t.Context(), lost, receipt.IndeterminateBody{Reason: interlock.ReasonTimeout}, []byte("{}"))
	must(t, err)
	wantOpen(t, p) // those of this process are under way

	for range 2 { // opening does not close them
		p.reopen(t)
		wantOpen(t, p, "a/first left", "a/second left")
	}
	left := p.log.OpenIntents()
	entry, err := p.log.Abandon(t.Context(), left[0])
	must(t, err)
	body, err := receipt.Canonical(receipt.IndeterminateBody{
		Receipt: left[0].Receipt, Intent: left[0].Receipt, At: p.log.Now(), Asker: callBody().Asker, Target: receipt.Target{Tool: "a/first left", Effect: interlock.EffectWrite},
		ArgsDigest: left[0].ArgsDigest, Reason: interlock.ReasonIndeterminate, Approval: "ap-1"})
	must(t, err)
	if string(entry.Body) != string(body) || left[0].ArgsDigest == "" {
		t.Errorf("body %s, want %s", entry.Body, body)
	}
	wantOpen(t, p, "a/second left")
	p.reopen(t)
	wantOpen(t, p, "a/second left")
	_, err = p.log.Abandon(t.Context(), p.log.OpenIntents()[0])
	must(t, err)
	p.reopen(t)
	wantOpen(t, p)
	p.verify(t)
}

// readCounter counts the entries that are read.
type readCounter struct {
	interlock.LogStore
	read int
}

func (c *readCounter) LogEntries(ctx context.Context, index int64, limit int) ([]interlock.LogEntry, error) {
	entries, err := c.LogStore.LogEntries(ctx, index, limit)
	c.read += len(entries)
	return entries, err
}

// Opening reads no more of the log than stands behind the oldest open intent.
func TestOpenReadsLittle(t *testing.T) {
	p := newPlace(t)
	p.append(t, 500)
	for _, each := range []struct {
		prepare func()
		most    int
	}{
		{func() {}, 2},
		{func() { intend(t, p, "a/b"); p.append(t, 30) }, 40},
		{func() {
			_, err := p.log.Abandon(t.Context(), p.log.OpenIntents()[0])
			must(t, err)
		}, 2},
	} {
		each.prepare()
		must(t, p.close())
		p.openStore(t)
		counting := &readCounter{LogStore: p.store}
		log, err := receipt.Open(t.Context(), counting, p.keys, options())
		must(t, err)
		p.log = log
		if counting.read > each.most {
			t.Errorf("opening read %d entries, want at most %d", counting.read, each.most)
		}
	}
}

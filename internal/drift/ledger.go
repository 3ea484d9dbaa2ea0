package drift

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
)

// Record is an entry to append to the log.
type Record struct {
	Type string
	Body any
}

// Ledger is the fold over the log's entries, in their order. It is safe for
// concurrent use.
type Ledger struct {
	mu      sync.Mutex // guards all below
	tools   map[string]*tool
	quiet   map[string]*quiet // the tools that are not among those: nothing was observed of them
	dirty   map[string]bool   // to be kept
	moved   map[string]bool   // to be judged
	applied int64
}

// NewLedger gives a ledger that has applied nothing.
func NewLedger() *Ledger {
	return &Ledger{tools: map[string]*tool{}, quiet: map[string]*quiet{}, dirty: map[string]bool{}, moved: map[string]bool{}}
}

// touch notes that an entry said something of a tool.
func (l *Ledger) touch(name string) { l.dirty[name], l.moved[name] = true, true }

// Applied is the index after the last entry that was applied.
func (l *Ledger) Applied() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.applied
}

// Apply takes the next entry and gives the records that it brings about. An
// entry that was applied before changes nothing. One that cannot be read is an
// error, and is passed over: the next one can be applied.
func (l *Ledger) Apply(e interlock.LogEntry) ([]Record, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e.Index < l.applied {
		return nil, nil
	}
	l.applied = e.Index + 1
	var err error
	var news []Record
	switch e.Type {
	case interlock.EntryDocumented:
		news, err = l.documented(e)
	case interlock.EntryCall:
		news, err = l.called(e)
	case interlock.EntryDivergence:
		err = l.diverged(e)
	case interlock.EntryAcceptance:
		err = l.accepted(e)
	case interlock.EntryRegistry:
		err = l.registered(e)
	}
	if err != nil {
		return nil, fmt.Errorf("log entry %d (%s): %w", e.Index, e.Type, err)
	}
	return news, nil
}

// callBody is what the ledger reads of a call.
type callBody struct {
	At       string           `json:"at"`
	Tool     string           `json:"tool"`
	Effect   interlock.Effect `json:"effect"`
	Observed *Observation     `json:"observed"`
}

func (l *Ledger) called(e interlock.LogEntry) ([]Record, error) {
	var body callBody
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return nil, err
	}
	t := l.look(body.Tool)
	if t == nil {
		return nil, nil
	}
	m := moment{index: e.Index, at: body.At, disturbed: l.disturbed(t)}
	if at, err := time.Parse(time.RFC3339Nano, body.At); err == nil {
		m.unix = at.Unix()
	}
	if !reads(body.Effect) && body.Effect != "" {
		t = l.heed(body.Tool)
		t.LastWrite = e.Index + 1
		l.touch(body.Tool)
	}
	o := body.Observed
	if o == nil || !strings.HasPrefix(t.Doc.Fingerprint, o.Documented) || o.Documented == "" {
		return nil, nil // made under another documentation: it says nothing of this one
	}
	l.touch(body.Tool)
	t = l.heed(body.Tool)
	t.see(m, o)
	return t.seal(m)
}

// disturbed is the index after the last call that may have changed something at
// the source of t.
func (l *Ledger) disturbed(t *tool) int64 {
	last := int64(0)
	for _, other := range l.tools {
		if other.Doc.Source == t.Doc.Source {
			last = max(last, other.LastWrite)
		}
	}
	return last
}

// documented takes a definition: of a new tool, of a known one that was
// accepted, or one that waits.
func (l *Ledger) documented(e interlock.LogEntry) ([]Record, error) {
	var doc DocumentedBody
	if err := json.Unmarshal(e.Body, &doc); err != nil {
		return nil, err
	}
	if doc.Gone {
		l.drop(doc.Tool)
		l.touch(doc.Tool)
		return nil, nil
	}
	if doc.Tool == "" || len(doc.Fingerprint) != 64 {
		return nil, fmt.Errorf("a documentation without tool or fingerprint")
	}
	l.touch(doc.Tool)
	t := l.look(doc.Tool)
	m := moment{index: e.Index, at: doc.At}
	switch {
	case t == nil && doc.Withdrawn:
		return nil, nil
	case t == nil:
		doc.share()
		t = newTool(doc)
		t.Served = !doc.Waiting
	case doc.Withdrawn:
		t.Waiting = nil
		t.undefine("")
	case doc.Waiting && !t.Served:
		t = newTool(doc)
	case doc.Waiting:
		t.Waiting = &doc
		t.define(m, doc)
	case doc.Fingerprint != t.Doc.Fingerprint || doc.Contract != t.Doc.Contract || doc.Binding != t.Doc.Binding || !t.Served:
		t = newTool(doc) // another promise, or another end: a new baseline
		t.Served = true
	default:
		t.Doc, t.Waiting = doc, nil
		t.undefine("")
	}
	news, err := t.seal(m)
	l.hold(doc.Tool, t)
	return news, err
}

// diverged marks a divergence whose record stands in the log, and takes over
// one that this ledger has not found itself.
func (l *Ledger) diverged(e interlock.LogEntry) error {
	var body DivergenceBody
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return err
	}
	t := l.look(body.Tool)
	if t == nil || body.Fingerprint != t.Doc.Fingerprint {
		return nil
	}
	digest, err := digestOf(body)
	if err != nil {
		return err
	}
	l.touch(body.Tool)
	t = l.heed(body.Tool)
	key := string(body.Kind) + "|" + body.Pointer + "|" + body.Saw
	for _, f := range t.Found {
		if f.Digest == digest {
			f.Logged = true
			return nil
		}
	}
	if f := t.standing(key); f != nil {
		f.Body, f.Digest, f.Logged = body, digest, true // the log's word
		return nil
	}
	if len(t.Found) < maxFound {
		t.Found = append(t.Found, &found{Key: key, Body: body, Digest: digest, Seen: 1, Last: body.At, Logged: true})
	}
	return nil
}

// registryBody is what the ledger reads of a change of the registry.
type registryBody struct {
	Action string `json:"action"`
	Source string `json:"source"`
}

// registered drops the tools of a source that was removed.
func (l *Ledger) registered(e interlock.LogEntry) error {
	var body registryBody
	if err := json.Unmarshal(e.Body, &body); err != nil {
		return err
	}
	if body.Action != "withdrawn" {
		return nil
	}
	for name, t := range l.tools {
		if t.Doc.Source == body.Source {
			delete(l.tools, name)
			l.touch(name)
		}
	}
	for name, q := range l.quiet {
		if q.common.Value().source == body.Source {
			delete(l.quiet, name)
			l.touch(name)
		}
	}
	return nil
}

// Unlogged gives the divergences whose records do not stand in the log: what a
// node found and did not come to write.
func (l *Ledger) Unlogged() []Record {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []Record
	for _, name := range sortedKeys(l.tools) {
		for _, f := range l.tools[name].Found {
			if !f.Logged {
				all = append(all, Record{interlock.EntryDivergence, f.Body})
			}
		}
	}
	return all
}

func (l *Ledger) names() []string {
	names := make([]string, 0, len(l.tools)+len(l.quiet))
	for name := range l.tools {
		names = append(names, name)
	}
	for name := range l.quiet {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Changed gives the state of the tools that moved since the last call of it; a
// nil state is of a tool that is gone. The states belong together: they are to
// be kept as a whole.
func (l *Ledger) Changed() map[string][]byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make(map[string][]byte, len(l.dirty))
	for name := range l.dirty {
		out[name] = nil
		if t := l.look(name); t != nil {
			t.Applied = l.applied
			text, err := json.Marshal(t)
			if err != nil {
				continue // nothing in it can fail; a state that is not kept is folded again
			}
			out[name] = text
		}
	}
	l.dirty = map[string]bool{} // what a large change made of it is let go
	return out
}

// Restore takes a state that Changed gave.
func (l *Ledger) Restore(name string, state []byte) error {
	t := newTool(DocumentedBody{})
	if err := json.Unmarshal(state, t); err != nil {
		return fmt.Errorf("drift state of %s: %w", name, err)
	}
	if t.Doc.Tool != name {
		return fmt.Errorf("drift state of %s: it is that of %q", name, t.Doc.Tool)
	}
	t.Doc.Tool = name
	t.mend()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.hold(name, t)
	l.applied = max(l.applied, t.Applied)
	return nil
}

// mend gives a state that was read the form that it had: what is empty is not
// there.
func (t *tool) mend() {
	spared(&t.Hints)
	spared(&t.Known)
	spared(&t.Echoes)
	spared(&t.Lists)
	spared(&t.Waits)
	spared(&t.Units)
	spared(&t.Forms)
	spared(&t.Streams)
	t.Doc.share()
	if t.Profile == nil || len(t.Profile.Calls) == 0 { // nothing was seen
		t.Profile = &Profile{}
		return
	}
	t.Profile = Merge(t.Profile, nil)
}

// Profile gives what was seen of a tool, to be merged with what other nodes
// saw.
func (l *Ledger) Profile(name string) (*Profile, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.look(name)
	if t == nil {
		return nil, false
	}
	return Merge(t.Profile, nil), true
}

// digestOf is SHA-256 over the canonical JSON of a body, as the log has it.
func digestOf(body any) (string, error) {
	text, err := interlock.Marshal(body)
	if err != nil {
		return "", err
	}
	canonical, err := contract.Canonical(text)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(canonical)
	return hex.EncodeToString(sum[:]), nil
}

package drift

import (
	"encoding/hex"
	"reflect"
	"strings"
	"unique"

	"github.com/seed-ae386458/interlock"
)

// quiet is a tool of which nothing is known but what it documents, as almost
// every tool of a large catalogue is: its hashes as bytes, and what it has in
// common with others once for them all. No maps, no counts, no profile: what is
// asked of those is answered from the tool that loud makes, and let go.
type quiet struct {
	name                               string // a part of the whole name where it is one
	contract, pin, binding, documented [32]byte
	common                             unique.Handle[common]
	more                               *details // nil for none
}

// common is what many tools have alike.
type common struct {
	at, source, version        string
	effect                     interlock.Effect
	hints                      hints
	states, output             bool
	waiting, withdrawn, served bool
}

// details are the lists of a documentation.
type details struct {
	errors                     []interlock.ErrorCase
	scopes, optional, meanings []string
}

// hushed gives a tool in its short form; nil where something was observed of it,
// or where its documentation does not fit.
func hushed(t *tool) *quiet {
	d := &t.Doc
	rest := *t
	rest.Doc, rest.Served, rest.Applied = DocumentedBody{}, false, 0
	if d.Gone || !reflect.DeepEqual(rest, tool{Profile: &Profile{}}) {
		return nil
	}
	q := &quiet{name: d.Name, common: unique.Make(common{at: d.At, source: d.Source, version: d.Version, effect: d.Effect, hints: d.Hints,
		states: d.States, output: d.Output, waiting: d.Waiting, withdrawn: d.Withdrawn, served: t.Served})}
	if strings.HasSuffix(d.Tool, d.Name) {
		q.name = d.Tool[len(d.Tool)-len(d.Name):]
	}
	for _, h := range [...]struct {
		to   *[32]byte
		text string
	}{{&q.contract, d.Contract}, {&q.pin, d.Pin}, {&q.binding, d.Binding}, {&q.documented, d.Fingerprint}} {
		if !unhexed(h.to, h.text) {
			return nil
		}
	}
	if len(d.Errors)+len(d.Scopes)+len(d.Optional)+len(d.Meanings) > 0 {
		q.more = &details{d.Errors, d.Scopes, d.Optional, d.Meanings}
	}
	return q
}

// loud is the tool in full. Its applied entries are not kept: whoever writes it
// down sets them.
func (q *quiet) loud(name string) *tool {
	c := q.common.Value()
	doc := DocumentedBody{At: c.at, Tool: name, Source: c.source, Name: q.name, Version: c.version, Effect: c.effect,
		Contract: hexed(q.contract), Pin: hexed(q.pin), Binding: hexed(q.binding), Hints: c.hints, Fingerprint: hexed(q.documented),
		States: c.states, Output: c.output, Waiting: c.waiting, Withdrawn: c.withdrawn}
	if m := q.more; m != nil {
		doc.Errors, doc.Scopes, doc.Optional, doc.Meanings = m.errors, m.scopes, m.optional, m.meanings
	}
	doc.share()
	t := newTool(doc)
	t.Served = c.served
	return t
}

// unhexed reads a hash as hexed writes it: none at all is the bytes of zero.
func unhexed(to *[32]byte, text string) bool {
	if text == "" {
		return true
	}
	if len(text) != hex.EncodedLen(len(to)) {
		return false
	}
	if _, err := hex.Decode(to[:], []byte(text)); err != nil {
		return false
	}
	return hexed(*to) == text
}

func hexed(h [32]byte) string {
	if h == ([32]byte{}) {
		return ""
	}
	return hex.EncodeToString(h[:])
}

// look gives a tool to be read; nil for none.
func (l *Ledger) look(name string) *tool {
	if t := l.tools[name]; t != nil {
		return t
	}
	if q := l.quiet[name]; q != nil {
		return q.loud(name)
	}
	return nil
}

// heed gives a tool that an entry speaks of, to be changed; nil for none.
func (l *Ledger) heed(name string) *tool {
	t := l.look(name)
	if t != nil {
		delete(l.quiet, name)
		l.tools[name] = t
	}
	return t
}

// hold keeps a tool, in its short form where that says all.
func (l *Ledger) hold(name string, t *tool) {
	l.drop(name)
	if q := hushed(t); q != nil {
		l.quiet[name] = q
		return
	}
	l.tools[name] = t
}

func (l *Ledger) drop(name string) {
	delete(l.tools, name)
	delete(l.quiet, name)
}

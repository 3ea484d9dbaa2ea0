package drift

import "slices"

// Documents reports whether the log has a definition as it is stated: accepted,
// or waiting.
func (l *Ledger) Documents(s Stated, waiting bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.look(s.Tool)
	if t == nil {
		return false
	}
	if waiting {
		return t.Waiting != nil && t.Waiting.is(s)
	}
	return t.Served && t.Doc.is(s)
}

// Knows reports whether the log documents a tool of that name.
func (l *Ledger) Knows(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.tools[name] != nil || l.quiet[name] != nil
}

// Waits reports whether a definition of the tool waits in the log.
func (l *Ledger) Waits(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	t := l.tools[name] // one that waits is not quiet
	return t != nil && t.Waiting != nil
}

// Tools names every tool that the log documents, in order.
func (l *Ledger) Tools() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.names()
}

// Moved names the tools that entries said something of since the last call of
// it, in order.
func (l *Ledger) Moved() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	out := make([]string, 0, len(l.moved))
	for name := range l.moved {
		out = append(out, name)
	}
	l.moved = map[string]bool{}
	slices.Sort(out)
	return out
}

// Gone is the record of a tool that is no longer registered.
func Gone(name string) DocumentedBody { return DocumentedBody{Tool: name, Gone: true} }

// is reports whether the body tells of the definition.
func (b *DocumentedBody) is(s Stated) bool {
	return b.Version == s.Version && b.Effect == s.Effect && b.Contract == s.Contract && b.Pin == s.Pin && b.Binding == s.Binding
}

// OfDefinition reports whether the kind shows in the definition alone, and not
// in what the tool does.
func (k Kind) OfDefinition() bool {
	for _, e := range Catalogue() {
		if e.Kind == k {
			return len(e.Means) == 1 && e.Means[0] == Defined
		}
	}
	return false
}

// Public is the row as whoever holds no right to audit reads it: the verdict,
// with kind, severity and place of each divergence. Fingerprints and what calls
// could show are of the whole definition, and not for everyone.
func (r Row) Public() Row {
	r.Documented, r.Observed, r.Suspected, r.Calls, r.Outcomes, r.Visible, r.ProbeOnly, r.Baseline = "", "", nil, nil, nil, nil, nil, false
	told := make([]Divergence, 0, len(r.Divergences))
	for _, d := range r.Divergences {
		told = append(told, Divergence{Kind: d.Kind, Severity: d.Severity, Pointer: d.Pointer, Confidence: d.Confidence, Within: d.Within})
	}
	r.Divergences = told
	return r
}

// Masked is Public to whom some of the tool's fields are masked, so that it
// documents doc for him, nil for nothing: not even the places are told.
func (r Row) Masked(doc *Documented, p Policy) Row {
	r = r.Public()
	for i := range r.Divergences {
		r.Divergences[i].Pointer = ""
	}
	if doc == nil || !doc.States() {
		r.undocumented(p)
	}
	return r
}

// Or gives the graver of two severities.
func (s Severity) Or(other Severity) Severity {
	if other.rank() > s.rank() {
		return other
	}
	return s
}

// Package documents compares two documents that hold many contracts: OpenAPI
// documents, manifests and lists of MCP tools.
//
// It promises that every operation of either side is accounted for: matched
// and compared, added, or removed; that one which cannot be read is named and
// costs the verdict, never the rest; and that an unchanged operation costs no
// proof. It refuses a text that as a whole is no document of its kind.
//
// It is pure: the texts come in, the report goes out.
//
//	report, err := documents.OpenAPI(base, revision, documents.Options{})
package documents

import (
	"cmp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/rule"
	"github.com/seed-ae386458/interlock/internal/parallel"
)

// Options of a comparison.
type Options struct {
	diff.Options
	// Workers bounds how many operations are compared at once; 0 is one for
	// each processor.
	Workers int
}

// Change is a change with the operation or tool that it is about.
type Change struct {
	diff.Change
	Operation string `json:"operation"`
}

// Report is the outcome for two documents: the worst of their operations.
type Report struct {
	Verdict  diff.Verdict `json:"verdict"`
	Mode     diff.Mode    `json:"mode"`
	Strict   diff.Verdict `json:"strict"`
	Bump     diff.Bump    `json:"bump"`
	Changes  []Change     `json:"changes"`
	Compared int          `json:"compared"` // operations that both documents have
	Proved   int          `json:"proved"`   // of these, those that differ and were compared in full
}

// Breaking gives the changes that break callers.
func (r Report) Breaking() []Change {
	var out []Change
	for _, c := range r.Changes {
		if c.Breaking {
			out = append(out, c)
		}
	}
	return out
}

// entry is one operation of a document.
type entry struct {
	name    string // as reports name it
	key     string // what operations are matched by first
	loose   string // and then
	pointer string
	digest  string // equal digests are equal contracts
	side    diff.Side
	webhook bool  // a call that the service makes
	err     error // why it cannot be read
}

// pairing is one operation of both documents, or of one of them.
type pairing struct{ old, new *entry }

// compare matches two lists of operations and compares what differs.
func compare(old, new []entry, opts Options) (Report, error) {
	pairs, c := match(old, new), diff.New(opts.Options)
	reports := make([]diff.Report, len(pairs))
	errs := make([]error, len(pairs))
	var work parallel.Group
	var next atomic.Int64
	for range workers(opts, len(pairs)) {
		work.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(pairs); i = int(next.Add(1)) - 1 {
				reports[i], errs[i] = pairs[i].compare(c)
			}
		})
	}
	work.Wait(nil)
	return gather(c, pairs, reports, errs, opts), nil
}

func workers(opts Options, most int) int {
	n := opts.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	return max(1, min(n, most))
}

// match pairs operations by their key, and what is left by their looser one.
// Each is used once; the order is that of the old document, then of the new.
func match(old, new []entry) []pairing {
	taken := make([]bool, len(new))
	pairs := make([]pairing, len(old))
	for i := range old {
		pairs[i].old = &old[i]
	}
	for _, key := range []func(*entry) string{func(e *entry) string { return e.key }, func(e *entry) string { return e.loose }} {
		at := map[string][]int{}
		for j := range new {
			if k := key(&new[j]); !taken[j] && k != "" {
				at[k] = append(at[k], j)
			}
		}
		for i := range pairs {
			found := at[key(pairs[i].old)]
			if pairs[i].new == nil && len(found) > 0 {
				pairs[i].new, taken[found[0]] = &new[found[0]], true
				at[key(pairs[i].old)] = found[1:]
			}
		}
	}
	for j := range new {
		if !taken[j] {
			pairs = append(pairs, pairing{new: &new[j]})
		}
	}
	return pairs
}

// compare compares one operation. A side that cannot be read leaves the
// comparison undecided, and a schema that cannot be compared does as well.
func (p pairing) compare(c *diff.Comparer) (diff.Report, error) {
	switch {
	case p.new == nil:
		return c.Gone(p.old.pointer), nil
	case p.old == nil:
		return c.Come(p.new.pointer), nil
	case p.same():
		return diff.Report{Verdict: diff.Identical, Strict: diff.Identical, Bump: diff.Patch}, nil
	case p.old.webhook:
		r, err := c.Compare(p.old.side, p.new.side)
		if err != nil || r.Verdict != diff.Identical {
			r = c.Unknown(p.old.pointer, p.new.pointer, webhookWords)
		}
		return r, nil
	case p.old.err != nil && p.new.err != nil:
		return c.Unknown(p.old.pointer, p.new.pointer, p.new.err.Error()), nil
	case p.old.err != nil:
		return c.Come(p.new.pointer), nil
	case p.new.err != nil:
		return c.Unread(p.old.pointer, p.new.pointer, p.new.err.Error()), nil
	}
	return c.Compare(p.old.side, p.new.side)
}

const webhookWords = "a webhook is a call that the service makes, which no tool takes; ask who receives it"

func (p pairing) same() bool { return p.old != nil && p.new != nil && p.old.digest == p.new.digest }

// gather puts the reports of single operations together.
func gather(c *diff.Comparer, pairs []pairing, reports []diff.Report, errs []error, opts Options) Report {
	out := Report{Verdict: diff.Identical, Strict: diff.Identical, Bump: diff.Patch, Mode: opts.Mode, Changes: []Change{}}
	if out.Mode == "" {
		out.Mode = diff.Tool
	}
	for i, p := range pairs {
		r := reports[i]
		if errs[i] != nil {
			r = p.refused(c, errs[i])
		}
		if p.old != nil && p.new != nil {
			out.Compared++
			if !p.same() {
				out.Proved++
			}
		}
		out.Verdict, out.Strict = diff.Worse(out.Verdict, r.Verdict), diff.Worse(out.Strict, r.Strict)
		out.Bump = larger(out.Bump, r.Bump)
		for _, ch := range r.Changes {
			if p.new == nil {
				ch.Renamed = moved(p.old, pairs)
			}
			out.Changes = append(out.Changes, Change{ch, p.name()})
		}
	}
	slices.SortStableFunc(out.Changes, func(a, b Change) int { return cmp.Compare(weight(a), weight(b)) })
	return out
}

// refused reports an operation of which a schema cannot be compared. Where the
// old one was no schema either, nobody could rely on it.
func (p pairing) refused(c *diff.Comparer, err error) diff.Report {
	why := strings.TrimSuffix(interlock.AsError(err).Public, ".")
	if !c.Readable(p.old.side) {
		return c.Unknown(p.old.pointer, p.new.pointer, why)
	}
	return c.Unread(p.old.pointer, p.new.pointer, why)
}

// moved finds an added operation with the contract of a removed one.
func moved(old *entry, pairs []pairing) string {
	for _, p := range pairs {
		if p.old == nil && p.new.digest == old.digest && old.digest != "" {
			return p.new.name
		}
	}
	return ""
}

func (p pairing) name() string {
	if p.old != nil {
		return p.old.name
	}
	return p.new.name
}

func larger(a, b diff.Bump) diff.Bump {
	for _, v := range []diff.Bump{diff.Major, diff.Minor} {
		if a == v || b == v {
			return v
		}
	}
	return diff.Patch
}

// weight puts breaks first, then what is undecided.
func weight(c Change) int {
	switch {
	case c.Breaking:
		return 0
	case c.Tool == diff.UndecidedChange || c.Strict == diff.UndecidedChange:
		return 1
	case c.Strict != rule.OK:
		return 2
	}
	return 3
}

// Alone makes a report of the comparison of one contract.
func Alone(r diff.Report) Report {
	out := Report{Verdict: r.Verdict, Mode: r.Mode, Strict: r.Strict, Bump: r.Bump, Changes: []Change{}, Compared: 1, Proved: 1}
	for _, c := range r.Changes {
		out.Changes = append(out.Changes, Change{Change: c})
	}
	return out
}

package drift

import (
	"fmt"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// accepted is a read whose one MAJOR divergence was accepted.
func acceptedParcel(t *testing.T) (*lab, Record) {
	l := newLab(t)
	l.define(stated(t, enumTool("read")), false)
	l.say(1, `"lost"`)
	l.say(2, `"lost"`)
	rec, err := l.ledger.Accept(parcel, digests(l.row(parcel))[0], Acceptance{Approver: "alice"}, l.now)
	if err != nil {
		t.Fatal(err)
	}
	return l, rec
}

// TestAcceptanceLapses: what is accepted is accepted under two fingerprints.
// Another divergence that the defaults would let pass moves one of them, and a
// record given under others is no leave.
func TestAcceptanceLapses(t *testing.T) {
	l, rec := acceptedParcel(t)
	l.enter(rec.Type, rec.Body)
	if l.row(parcel).Rejected() {
		t.Fatal("not accepted")
	}
	a := ok(`{"id":"a","state":"sent"}`)
	a.said = map[string]string{"sunset": "tomorrow"}
	l.call(parcel, id(2), a)
	if r := l.row(parcel); !r.has(DeprecationOrSunsetSignal) || !r.Rejected() {
		t.Errorf("after a MINOR change: %s", r.brief())
	}
	for name, change := range map[string]func(*Acceptance){
		"another documentation": func(a *Acceptance) { a.Documented = a.Observed },
		"another tool":          func(a *Acceptance) { a.Kind = BoundEscape },
	} {
		l, rec := acceptedParcel(t)
		forged := rec.Body.(Acceptance)
		change(&forged)
		l.enter(rec.Type, forged)
		if !l.row(parcel).Rejected() {
			t.Errorf("%s: accepted", name)
		}
	}
}

// TestExplained: what another divergence makes to be expected is no news.
func TestExplained(t *testing.T) {
	l := newLab(t)
	l.define(stated(t, operation("thing", "read", limits, page)), false)
	for _, n := range []int{4, 8, 16, 40, 50, 60, 70} {
		l.call("lab/thing", fmt.Sprintf(`{"limit":%d}`, n), ok("%s", rows(30, 200)))
		if n == 16 {
			l.call("lab/thing", `{"limit":90}`, ok("%s", rows(90, 200))) // the row is broken
		}
	}
	if r := l.row("lab/thing"); !r.has(ParamIgnored) || r.has(SilentTruncation) {
		t.Error(r.brief())
	}
}

// TestNotEnough: evidence that another cause explains as well is none.
func TestNotEnough(t *testing.T) {
	thing := operation("thing", "read", idInput, object(`"id":{"type":"string"},"done":{"type":"number","description":"Share in percent"},"rev":{"type":"integer"}`),
		interlock.FieldMeaning{At: "output:/rev", SemanticID: "state_revision"})
	writer := operation("writer", "write", idInput, object(`"id":{"type":"string"}`))
	list := operation("list", "read", limits, `{"type":"object","properties":{"items":{"type":"array"},"total":{"type":"integer"},"next":{"type":"string"}},"required":["items"]}`)
	read := func(l *lab, n int, body string) { l.call("lab/thing", id(n), ok("%s", body)) }
	for name, tc := range map[string]struct {
		kind Kind
		tool string
		run  func(*lab)
	}{
		"one argument, twice empty": {ErrorMaskedAsEmptySuccess, "lab/thing", func(l *lab) {
			l.call("lab/thing", id(1), failed(404, absent))
			for range 2 {
				read(l, 1, `{}`)
				l.call("lab/thing", id(1), failed(404, absent))
			}
		}},
		"a write between reads": {SideEffectInRead, "lab/thing", func(l *lab) {
			for i := range 8 {
				read(l, 1, fmt.Sprintf(`{"rev":%d}`, i))
				l.call("lab/writer", id(1), ok(`{"id":"a"}`))
			}
		}},
		"revisions by other steps": {SideEffectInRead, "lab/thing", func(l *lab) {
			for i := range 8 {
				read(l, 1, fmt.Sprintf(`{"rev":%d}`, i*i))
			}
		}},
		"made by a write": {PhantomSuccess, "lab/thing", func(l *lab) {
			for i := range 8 {
				l.call("lab/thing", id(i), failed(404, absent))
			}
			for i := range 8 {
				l.call("lab/writer", id(i), ok(`{"id":"a"}`))
			}
			for i := range 8 {
				read(l, i, `{"id":"a"}`)
			}
		}},
		"some are made": {PhantomSuccess, "lab/thing", func(l *lab) {
			for i := range 90 {
				l.call("lab/thing", id(i), failed(404, absent))
				read(l, i, `{"id":"a"}`)
			}
			for i := 90; i < 97; i++ {
				l.call("lab/thing", id(i), failed(404, absent))
			}
			for i := 90; i < 97; i++ {
				read(l, i, `{"id":"a"}`)
			}
		}},
		"some are refused": {ValidationTightened, "lab/thing", func(l *lab) {
			for i := range 90 {
				read(l, i%9, `{"id":"a"}`)
				if i%3 == 0 {
					l.call("lab/thing", id(i%9), failed(400, invalid))
				}
			}
			for i := range 4 {
				l.call("lab/thing", id(i), failed(400, invalid))
			}
		}},
		"from one percent to a hundred": {OutputUnitShift, "lab/thing", func(l *lab) {
			for i := range 3 {
				read(l, i, `{"done":1}`)
			}
			for i := range 3 {
				read(l, i, `{"done":100}`)
			}
		}},
		"more on the next page": {SilentTruncation, "lab/list", func(l *lab) {
			for _, n := range []int{20, 50, 80} {
				l.call("lab/list", fmt.Sprintf(`{"limit":%d}`, n), ok(`{"items":[1,2,3],"total":200,"next":"p2"}`))
			}
		}},
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			for _, op := range []interlock.Operation{thing, writer, list} {
				l.define(stated(t, op), false)
			}
			tc.run(l)
			if r := l.row(tc.tool); r.has(tc.kind) {
				t.Error(r.brief())
			}
		})
	}
}

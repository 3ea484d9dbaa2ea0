package probe

import (
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// judge holds the answer of a canary against what its owner expects, and names
// the kind of what is otherwise. It reports whether the answer is as expected.
func (t *trial) judge(n int, c interlock.Canary, x answer) bool {
	kind, at, says := t.unexpected(c.Expect, x)
	says = fmt.Sprintf("canary %d: %s", n, says)
	if kind == "" {
		t.holds(named(c.Shows, drift.OutputUnitShift), "output:", 1, says)
		return true
	}
	t.breaks(named(c.Shows, kind), at, 1, says)
	return false
}

// named is the kind that an owner gave, where there is one of that name, or what
// the answer looks like.
func named(shows string, kind drift.Kind) drift.Kind {
	for _, e := range drift.Catalogue() {
		if string(e.Kind) == shows {
			return e.Kind
		}
	}
	return kind
}

// unexpected says in what an answer is not as expected; an empty kind: it is.
func (t *trial) unexpected(e interlock.Expectation, x answer) (kind drift.Kind, at, says string) {
	switch {
	case e.Error != "" && x.class == granted && !x.says && x.empty:
		return drift.ErrorMaskedAsEmptySuccess, "output:", "an empty success in the place of " + e.Error
	case e.Error != "" && x.class == granted && !x.says:
		return drift.PhantomSuccess, "output:", "content in the place of " + e.Error
	case e.Error != "" && x.class == granted:
		return drift.ErrorFlagLost, "output:", "an error inside a success in the place of " + e.Error
	case e.Error != "":
		for _, documented := range t.p.tool.errors {
			if documented.When == e.Error && !x.is(documented) {
				return drift.ErrorCodeSubstituted, "output:", "another failure in the place of " + e.Error
			}
		}
	case x.class == refused:
		return drift.ValidationTightened, "input:", "refused, and a success is expected"
	case len(e.Result) > 0:
		return compare("", e.Result, x.result)
	}
	return "", "", "as expected"
}

// readBack reads what a canary wrote. What is not there at once and is later was
// stale; what never is was not written as was said.
func (t *trial) readBack(n int, c interlock.Canary) {
	for try := range 3 {
		x, ok := t.reach(Ask{Probe: fmt.Sprintf("%s:%d", drift.ProbeReadBack, n), Args: c.Then.Args, Tool: c.Then.Tool})
		if !ok {
			return
		}
		if kind, _, _ := t.unexpected(c.Then.Expect, x); kind != "" {
			continue
		}
		if try > 0 {
			t.breaks(drift.StalenessIncrease, "output:", try+1, fmt.Sprintf("canary %d: what was written is not there at once, and is %d reads later", n, try))
		} else {
			t.holds(drift.StalenessIncrease, "output:", 1, fmt.Sprintf("canary %d: what was written is there at once", n))
		}
		return
	}
	if _, ok := t.reach(Ask{Probe: fmt.Sprintf("%s:%d", drift.ProbeCanary, n), Args: t.p.tool.encode(membersOf(c.Args))}); ok {
		t.breaks(drift.PartialWriteReportedAsFull, "output:", 4, fmt.Sprintf("canary %d: the write is reported as done, and three reads show otherwise", n))
	}
}

func membersOf(object json.RawMessage) arguments {
	args := arguments{}
	for name, value := range rawjson.Members(objectOr(object)) {
		args[name] = value
	}
	return args
}

// compare looks for the first member that is not as expected.
func compare(at string, want, got json.RawMessage) (kind drift.Kind, where, says string) {
	if rawjson.KindOf(want) != rawjson.KindObject {
		if rawjson.Equal(want, got) {
			return "", "", "as expected"
		}
		kind, says = differs(want, got)
		return kind, "output:" + at, says
	}
	for name, value := range rawjson.Members(want) {
		here := rawjson.Join(at, name)
		found, ok := rawjson.Member(objectOr(got), name)
		if !ok {
			return drift.RequiredOutputMissing, "output:" + here, "the expected member is missing"
		}
		if kind, where, says = compare(here, value, found); kind != "" {
			return kind, where, says
		}
	}
	return "", "", "as expected"
}

// factors are those that units of one quantity differ by.
var factors = []*big.Rat{whole(1000), whole(60), whole(3600), whole(86400), whole(100), whole(1024), whole(1_000_000)}

// differs names what makes one value another.
func differs(want, got json.RawMessage) (drift.Kind, string) {
	a, b := numberOf(want), numberOf(got)
	switch {
	case rawjson.KindOf(want) != rawjson.KindOf(got) && !bothBool(want, got):
		return drift.OutputTypeChanged, "a value of another type than expected"
	case a != nil && b != nil && a.Sign() != 0 && b.Sign() != 0:
		ratio := new(big.Rat).Quo(b, a)
		for _, f := range factors {
			if ratio.Cmp(f) == 0 || ratio.Cmp(new(big.Rat).Inv(f)) == 0 {
				return drift.OutputUnitShift, "a number of another unit than expected: it differs by the factor " + f.RatString()
			}
		}
		if x, _ := a.Float64(); new(big.Rat).SetFloat64(x).Cmp(b) == 0 {
			return drift.EncodingOrPrecisionLoss, "the expected number, with less precision"
		}
	}
	return drift.Nondeterminism, "another value than expected"
}

func bothBool(a, b json.RawMessage) bool {
	is := func(k rawjson.Kind) bool { return k == rawjson.KindTrue || k == rawjson.KindFalse }
	return is(rawjson.KindOf(a)) && is(rawjson.KindOf(b))
}

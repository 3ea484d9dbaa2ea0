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
// the kind of what is otherwise.
func (t *trial) judge(n int, c interlock.Canary, x answer) {
	says := fmt.Sprintf("canary %d: ", n)
	switch {
	case c.Expect.Error != "" && x.class == granted && !x.says:
		kind, text := drift.PhantomSuccess, "content"
		if x.empty {
			kind, text = drift.ErrorMaskedAsEmptySuccess, "an empty success"
		}
		t.breaks(kind, "output:", 1, says+text+" in the place of "+c.Expect.Error)
	case c.Expect.Error != "" && x.class == refused:
		for _, e := range t.p.tool.errors {
			if e.When == c.Expect.Error && !x.is(e) {
				t.breaks(drift.ErrorCodeSubstituted, "output:", 1, says+"another failure in the place of "+c.Expect.Error)
				return
			}
		}
		t.holds(drift.ErrorMaskedAsEmptySuccess, "output:", 1, says+"fails as expected")
	case c.Expect.Error == "" && x.class == refused:
		t.breaks(drift.ValidationTightened, "input:", 1, says+"refused, and a success is expected")
	case c.Expect.Error == "" && len(c.Expect.Result) > 0:
		t.compare(says, "", c.Expect.Result, x.result)
	}
}

// compare looks for the first member that is not as expected.
func (t *trial) compare(says, at string, want, got json.RawMessage) bool {
	switch rawjson.KindOf(want) {
	case rawjson.KindObject:
		for name, value := range rawjson.Members(want) {
			here := rawjson.Join(at, name)
			found, ok := rawjson.Member(objectOr(got), name)
			if !ok {
				t.breaks(drift.RequiredOutputMissing, "output:"+here, 1, says+"the expected member is missing")
				return false
			}
			if !t.compare(says, here, value, found) {
				return false
			}
		}
	default:
		if rawjson.Equal(want, got) {
			break
		}
		kind, text := differs(want, got)
		t.breaks(kind, "output:"+at, 1, says+text)
		return false
	}
	if at == "" {
		t.holds(drift.OutputUnitShift, "output:", 1, says+"as expected")
	}
	return true
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

package drift

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock"
)

func benchExchanges(b *testing.B) map[string]struct {
	d *Documented
	x Exchange
} {
	small := operation("small", "read", idInput, object(`"id":{"type":"string"},"state":{"type":"string","enum":["queued","sent"]},"count":{"type":"integer","minimum":0}`, "id", "state"))
	list := operation("list", "read", limits, page)
	out := map[string]struct {
		d *Documented
		x Exchange
	}{}
	for name, tc := range map[string]struct {
		op         interlock.Operation
		args, body string
	}{
		"small": {small, id(1), fmt.Sprintf(`{"id":%q,"state":"sent","count":3,"note":"left at the door"}`, uuid(1))},
		"text":  {small, id(1), fmt.Sprintf(`{"id":%q,"state":"sent","count":3,"note":"The parcel was left at the door of the neighbours on the second floor, who will be at home until six."}`, uuid(1))},
		"list":  {list, `{"limit":20}`, rows(20, 200)},
	} {
		d, err := Document(stated(b, tc.op))
		if err != nil {
			b.Fatal(err)
		}
		out[name] = struct {
			d *Documented
			x Exchange
		}{d, ok("%s", tc.body).exchange(tc.args, "", epoch)}
	}
	return out
}

// BenchmarkObserve is the cost on the call path: the observation, its median
// beside the mean, and what it adds to the entry.
func BenchmarkObserve(b *testing.B) {
	all := benchExchanges(b)
	for _, name := range []string{"small", "text", "list"} {
		b.Run(name, func(b *testing.B) {
			tc := all[name]
			o := tc.d.Observe(tc.x)
			text, _ := json.Marshal(o)
			b.ReportAllocs()
			times := make([]time.Duration, 0, b.N)
			for b.Loop() {
				at := time.Now()
				tc.d.Observe(tc.x)
				times = append(times, time.Since(at))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Nanoseconds()), "p50-ns")
			b.ReportMetric(float64(len(text)), "entry-bytes")
		})
	}
}

// BenchmarkApply is the cost of the fold, off the call path.
func BenchmarkApply(b *testing.B) {
	l := newLab(b)
	l.define(stated(b, operation("small", "read", idInput, object(`"id":{"type":"string"},"state":{"type":"string"}`, "id", "state"))), false)
	for i := range 200 {
		l.call("lab/small", id(i), ok(`{"id":%q,"state":"sent"}`, uuid(i)))
	}
	e := l.log[len(l.log)-1]
	b.ReportAllocs()
	for b.Loop() {
		e.Index++
		if _, err := l.ledger.Apply(e); err != nil {
			b.Fatal(err)
		}
	}
}

package probe

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/drift"
)

// service is a tool that runs here: what it answers to the n-th request.
type service func(args map[string]any, n int) (status int, body any)

// stated reads a tool from the text of an operation.
func stated(t *testing.T, text string) drift.Stated {
	t.Helper()
	op := interlock.Operation{Name: "tool", Binding: json.RawMessage(`{}`), Effect: interlock.EffectRead}
	if err := json.Unmarshal([]byte(text), &op); err != nil {
		t.Fatal(err)
	}
	compiled, err := contract.Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	return drift.Stated{Tool: "s/tool", Version: "1.0.0", Effect: op.Effect, Operation: op, Compiled: compiled}
}

// session probes a service and gives what was shown, and every request.
func session(t *testing.T, s drift.Stated, serve service, budget int) (shown []drift.Shown, asks []Ask, skipped []Skipped) {
	t.Helper()
	p := New(s, "seed", budget)
	defer p.Close()
	for ask, ok := p.Next(); ok; ask, ok = p.Next() {
		asks = append(asks, ask)
		if len(asks) > 1000 {
			t.Fatal("it does not end")
		}
		var args map[string]any
		if err := json.Unmarshal(ask.Args, &args); err != nil {
			t.Fatalf("%s: %v", ask.Args, err)
		}
		status, body := serve(args, len(asks))
		shown = append(shown, p.Learn(exchange(ask, status, body))...)
	}
	return shown, asks, p.NotProbed()
}

func exchange(ask Ask, status int, body any) drift.Exchange {
	raw, _ := json.Marshal(body)
	x := drift.Exchange{Args: ask.Args, Probe: ask.Probe, Reply: interlock.Reply{Status: status, Result: raw}}
	if status >= 300 {
		reason := interlock.ReasonSourceRefused
		if status >= 500 {
			reason = interlock.ReasonSourceFailed
		}
		x.Failure = &interlock.Error{Code: interlock.CodeUpstream, Reason: reason, Outcome: interlock.OutcomeFailed, Err: errors.New("status")}
	}
	return x
}

type object = map[string]any

func broken(shown []drift.Shown) (kinds []string) {
	for _, s := range shown {
		if !s.Holds {
			kinds = append(kinds, string(s.Kind))
		}
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

const known = "0a51b2a2-6f2c-4b1e-8c1d-3c8f6c1e9a11"

const byID = `{"input_schema":{"type":"object","properties":{"id":{"type":"string","format":"uuid","examples":["` + known + `"]}},"required":["id"]},
	"output_schema":{"type":"object","properties":{"id":{"type":"string"},"name":{"type":"string"},"note":{"type":"string"}},"required":["id","name"]},
	"errors":[{"when":"not_found","status":404},{"when":"invalid_argument","status":400}]}`

func refuse(code string) object { return object{"error": object{"code": code}} }

// lookup answers the known id; absent says what comes of any other.
func lookup(absent func(id string) (int, any)) service {
	return func(args map[string]any, _ int) (int, any) {
		id, _ := args["id"].(string)
		switch {
		case len(id) != 36 || strings.HasPrefix(id, "z"):
			return 400, refuse("invalid_argument")
		case id != known:
			return absent(id)
		}
		return 200, object{"id": id, "name": "lamp"}
	}
}

func notFound(string) (int, any) { return 404, refuse("not_found") }

const listing = `{"variants":[{"id":"d","description":"Lists rows, sorted by id."}],
	"input_schema":{"type":"object","properties":{
		"limit":{"type":"integer","minimum":1,"maximum":50,"default":10},
		"page":{"type":"integer","minimum":1},
		"state":{"type":"string","enum":["open","shut"]},
		"order":{"type":"string","enum":["asc","desc"]},
		"min_price":{"type":"integer","description":"Least price, inclusive"},
		"max_price":{"type":"integer","description":"Greatest price, inclusive"}}},
	"output_schema":{"type":"object","properties":{"rows":{"type":"array","items":{"type":"object","properties":{
		"id":{"type":"integer"},"state":{"type":"string"},"price":{"type":"integer"}},"required":["id","state","price"]}},"total":{"type":"integer"}},"required":["rows","total"]},
	"errors":[{"when":"invalid_argument","status":400}]}`

// shop answers a listing of 40 rows; each member changes one thing.
type shop struct {
	preset, base         int  // default limit, number of the first page
	ignoreLimit, noState bool // the limit, and the filter, have no effect
	looseState           bool // the filter lets one stray item through
	shuffle, sameTurn    bool
	exclusive, overlap   bool
	lax                  bool // no bound is enforced
}

func (s shop) serve(args map[string]any, _ int) (int, any) {
	number := func(name string, otherwise int) int {
		if v, ok := args[name].(float64); ok {
			return int(v)
		}
		return otherwise
	}
	limit, page := number("limit", s.preset), number("page", s.base)
	if !s.lax && (limit < 1 || limit > 50 || page < min(1, s.base)) {
		return 400, refuse("invalid_argument")
	}
	state, _ := args["state"].(string)
	if state != "" && state != "open" && state != "shut" && !s.lax {
		return 400, refuse("invalid_argument")
	}
	if order, given := args["order"]; given && order != "asc" && order != "desc" && !s.lax {
		return 400, refuse("invalid_argument")
	}
	if s.ignoreLimit {
		limit = 25
	}
	rows := []object{}
	for i := range 40 {
		row := object{"id": i, "state": []string{"open", "shut"}[i%2], "price": 100 + i}
		low, high := number("min_price", 0), number("max_price", 1000)
		if s.exclusive && (row["price"].(int) <= low || row["price"].(int) >= high) || row["price"].(int) < low || row["price"].(int) > high {
			continue
		}
		if state == "" || s.noState || row["state"] == state || s.looseState && i == 3 {
			rows = append(rows, row)
		}
	}
	total := len(rows)
	if s.shuffle {
		slices.Reverse(rows[:min(len(rows), limit)])
	}
	if args["order"] == "desc" && !s.sameTurn {
		slices.Reverse(rows)
	}
	from := (page - s.base) * limit
	if s.overlap && from > 0 {
		from--
	}
	from = max(0, min(from, len(rows)))
	return 200, object{"rows": rows[from:min(len(rows), from+max(0, limit))], "total": total}
}

var honest = shop{preset: 10, base: 1}

func TestKinds(t *testing.T) {
	for _, tc := range []struct {
		name  string
		tool  string
		serve service
		want  []string
	}{
		{"a clean lookup", byID, lookup(notFound), nil},
		{"empty in the place of not found", byID, lookup(func(string) (int, any) { return 200, object{} }), []string{"error_masked_as_empty_success"}},
		{"null in the place of not found", byID, lookup(func(string) (int, any) { return 200, nil }), []string{"error_masked_as_empty_success"}},
		{"content in the place of not found", byID, lookup(func(id string) (int, any) { return 200, object{"id": id, "name": "x"} }), []string{"phantom_success"}},
		{"another failure in the place of not found", byID, lookup(func(string) (int, any) { return 400, refuse("invalid_argument") }), []string{"error_code_substituted"}},
		{"now this, now that", byID, lookup(func(id string) (int, any) {
			if id < "8" {
				return 200, object{}
			}
			return 404, refuse("not_found")
		}), nil},
		{"an error inside a success is for the observer", byID, lookup(func(string) (int, any) { return 200, refuse("not_found") }), nil},
		{"a clean list", listing, honest.serve, nil},
		{"another default", listing, shop{preset: 20, base: 1}.serve, []string{"default_changed"}},
		{"limit without effect", listing, shop{preset: 25, base: 1, ignoreLimit: true}.serve, []string{"param_ignored"}},
		{"pages from nought", listing, shop{preset: 10, base: 0}.serve, []string{"index_or_bound_convention"}},
		{"filter without effect", listing, shop{preset: 10, base: 1, noState: true}.serve, []string{"param_ignored"}},
		{"filter with a leak", listing, shop{preset: 10, base: 1, looseState: true}.serve, []string{"filter_semantics_changed"}},
		{"unsorted", listing, shop{preset: 10, base: 1, shuffle: true}.serve, []string{"ordering_changed"}},
		{"exclusive bounds", listing, shop{preset: 10, base: 1, exclusive: true}.serve, []string{"index_or_bound_convention"}},
		{"pages overlap", listing, shop{preset: 10, base: 1, overlap: true}.serve, []string{"pagination_contract_changed"}},
		{"no bound enforced", listing, shop{preset: 10, base: 1, lax: true}.serve, []string{"validation_relaxed"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			shown, asks, skipped := session(t, stated(t, tc.tool), tc.serve, 80)
			if diff := cmp.Diff(tc.want, broken(shown)); diff != "" {
				t.Errorf("after %d requests (- want + got):\n%s\n%+v\n%+v", len(asks), diff, shown, skipped)
			}
			for _, s := range shown {
				if s.Says == "" || s.Trials < 1 || s.Confidence <= 0 || s.Confidence > 1 || !strings.Contains(s.Pointer, ":") {
					t.Errorf("not told in full: %+v", s)
				}
			}
		})
	}
}

// TestNoise: rate limits, outages, a proxy's page and optional members raise
// nothing, and are never taken for the tool's word.
func TestNoise(t *testing.T) {
	for name, tool := range map[string]struct {
		text  string
		serve service
	}{"lookup": {byID, lookup(notFound)}, "list": {listing, honest.serve}} {
		for seed := range 50 {
			p := New(stated(t, tool.text), fmt.Sprint("seed", seed), 60)
			dice := newStream(fmt.Sprint("noise", seed))
			for ask, ok := p.Next(); ok; ask, ok = p.Next() {
				var args map[string]any
				if err := json.Unmarshal(ask.Args, &args); err != nil {
					t.Fatal(err)
				}
				status, body := tool.serve(args, 0)
				switch dice.below(10) {
				case 0:
					status, body = 429, refuse("rate_limited")
				case 1:
					status, body = 503, refuse("unavailable")
				case 2:
					status, body = 502, "<html>bad gateway</html>"
				case 3, 4:
					if o, is := body.(object); is && status == 200 {
						o["note"] = "x"
					}
				}
				for _, s := range p.Learn(exchange(ask, status, body)) {
					if !s.Holds {
						t.Fatalf("%s, seed %d: %+v", name, seed, s)
					}
				}
			}
			p.Close()
		}
	}
}

// TestTheSameSeedAsksTheSame, and another asks after other strangers.
func TestTheSameSeedAsksTheSame(t *testing.T) {
	s := stated(t, byID)
	_, one, _ := session(t, s, lookup(notFound), 30)
	_, two, _ := session(t, s, lookup(notFound), 30)
	if diff := cmp.Diff(one, two); diff != "" {
		t.Error(diff)
	}
	if a, b := New(s, "x", 5), New(s, "y", 5); string(a.tool.encode(arguments{"id": a.stranger(a.tool.args[0])})) == string(b.tool.encode(arguments{"id": b.stranger(b.tool.args[0])})) {
		t.Error("two seeds draw the same")
	}
}

// TestBudget: no budget is passed, and what it did not reach is named.
func TestBudget(t *testing.T) {
	for budget := 1; budget < 60; budget++ {
		_, asks, skipped := session(t, stated(t, listing), honest.serve, budget)
		if len(asks) > budget {
			t.Fatalf("%d requests for a budget of %d", len(asks), budget)
		}
		spent := slices.ContainsFunc(skipped, func(s Skipped) bool { return s.Reason == "the budget is used up" })
		if budget < 10 && !spent {
			t.Errorf("a budget of %d: nothing says that it was used up: %+v", budget, skipped)
		}
	}
}

// TestWritesAreLeftAlone unless a sandbox is declared, and then its arguments
// go with every probe.
func TestWritesAreLeftAlone(t *testing.T) {
	text := `{"effect":"write","idempotent":true,"input_schema":{"type":"object","properties":{"id":{"type":"string","examples":["a1"]},"dry_run":{"type":"boolean"}},"required":["id"]}%s}`
	done := 0
	serve := func(args map[string]any, n int) (int, any) {
		if args["dry_run"] != true {
			t.Errorf("sent without the sandbox's own argument: %v", args)
		}
		done++
		return 200, object{"written": done}
	}
	for _, tc := range []struct {
		probing string
		sends   bool
	}{
		{``, false},
		{`,"probing":{"sandbox":true,"args":{"dry_run":true}}`, true},
		{`,"probing":{"sandbox":true,"never":true}`, false},
	} {
		shown, asks, skipped := session(t, stated(t, fmt.Sprintf(text, tc.probing)), serve, 30)
		if (len(asks) > 0) != tc.sends {
			t.Errorf("%s: %d requests", tc.probing, len(asks))
		}
		if !tc.sends && len(skipped) != len(experiments()) {
			t.Errorf("%s: not everything is listed: %+v", tc.probing, skipped)
		}
		if tc.sends && !slices.Contains(broken(shown), "idempotency_lost") {
			t.Errorf("%+v", shown)
		}
	}
}

func TestCanaries(t *testing.T) {
	tool := func(expect string) string {
		return `{"input_schema":{"type":"object"},"errors":[{"when":"not_found","status":404}],"canaries":[{"args":{"id":"x"},"expect":` + expect + `}]}`
	}
	ok := func(body any) service { return func(map[string]any, int) (int, any) { return 200, body } }
	for _, tc := range []struct {
		expect string
		serve  service
		want   []string
	}{
		{`{"result":{"a":1}}`, ok(object{"a": 1, "b": 2}), nil},
		{`{"result":{"a":{"b":"x"}}}`, ok(object{"a": object{"b": "x"}}), nil},
		{`{"result":{"a":1}}`, ok(object{"b": 2}), []string{"required_output_missing"}},
		{`{"result":{"a":12500}}`, ok(object{"a": 12.5}), []string{"output_unit_shift"}},
		{`{"result":{"a":1}}`, ok(object{"a": "1"}), []string{"output_type_changed"}},
		{`{"result":{"a":9007199254740993}}`, ok(object{"a": json.Number("9007199254740992")}), []string{"encoding_or_precision_loss"}},
		{`{"result":{"a":"x"}}`, ok(object{"a": "y"}), []string{"nondeterminism"}},
		{`{"result":{"a":1}}`, func(map[string]any, int) (int, any) { return 400, refuse("invalid") }, []string{"validation_tightened"}},
		{`{"error":"not_found"}`, func(map[string]any, int) (int, any) { return 404, refuse("not_found") }, nil},
		{`{"error":"not_found"}`, func(map[string]any, int) (int, any) { return 400, refuse("invalid") }, []string{"error_code_substituted"}},
		{`{"error":"not_found"}`, ok(object{}), []string{"error_masked_as_empty_success"}},
		{`{"error":"not_found"}`, ok(object{"a": 1}), []string{"phantom_success"}},
	} {
		shown, _, _ := session(t, stated(t, tool(tc.expect)), tc.serve, 1)
		if diff := cmp.Diff(tc.want, broken(shown)); diff != "" {
			t.Errorf("%s (- want + got):\n%s", tc.expect, diff)
		}
	}
}

// TestEndsOnAnything: a document that says nothing, and answers that are no
// JSON, end the session in order.
func TestEndsOnAnything(t *testing.T) {
	for _, text := range []string{`{}`, `{"input_schema":true}`, `{"input_schema":{"$ref":"#"}}`, `{"input_schema":{"type":"object","properties":{"a":{"$ref":"#/properties/a"}},"required":["a"]}}`} {
		p := New(stated(t, text), "seed", 10)
		for ask, ok := p.Next(); ok; ask, ok = p.Next() {
			p.Learn(drift.Exchange{Args: ask.Args, Reply: interlock.Reply{Result: json.RawMessage(`{"a":`)}})
		}
		p.Close()
	}
}

// TestNobody: a call that documents a credential is made without one, and only
// where calls carry one.
func TestNobody(t *testing.T) {
	s := stated(t, `{"input_schema":{"type":"object"},"errors":[{"when":"unauthenticated","status":401}]}`)
	for _, tc := range []struct {
		secret, open bool
		want         []string
		asked        bool
	}{{true, true, []string{"auth_scope_widened"}, true}, {true, false, nil, true}, {false, true, nil, false}} {
		p := New(s, "seed", 20)
		if tc.secret {
			p.Credentialed()
		}
		var shown []drift.Shown
		asked := false
		for ask, ok := p.Next(); ok; ask, ok = p.Next() {
			status, body := 200, any(object{"a": 1})
			if asked = asked || ask.Anonymous; ask.Anonymous && !tc.open {
				status, body = 401, refuse("unauthenticated")
			}
			shown = append(shown, p.Learn(exchange(ask, status, body))...)
		}
		if diff := cmp.Diff(tc.want, broken(shown)); diff != "" || asked != tc.asked {
			t.Errorf("%+v: asked %v\n%s", tc, asked, diff)
		}
	}
}

// TestReadBack tells a read that lags from a write that was not done.
func TestReadBack(t *testing.T) {
	s := stated(t, `{"effect":"write","probing":{"sandbox":true},"input_schema":{"type":"object"},"canaries":[{"args":{"n":3},"expect":{"result":{"stored":3}},"then":{"tool":"count","args":{},"expect":{"result":{"count":3}}}}]}`)
	for lag, want := range map[int][]string{0: nil, 1: {"staleness_increase"}, 9: {"partial_write_reported_as_full"}} {
		p := New(s, "seed", 9)
		reads := 0
		var shown []drift.Shown
		for ask, ok := p.Next(); ok; ask, ok = p.Next() {
			body := object{"stored": 3}
			if ask.Tool == "count" {
				if body = (object{"count": 0}); reads >= lag {
					body = object{"count": 3}
				}
				reads++
			}
			shown = append(shown, p.Learn(exchange(ask, 200, body))...)
		}
		p.Close()
		if diff := cmp.Diff(want, broken(shown)); diff != "" {
			t.Errorf("after %d reads:\n%s", lag, diff)
		}
	}
}

// TestZone: instants that come back off by the same hours are in another zone.
func TestZone(t *testing.T) {
	s := stated(t, `{"input_schema":{"type":"object","properties":{"at":{"type":"string","format":"date-time"}},"required":["at"]},"output_schema":{"type":"object","properties":{"at":{"type":"string","format":"date-time"}}}}`)
	for hours, want := range map[int][]string{0: nil, 9: {"timezone_or_locale_shift"}} {
		shown, _, _ := session(t, s, func(args map[string]any, _ int) (int, any) {
			at, err := time.Parse(time.RFC3339, args["at"].(string))
			if err != nil {
				return 400, refuse("invalid_argument")
			}
			return 200, object{"at": at.Add(time.Duration(hours) * time.Hour).Format(time.RFC3339)}
		}, 20)
		if diff := cmp.Diff(want, broken(shown)); diff != "" {
			t.Errorf("%d hours:\n%s", hours, diff)
		}
	}
}

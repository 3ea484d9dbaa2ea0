package diff_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/diff/documents"
)

// corpora is where the published suites lie, beside the checkout.
const corpora = "../../../shared/data/compat/openapi"

// suite skips where the suites are not asked for or not there.
func suite(t *testing.T) {
	t.Helper()
	if os.Getenv("INTERLOCK_SUITES") == "" {
		t.Skip("set INTERLOCK_SUITES=1 to run the published suites")
	}
	if _, err := os.Stat(corpora); err != nil {
		t.Skip("the published suites are not here: " + err.Error())
	}
}

type labelled struct {
	Level     int    `json:"level"`
	ID        string `json:"id"`
	Operation string `json:"operation"`
	Path      string `json:"path"`
}

type pair struct {
	ID             string          `json:"id"`
	Base, Revision json.RawMessage `json:"-"`
	Changes        []labelled      `json:"changes"`
}

func (p *pair) UnmarshalJSON(text []byte) error {
	type plain pair
	var rest struct {
		plain
		Base     json.RawMessage `json:"base"`
		Revision json.RawMessage `json:"revision"`
	}
	if err := json.Unmarshal(text, &rest); err != nil {
		return err
	}
	*p = pair(rest.plain)
	p.Base, p.Revision = rest.Base, rest.Revision
	return nil
}

func lines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(filepath.Join(corpora, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	scan := bufio.NewScanner(f)
	scan.Buffer(nil, 64<<20)
	for scan.Scan() {
		var one T
		if err := json.Unmarshal(scan.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		out = append(out, one)
	}
	return out
}

// outside names the kinds of change that are no change of a contract: dates
// and stability levels.
func outside(id string) bool {
	return regexp.MustCompile(`sunset-(parse|date|deleted|missing|invalid)|deprecated-sunset|stability|x-extensible-enum`).MatchString(id)
}

func errorLevel(p pair) []labelled {
	var out []labelled
	sent := []string{"GET", "PUT", "POST", "DELETE", "PATCH", "HEAD", "OPTIONS"}
	for _, c := range p.Changes {
		if c.Level == 3 && slices.Contains(sent, c.Operation) && !outside(c.ID) {
			out = append(out, c)
		}
	}
	return out
}

// known lists the disagreements with published labels, by name, with the
// reason.
func known(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/disagreements.txt")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, why, ok := strings.Cut(strings.TrimSpace(line), " "); ok && !strings.HasPrefix(name, "#") {
			out[name] = why
		}
	}
	return out
}

func TestSuiteOasdiff(t *testing.T) {
	suite(t)
	excused := known(t)
	var total, none, undecided, saved, explained int
	for _, p := range lines[pair](t, "oasdiff-pairs.jsonl") {
		breaks := errorLevel(p)
		if len(breaks) == 0 {
			continue
		}
		total++
		r, err := documents.OpenAPI(p.Base, p.Revision, documents.Options{})
		switch {
		case err != nil:
			t.Errorf("%s: %v", p.ID, err)
		case r.Verdict == diff.None:
			none++
		case r.Verdict == diff.Undecided:
			undecided++
			t.Logf("%s is undecided: %v", p.ID, stops(r))
		case enforced(r, breaks):
			saved++
		case excused[p.ID] != "":
			explained++
		default:
			t.Errorf("%s is %s in spite of %v; rules: %v", p.ID, r.Verdict, breaks, rules(r))
		}
	}
	t.Logf("%d pairs with an error-level change: %d none, %d undecided, %d safe by an enforcement, %d explained by name", total, none, undecided, saved, explained)
	if undecided*10 > total {
		t.Errorf("%d of %d are undecided", undecided, total)
	}
}

// enforced reports whether the report names an enforcement for each of the
// changes that a check by rules calls an error.
func enforced(r documents.Report, breaks []labelled) bool {
	named := map[string]bool{}
	for _, c := range r.Changes {
		if !c.Breaking && c.Enforcement != "" {
			named[c.Enforcement] = true
		}
	}
	for _, b := range breaks {
		ok := false
		for _, e := range excuses(b.ID) {
			ok = ok || named[e]
		}
		if !ok {
			return false
		}
	}
	return true
}

// excuses lists the enforcements that can make a kind of change safe.
func excuses(id string) []string {
	var out []string
	if strings.Contains(id, "default") && strings.Contains(id, "required") || strings.Contains(id, "default-parameter") {
		out = append(out, "default_filled")
	}
	loose := regexp.MustCompile(`pattern-propert|unevaluated-propert|property-names|additional-propert`)
	if regexp.MustCompile(`^(request-|new-request)`).MatchString(id) && loose.MatchString(id) {
		out = append(out, "undeclared_refused")
	}
	if strings.HasPrefix(id, "response-") && loose.MatchString(id) || strings.Contains(id, "response-header") {
		out = append(out, "projected")
	}
	return out
}

func stops(r documents.Report) []string {
	var out []string
	for _, c := range r.Changes {
		if c.Stopped != "" {
			out = append(out, c.Stopped+" at "+c.PointerNew)
		}
	}
	return out
}

func rules(r documents.Report) []string {
	var out []string
	for _, c := range r.Changes {
		out = append(out, fmt.Sprintf("%s %s/%s", c.Rule, c.Strict, c.Tool))
	}
	return out
}

// widening matches the kinds of change that plainly keep old callers.
const widening = `^(request-(body|property|parameter)-(max(-length|-items|-properties)?-(increased|unset)|min(-length|-items|-properties)?-(decreased|unset)|enum-value-added|became-optional|became-nullable|multiple-of-unset)` +
	`|response-(body|property)-(max(-length|-items|-properties)?-decreased|min(-length|-items|-properties)?-increased|enum-value-removed|became-not-nullable|multiple-of-set)|response-property-became-required)$`

func TestSuiteOasdiffWidenings(t *testing.T) {
	suite(t)
	plain := regexp.MustCompile(widening)
	total, good := 0, 0
	for _, p := range lines[pair](t, "oasdiff-pairs.jsonl") {
		if len(p.Changes) == 0 || len(errorLevel(p)) > 0 || slices.ContainsFunc(p.Changes, func(c labelled) bool { return !plain.MatchString(c.ID) }) {
			continue
		}
		total++
		r, err := documents.OpenAPI(p.Base, p.Revision, documents.Options{})
		if err == nil && r.Verdict.Serves() {
			good++
			continue
		}
		t.Logf("%s is %s for %v: %v (%v)", p.ID, r.Verdict, p.Changes, rules(r), err)
	}
	t.Logf("%d of %d plainly widening pairs serve old callers", good, total)
	if good*100 < total*95 {
		t.Errorf("%d of %d plainly widening pairs serve old callers; 95 %% are asked for", good, total)
	}
}

func TestSuiteOasdiffItself(t *testing.T) {
	suite(t)
	for _, p := range lines[pair](t, "oasdiff-pairs.jsonl") {
		r, err := documents.OpenAPI(p.Base, p.Base, documents.Options{})
		if err != nil || r.Verdict != diff.Identical || len(r.Changes) > 0 {
			t.Errorf("%s against itself: %s %v %v", p.ID, r.Verdict, rules(r), err)
		}
	}
}

type fixture struct {
	ID       string `json:"id"`
	Base     string `json:"base"`
	Revision string `json:"revision"`
	Label    string `json:"label"`
	Prop     string `json:"prop"`
	Test     string `json:"test"`
}

func TestSuiteOpenAPIDiff(t *testing.T) {
	suite(t)
	excused := known(t)
	var refused, explained, compatible, good int
	for _, f := range lines[fixture](t, "openapi-diff-pairs.jsonl") {
		r, err := documents.OpenAPI(spec(t, f.Base), spec(t, f.Revision), documents.Options{})
		if err != nil {
			t.Errorf("%s: %v", f.ID, err)
			continue
		}
		switch f.Label {
		case "incompatible":
			switch {
			case !r.Verdict.Serves():
				refused++
			case excused[f.ID] != "" || excused[f.Prop] != "":
				explained++
			default:
				t.Errorf("%s (%s, %s) is %s: %v", f.ID, f.Prop, f.Revision, r.Verdict, rules(r))
			}
		case "no-operation-change", "unchanged", "compatible", "changed-compatible":
			if compatible++; r.Verdict.Serves() {
				good++
			} else {
				t.Logf("%s (%s) is labelled %s and is %s: %v", f.ID, f.Revision, f.Label, r.Verdict, rules(r))
			}
		}
	}
	t.Logf("incompatible: %d refused, %d explained by name; compatible: %d of %d serve old callers", refused, explained, good, compatible)
}

func spec(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(corpora, "openapi-diff-specs", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestSuiteGitHub compares a large document with a copy that has 100 changes.
func TestSuiteGitHub(t *testing.T) {
	suite(t)
	f, err := os.Open(filepath.Join(corpora, "../../openapi/github__api.github.com.json.gz"))
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	base, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(base, &doc); err != nil {
		t.Fatal(err)
	}
	if n := spoil(doc, rand.New(rand.NewPCG(1, 1)), 100); n != 100 {
		t.Fatalf("only %d changes were made", n)
	}
	revised, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	r, err := documents.OpenAPI(base, revised, documents.Options{})
	took := time.Since(start)
	if err != nil || r.Verdict != diff.None {
		t.Errorf("%s %v", r.Verdict, err)
	}
	undecided := slices.DeleteFunc(stops(r), func(s string) bool { return s == "" })
	t.Logf("%d operations, %d differ, %d changes, %d breaking, %d undecided, in %v", r.Compared, r.Proved, len(r.Changes), len(r.Breaking()), len(undecided), took)
}

// spoil changes up to n schemas of a document and gives how many.
func spoil(doc any, r *rand.Rand, n int) int {
	var schemas []map[string]any
	var find func(v any)
	find = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				find(one)
			}
		case map[string]any:
			if _, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
				schemas = append(schemas, v)
			}
			for _, k := range slices.Sorted(maps.Keys(v)) {
				find(v[k])
			}
		}
	}
	find(doc)
	done := 0
	for _, i := range r.Perm(len(schemas)) {
		members, _ := schemas[i]["properties"].(map[string]any)
		names := slices.Sorted(maps.Keys(members))
		if done == n || len(names) == 0 {
			continue
		}
		switch name := names[r.IntN(len(names))]; r.IntN(3) {
		case 0:
			delete(members, name)
		case 1:
			members["added"] = map[string]any{"type": "string"}
		case 2:
			members[name] = map[string]any{"type": "integer", "maximum": 3}
		}
		done++
	}
	return done
}

package policy

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	cedar "github.com/cedar-policy/cedar-go"
	publicast "github.com/cedar-policy/cedar-go/ast"
	"github.com/cedar-policy/cedar-go/x/exp/eval"
)

// corpusCase is one file of the corpus that Cedar's implementations are held
// to; it ships with the library.
type corpusCase struct {
	Policies, Entities string
	Requests           []struct {
		Principal, Action, Resource cedar.EntityUID
		Context                     cedar.Record
		Decision                    cedar.Decision
		Errors                      []string
	}
}

// TestCorpus asks every request of the corpus in our two ways: of the rules in
// whose scope it is, and of what they come to once principal and action are
// known. Both must decide as the corpus says, but that an error denies. Without
// INTERLOCK_SUITES it asks one set of policies in twenty.
func TestCorpus(t *testing.T) {
	files := corpus(t)
	sets, requests, errs, every := 0, 0, 0, 20
	if os.Getenv("INTERLOCK_SUITES") != "" {
		every = 1
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if !strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".entities.json") || strings.HasSuffix(name, ".cedarschema.json") {
			continue
		}
		var c corpusCase
		if err := json.Unmarshal(text, &c); err != nil || c.Policies == "" {
			continue
		}
		if sets++; sets%every != 0 {
			continue
		}
		list, err := cedar.NewPolicySetFromBytes(c.Policies, files[c.Policies])
		if err != nil {
			t.Fatalf("%s: %v", c.Policies, err)
		}
		var entities cedar.EntityMap
		if err := json.Unmarshal(files[c.Entities], &entities); err != nil {
			t.Fatalf("%s: %v", c.Entities, err)
		}
		var rules []rule
		for id, p := range list.All() {
			rules = append(rules, rule{id: id, policy: p})
		}
		for i, r := range c.Requests {
			requests++
			want := r.Decision == cedar.Allow && len(r.Errors) == 0
			errs += min(len(r.Errors), 1)
			req := cedar.Request{Principal: r.Principal, Action: r.Action, Resource: r.Resource, Context: r.Context}
			who, action := flat(entities, r.Principal), flat(entities, r.Action)
			decision, diag := cedar.Authorize(asked{rules, who, action}, entities, req)
			if got := decision == cedar.Allow && len(diag.Errors) == 0; got != want {
				t.Errorf("%s request %d: asked %t, want %t", name, i, got, want)
			}
			if got := judged(rules, entities, who, action, req); got != want {
				t.Errorf("%s request %d: judged %t, want %t", name, i, got, want)
			}
		}
	}
	t.Logf("%d of %d sets of policies, %d requests, %d of them with errors", sets/every, sets, requests, errs)
	if sets != 7750 || requests < 62_000/every*9/10 || errs == 0 {
		t.Error("the corpus is not whole")
	}
}

// judged reduces the rules and asks what is left, context included.
func judged(rules []rule, entities cedar.EntityGetter, who, action cedar.Entity, req cedar.Request) bool {
	reduce := reducer{env: eval.Env{Entities: entities, Principal: req.Principal, Action: req.Action, Context: req.Context}, who: who, action: action, kind: req.Resource.Type, keepContext: true}
	var left []*cedar.Policy
	for i := range rules {
		if p := reduce.policy(rules[i].ast()); p != nil {
			left = append(left, cedar.NewPolicyFromAST((*publicast.Policy)(p)))
		}
	}
	decision, diag := cedar.Authorize(numbered(left), entities, req)
	return decision == cedar.Allow && len(diag.Errors) == 0
}

// flat gives an entity with everything that it is in as its parents.
func flat(entities cedar.EntityMap, uid cedar.EntityUID) cedar.Entity {
	seen := map[cedar.EntityUID]bool{}
	var walk func(cedar.EntityUID)
	walk = func(of cedar.EntityUID) {
		for p := range entities[of].Parents.All() {
			if !seen[p] {
				seen[p] = true
				walk(p)
			}
		}
	}
	walk(uid)
	var all []cedar.EntityUID
	for p := range seen {
		all = append(all, p)
	}
	e := entities[uid]
	e.UID, e.Parents = uid, cedar.NewEntityUIDSet(all...)
	return e
}

// corpus reads the archive that the library ships.
func corpus(t *testing.T) map[string][]byte {
	t.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/cedar-policy/cedar-go").Output()
	if err != nil {
		t.Skipf("the library's folder is not known here: %v", err)
	}
	f, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "corpus-tests.tar.gz"))
	if err != nil {
		t.Skipf("the library came without its corpus: %v", err)
	}
	defer func() { _ = f.Close() }()
	zipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for in := tar.NewReader(zipped); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return files
		}
		if err != nil {
			t.Fatal(err)
		}
		if files[h.Name], err = io.ReadAll(in); err != nil {
			t.Fatal(err)
		}
	}
}

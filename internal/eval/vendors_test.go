package eval

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"log/slog"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/embedding/usem3"
	"github.com/seed-ae386458/interlock/source/openapi"
)

// vendorDocuments are the documents whose operations the needs ask for.
var vendorDocuments = map[string]string{
	"discord":           "discord-api-spec__specs__openapi.json",
	"docker":            "moby__api__swagger.yaml",
	"figma":             "rest-api-spec__openapi__openapi.yaml",
	"freee-hr":          "freee-api-schema__hr__open-api-3__api-schema.json",
	"line":              "line-openapi__messaging-api.yml",
	"line-audience":     "line-openapi__manage-audience.yml",
	"meilisearch":       "open-api__open-api.json",
	"museum":            "museum-openapi-example__openapi.yaml",
	"openai":            "openai-openapi__openapi.yaml",
	"petstore":          "swagger-petstore__src__main__resources__openapi.yaml",
	"qdrant":            "qdrant__docs__redoc__v1.15.x__openapi.json",
	"slack":             "slack-api-specs__web-api__slack_web_openapi_v2_without_examples.json",
	"twilio":            "twilio-oai__spec__yaml__twilio_api_v2010.yaml",
	"twilio-messaging":  "twilio-oai__spec__yaml__twilio_messaging_v1.yaml",
	"twilio-taskrouter": "twilio-oai__spec__yaml__twilio_taskrouter_v1.yaml",
	"twilio-verify":     "twilio-oai__spec__yaml__twilio_verify_v2.yaml",
}

// vendorNeed is a need in three languages and the operations that serve it, any
// of them.
type vendorNeed struct {
	serves []string
	text   map[string]string // by language
}

func vendorNeeds(t *testing.T) []vendorNeed {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "vendors", "needs.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma, r.LazyQuotes = '\t', true
	rows, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var out []vendorNeed
	for _, row := range rows[1:] {
		out = append(out, vendorNeed{strings.Split(row[0], ","), map[string]string{"en": row[1], "ko": row[2], "ja": row[3]}})
	}
	return out
}

// TestVendorNeeds: each need stands in three languages, once, and asks for an
// operation of a document that is known.
func TestVendorNeeds(t *testing.T) {
	needs := vendorNeeds(t)
	seen := map[string]bool{}
	for _, n := range needs {
		for _, id := range n.serves {
			if source, _, ok := strings.Cut(id, "/"); !ok || vendorDocuments[source] == "" {
				t.Errorf("%s: of no document", id)
			}
		}
		for lang, text := range n.text {
			if text == "" || seen[text] {
				t.Errorf("%s: %s need %q is empty or a second time", n.serves, lang, text)
			}
			seen[text] = true
		}
	}
	if len(needs) != 76 {
		t.Errorf("%d needs", len(needs))
	}
}

// vendors opens the operations of all the documents as one catalogue.
func vendors(t *testing.T) *Catalogue {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", "openapi")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the vendors' documents are not beside this checkout; nothing to measure")
	}
	if os.Getenv("INTERLOCK_SUITES") == "" {
		t.Skip("a long measurement: run it with make suites")
	}
	var lines bytes.Buffer
	enc := json.NewEncoder(&lines)
	for name, file := range vendorDocuments {
		src, err := openapi.NewOpener(openapi.Options{}).Open(interlock.SourceConfig{File: filepath.Join(dir, file)})
		if err != nil {
			t.Fatal(err)
		}
		got, err := src.Catalogue(context.Background())
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_ = src.Close()
		for _, op := range got.Operations {
			line := map[string]any{"id": name + "/" + op.Name, "provider": name, "name": op.Name, "title": op.Title, "inputSchema": op.InputSchema}
			if len(op.Variants) > 0 {
				line["description"] = op.Variants[0].Description
			}
			if err := enc.Encode(line); err != nil {
				t.Fatal(err)
			}
		}
	}
	model, err := usem3.Load()
	if err != nil {
		t.Fatal(err)
	}
	glosser, err := lexicon.Load()
	if err != nil {
		t.Fatal(err)
	}
	cat, err := Open(context.Background(), lines.Bytes(), Options{Embedder: builtin{model}, Glosser: glosser, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return cat
}

// TestSuiteVendors finds the operation of each need among those of all the
// documents, by language, and asks again without it: how well servable tells
// the two apart.
func TestSuiteVendors(t *testing.T) {
	needs := vendorNeeds(t)
	cat := vendors(t)
	t.Logf("%d operations of %d documents", len(cat.IDs()), len(vendorDocuments))
	for _, lang := range []string{"en", "ko", "ja"} {
		var tasks []Task
		for i, n := range needs {
			with, without := vendorScopes(t, cat, n)
			tasks = append(tasks, Task{ID: fmt.Sprint(i), Query: n.text[lang], Scope: with}, Task{ID: fmt.Sprint(i, " without"), Query: n.text[lang], Scope: without})
		}
		first, five, at := 0.0, 0.0, 0
		var with, without []float64
		if err := cat.Rank(context.Background(), tasks, 5, func(l Line) error {
			if at%2 == 1 {
				without = append(without, float64(l.Servable))
			} else {
				with = append(with, float64(l.Servable))
				place := slices.IndexFunc(l.Ranked, func(r Ranked) bool { return slices.Contains(needs[at/2].serves, r.Tool) })
				if place == 0 {
					first++
				}
				if place >= 0 {
					five++
				}
			}
			at++
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		n := float64(len(needs))
		t.Logf("%s: first five %.1f, first %.1f of %.0f (one standard error %.1f); served told from withdrawn: AUROC %.2f", lang, 100*five/n, 100*first/n, n, 100*math.Sqrt(five/n*(1-five/n)/n), area(with, without))
		if five == 0 || len(with) != len(without) {
			t.Errorf("%s: nothing was found", lang)
		}
	}
}

// vendorScopes gives the operations without as many strangers as serve a need,
// and without those that serve it.
func vendorScopes(t *testing.T, cat *Catalogue, n vendorNeed) (with, without Scope) {
	t.Helper()
	var serving []string
	for _, id := range cat.IDs() {
		if slices.Contains(n.serves, id) {
			serving = append(serving, id)
		} else {
			without = append(without, id)
		}
	}
	if len(serving) == 0 {
		t.Fatalf("%s is no operation of the documents", n.serves)
	}
	at := int(fold(n.serves[0]) % uint32(len(without)-len(serving)))
	return append(slices.Delete(slices.Clone(without), at, at+len(serving)), serving...), without
}

// area is the chance that one of the first is greater than one of the second.
func area(a, b []float64) float64 {
	sum := 0.0
	for _, x := range a {
		for _, y := range b {
			switch {
			case x > y:
				sum++
			case x == y:
				sum += 0.5
			}
		}
	}
	return sum / float64(len(a)*len(b))
}

package demo

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// Naive is the resolver that the demonstration runs beside the real one: it
// ranks wordings, cuts to the top few, and only then filters by version. When
// nothing compatible is left it takes the nearest. It is here to be watched
// failing, and nothing else calls it.
type Naive struct {
	scorer discover.Scorer
	embed  func(ctx context.Context, text string) ([]float32, error)
	view   *index.View
	rows   []naiveRow
}

type naiveRow struct{ version, path string }

// naiveTop is how many wordings it keeps.
const naiveTop = 3

// NewNaive ranks the wordings of 2.3.0 and 3.0.0 with the same evidence as the
// real resolver. embedder may be nil.
func NewNaive(ctx context.Context, embedder interlock.Embedder) (*Naive, error) {
	n := &Naive{scorer: discover.LexicalScorer(), embed: func(context.Context, string) ([]float32, error) { return nil, nil }}
	if embedder != nil {
		n.scorer = discover.HybridScorer(embedder.Name())
		n.embed = func(ctx context.Context, text string) ([]float32, error) {
			vs, err := embedder.Embed(ctx, []string{text})
			if err != nil {
				return nil, err
			}
			return vs[0], nil
		}
	}
	var docs []index.Doc
	for _, w := range []struct{ version, path, text string }{
		{"2.3.0", "/v2/extract", "Extract fields from a document"},
		{"3.0.0", "/v3/extract", "Extract structured fields from a document, returning a typed map keyed by field path"},
		{"3.0.0", "/v3/extract", "Extract structured fields from a document as a typed map keyed by field path, with warnings"},
		{"3.0.0", "/v3/extract", "Extract structured fields from any document as a typed map keyed by field path, tables included"},
	} {
		vector, err := n.embed(ctx, w.text)
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		docs = append(docs, index.Doc{Tool: len(docs), Name: "extract", Description: w.text, Vector: vector})
		n.rows = append(n.rows, naiveRow{w.version, w.path})
	}
	all := index.NewBitset(len(docs))
	for i := range docs {
		all.Set(i)
	}
	segment := index.Build(len(docs), docs, nil, func(int) []string { return nil })
	n.view = index.NewView([]*index.Segment{segment}, []index.Bitset{all})
	return n, nil
}

// pick gives what it would call for a need of a caller pinned to ^2.0.
func (n *Naive) pick(ctx context.Context, need string) (naiveRow, error) {
	vector, err := n.embed(ctx, need)
	if err != nil {
		return naiveRow{}, err
	}
	query := index.NewQuery(need, nil, [][]float32{vector})
	found := index.Search(n.view, query)
	ranks := n.scorer.Regime(query.Reading().Language).Ranks(found)
	slices.SortStableFunc(found, func(a, b index.Evidence) int { return cmp.Compare(ranks[b.Tool], ranks[a.Tool]) })
	top := found[:min(naiveTop, len(found))]
	for _, e := range top {
		if strings.HasPrefix(n.rows[e.Tool].version, "2.") {
			return n.rows[e.Tool], nil
		}
	}
	return n.rows[top[0].Tool], nil
}

// runNaive sends the needs of the rounds after the upgrade through the naive
// resolver, with the arguments of callers built against 2.x.
func (u *upgrade) runNaive(ctx context.Context) error {
	report := &NaiveReport{}
	u.naiveReport = report
	for tenant := range Tenants {
		for round := range rounds - rounds/2 {
			row, err := u.naive.pick(ctx, phrases[(tenant+round)%len(phrases)])
			if err != nil {
				return err
			}
			status, err := post(ctx, u.service.URL+row.path, arguments(tenant))
			if err != nil {
				return fmt.Errorf("demo: %w", err)
			}
			report.Calls++
			if !strings.HasPrefix(row.version, "2.") {
				report.Misroutes++
				if status >= 400 {
					report.Failed++
				}
			}
		}
	}
	report.Share = math.Round(1000*float64(report.Misroutes)/float64(report.Calls)) / 10
	return nil
}

func post(ctx context.Context, url string, body []byte) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	return resp.StatusCode, resp.Body.Close()
}

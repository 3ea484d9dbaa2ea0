package router

import (
	"context"
	"strings"
	"sync"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/index"
)

// maxKept bounds the prepared needs that are kept of one tenant.
const maxKept = 512

// maxKeptText bounds the text of a need that is kept, so that what is kept has
// a bound in bytes as well. A longer one is hardly asked twice.
const maxKeptText = 4 << 10

// needVectors prepares needs for search and keeps the last ones, per tenant: a
// cache shared wider would tell one tenant by its timing what another asked.
type needVectors struct {
	embedder interlock.Embedder
	glosser  interlock.Glosser
	mu       sync.Mutex // guards tenants
	tenants  map[string]*recent[string, index.Query]
}

func newNeedVectors(e interlock.Embedder, g interlock.Glosser) *needVectors {
	return &needVectors{embedder: e, glosser: g, tenants: map[string]*recent[string, index.Query]{}}
}

// query gives the need in the form that search reads.
func (n *needVectors) query(ctx context.Context, tenant string, need interlock.Need) (index.Query, error) {
	text := textOf(need)
	if q, ok := n.get(tenant, text); ok {
		return q, nil
	}
	q, err := index.Prepare(ctx, text, n.embedder, n.glosser)
	if err != nil {
		return index.Query{}, err
	}
	if len(text) <= maxKeptText {
		n.put(tenant, text, q)
	}
	return q, nil
}

// textOf is what is searched for: the need's words, or the names of the wanted
// fields.
func textOf(need interlock.Need) string {
	if strings.TrimSpace(need.Text) != "" {
		return need.Text
	}
	var names []string
	for _, w := range need.Want {
		names = append(names, strings.ReplaceAll(w.SemanticID, "_", " "))
	}
	return strings.Join(names, ", ")
}

func (n *needVectors) get(tenant, text string) (index.Query, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tenants[tenant] == nil {
		return index.Query{}, false
	}
	return n.tenants[tenant].get(text)
}

func (n *needVectors) put(tenant, text string, q index.Query) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tenants[tenant] == nil {
		n.tenants[tenant] = newRecent[string, index.Query](maxKept)
	}
	n.tenants[tenant].put(text, q)
}

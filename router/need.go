package router

import (
	"context"
	"strings"
	"sync"
	"time"

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
	wait     time.Duration // for the vector of a need; 0: as long as it takes
	mu       sync.Mutex    // guards tenants
	tenants  map[string]*recent[string, index.Query]
}

func newNeedVectors(o Options) *needVectors {
	return &needVectors{embedder: o.Embedder, glosser: o.Glosser, wait: o.NeedWait, tenants: map[string]*recent[string, index.Query]{}}
}

// query gives the need in the form that search reads: without a vector where
// none is asked for, or where none can be had in time. Such a one is not kept.
func (n *needVectors) query(ctx context.Context, tenant string, need interlock.Need, directed bool) (index.Query, error) {
	text, key := textOf(need), keyOf(need)
	if q, ok := n.get(tenant, key); ok {
		if !directed {
			q = q.Undirected()
		}
		return q, nil
	}
	if !directed && n.embedder != nil {
		return index.Prepare(ctx, text, need.Context, nil, n.glosser)
	}
	q, err := n.prepare(ctx, text, need.Context)
	if err != nil {
		if ctx.Err() != nil {
			return index.Query{}, ctx.Err()
		}
		return index.Prepare(ctx, text, need.Context, nil, n.glosser)
	}
	if len(key) <= maxKeptText {
		n.put(tenant, key, q)
	}
	return q, nil
}

// prepare waits for the vector of a need no longer than it may.
func (n *needVectors) prepare(ctx context.Context, text string, earlier []string) (index.Query, error) {
	if n.wait > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, n.wait)
		defer stop()
	}
	return index.Prepare(ctx, text, earlier, n.embedder, n.glosser)
}

// keyOf names a need by what is searched for and by what was said before it.
func keyOf(need interlock.Need) string {
	if earlier := index.Earlier(need.Context); earlier != "" {
		return textOf(need) + "\x00" + earlier
	}
	return textOf(need)
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

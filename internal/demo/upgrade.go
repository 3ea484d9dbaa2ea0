package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/seed-ae386458/interlock"
)

// Tenants is how many tenants keep calling through the upgrade.
const Tenants = 90

// rounds is how often each tenant calls: half of them before 3.0.0 comes.
const rounds = 6

// Router is what the demonstration needs of a router.
type Router interface {
	Add(ctx context.Context, by interlock.Principal, cfg interlock.SourceConfig) (interlock.AddReport, error)
	Resolve(ctx context.Context, who interlock.Principal, need interlock.Need) (interlock.Resolution, error)
	Call(ctx context.Context, who interlock.Principal, req interlock.CallRequest) (interlock.CallResult, error)
	Settle(ctx context.Context) error
}

// Report is what the upgrade came to.
type Report struct {
	Tenants      int          `json:"tenants"`
	Calls        int          `json:"calls"`
	Misroutes    int          `json:"misroutes"`
	Refusals     int          `json:"refusals"`
	ShadowEvents int          `json:"shadow_events"`
	Naive        *NaiveReport `json:"naive,omitempty"`
}

// NaiveReport is what a resolver that filters after truncation did with the
// same needs.
type NaiveReport struct {
	Calls     int     `json:"calls"`
	Misroutes int     `json:"misroutes"`
	Failed    int     `json:"failed"` // misrouted calls that the newer version refused
	Share     float64 `json:"share"`  // misroutes of calls after 3.0.0 came, percent
}

// phrases are how tenants say the same need. The last reads like the wording
// that 3.0.0 brings.
var phrases = []string{
	"Extract fields from a document",
	"extract named fields from the document",
	"get these fields out of a document",
	"read the fields of a document",
	"Extract fields from a document: invoice number and total",
	"Extract fields from a document as a typed map",
	"Extract structured fields from a document, typed map keyed by field path",
	"pull the fields I name from this document",
}

// Upgrade registers 2.3.0, lets every tenant call with `^2.0`, registers 3.0.0
// while they go on, and counts. say hears what happens, for people; naive may
// be nil.
func Upgrade(ctx context.Context, r Router, service *Service, naive *Naive, say func(string)) (Report, error) {
	dir, err := os.MkdirTemp("", "interlock-demo-")
	if err != nil {
		return Report{}, fmt.Errorf("demo: %w", err)
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a temporary folder of our own
	u := &upgrade{router: r, service: service, naive: naive, dir: dir}
	if err := u.register(ctx, "upgrade-2.3.0.yaml"); err != nil {
		return Report{}, err
	}
	say("document.extract 2.3.0 is registered; 90 tenants pinned to ^2.0 begin to call")
	if err := u.run(ctx, rounds/2); err != nil {
		return Report{}, err
	}
	say(fmt.Sprintf("%d calls so far, all to 2.3.0; now 3.0.0 comes, in three wordings, with a breaking schema", u.calls.Load()))
	registered := make(chan error, 1)
	go func() { registered <- u.register(ctx, "upgrade-3.0.0.yaml") }()
	err = u.run(ctx, rounds-rounds/2-1)
	if err := errors.Join(err, <-registered); err != nil {
		return Report{}, err
	}
	// However long that took, the last round meets both versions.
	if err := u.run(ctx, 1); err != nil {
		return Report{}, err
	}
	if naive != nil {
		say("the same needs through a resolver that cuts to the top three before it filters")
		if err := u.runNaive(ctx); err != nil {
			return Report{}, err
		}
	}
	return u.report(), nil
}

type upgrade struct {
	router                             Router
	service                            *Service
	naive                              *Naive
	dir                                string
	calls, refusals, shadows, misroute atomic.Int64
	naiveReport                        *NaiveReport
}

func (u *upgrade) report() Report {
	// A call that reached the newer service is a misroute whatever else was seen.
	misroutes := max(int(u.misroute.Load()), u.service.Hits("/v3/extract")-u.naiveHits())
	return Report{Tenants: Tenants, Calls: int(u.calls.Load()), Misroutes: misroutes, Refusals: int(u.refusals.Load()),
		ShadowEvents: int(u.shadows.Load()), Naive: u.naiveReport}
}

func (u *upgrade) naiveHits() int {
	if u.naiveReport == nil {
		return 0
	}
	return u.naiveReport.Misroutes
}

func (u *upgrade) register(ctx context.Context, name string) error {
	text, err := u.service.Manifest(name)
	if err != nil {
		return err
	}
	path := filepath.Join(u.dir, name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	report, err := u.router.Add(ctx, interlock.Local(), interlock.SourceConfig{Name: "docs", Kind: interlock.KindManifest, File: path})
	if err == nil {
		err = u.router.Settle(ctx) // what is compared finds by meaning too
	}
	if err == nil && len(report.Findings) > 0 {
		err = fmt.Errorf("demo manifest %s: %s %s", name, report.Findings[0].Pointer, report.Findings[0].Reason)
	}
	return err
}

// run lets every tenant call n times, all tenants at once.
func (u *upgrade) run(ctx context.Context, n int) error {
	var wg sync.WaitGroup
	errs := make(chan error, Tenants)
	for tenant := range Tenants {
		wg.Go(func() {
			for round := range n {
				if err := u.call(ctx, tenant, round); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

func principal(tenant int) interlock.Principal {
	name := fmt.Sprintf("tenant-%02d", tenant+1)
	return interlock.Principal{Name: name, Tenant: name, Allow: []string{"*"}}
}

// call is one tenant's resolve and call, as an agent built against 2.x makes
// it.
func (u *upgrade) call(ctx context.Context, tenant, round int) error {
	need := interlock.Need{Text: phrases[(tenant+round)%len(phrases)], Have: []string{"document", "fields"},
		Constraints: []interlock.Constraint{{Family: "document.extract", Range: "^2.0"}}}
	who := principal(tenant)
	// An offer ends when its tool changes, so an agent resolves once more.
	for range 3 {
		res, err := u.router.Resolve(ctx, who, need)
		if err != nil {
			return err
		}
		u.shadows.Add(int64(len(res.Events)))
		if res.Err() != nil {
			u.refusals.Add(1)
			return nil
		}
		if !strings.HasPrefix(res.Candidates[0].Version, "2.") {
			u.misroute.Add(1)
		}
		_, err = u.router.Call(ctx, who, interlock.CallRequest{Offer: res.Candidates[0].Offer, Args: arguments(tenant)})
		if interlock.ReasonOf(err) == interlock.ReasonFingerprintChanged {
			continue
		}
		u.calls.Add(1)
		return err
	}
	return fmt.Errorf("demo: the tool of tenant %d kept changing", tenant)
}

func arguments(tenant int) []byte {
	raw, _ := json.Marshal(map[string]any{ // strings always marshal
		"document": fmt.Sprintf("invoice: %d\ntotal: %d EUR", 1000+tenant, 10*tenant),
		"fields":   []string{"invoice", "total"},
	})
	return raw
}

// Package router is the front door of the Go library and holds the order of the
// stages: a need goes snapshot → eligible → discover → fit → dispose →
// disclose, a call goes recheck → invoke → validate → project → receipt. It
// promises that there is no other road, and that a result is released only
// after its receipt is written. It refuses to start with anything missing.
//
//	r, err := router.New(ctx, router.Options{Store: store, Openers: openers, …})
//	defer r.Close()
//	answer, err := r.Resolve(ctx, interlock.Local(), interlock.Need{Text: "…"})
//	result, err := r.Call(ctx, who, interlock.CallRequest{Offer: answer.Candidates[0].Offer, Args: args})
package router

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/approval"
	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/execute/invoke"
	"github.com/seed-ae386458/interlock/internal/execute/project"
	"github.com/seed-ae386458/interlock/internal/execute/recheck"
	"github.com/seed-ae386458/interlock/internal/execute/validate"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/disclose"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/explain"
	"github.com/seed-ae386458/interlock/internal/resolve/fit"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/receipt"
)

// Options of a router.
type Options struct {
	Store   interlock.Store             // required; the router does not close it
	Openers map[string]interlock.Opener // by kind of source; required
	Keys    receipt.Keys                // of the log and of offers; required
	Logger  *slog.Logger                // required
	Clock   func() time.Time            // required
	Random  io.Reader                   // required: salts, ids and approvals
	// Secrets reads the references of sources, so that one whose secrets changed
	// is opened anew; nil looks at none.
	Secrets interlock.Secrets
	// Embedder adds meaning to terms; nil: discovery is lexical alone.
	Embedder interlock.Embedder
	// NeedWait bounds the wait for the vector of a need. One that cannot be had
	// by then is searched for by its words. 0 is as long as it takes, which is
	// right for an embedder in this process.
	NeedWait time.Duration
	// Calibration is what calibrate wrote of this catalogue; empty is nothing. One
	// that was made for another scorer is refused.
	Calibration []byte
	// Reranker orders the first tools that may be used; nil leaves their order
	// to the scorer.
	Reranker interlock.Reranker
	// RerankFirst is how many it orders; default 20, at most 100.
	RerankFirst int
	// RerankWait bounds the wait for it; default 500 ms. The order of the scorer
	// serves where it has not answered by then.
	RerankWait time.Duration
	// Glosser gives English words for needs and tools in other languages; may be nil.
	Glosser interlock.Glosser
	// Tokens counts a text's tokens; required.
	Tokens func(text string) int
	// Tokenizers count them as consumers do that say so, by name. Tokens counts
	// where none is said, and stands for interlock.DefaultTokenizer.
	Tokenizers map[string]func(text string) int
	// OfferLife is how long an offer holds; default 15 minutes.
	OfferLife time.Duration
	// ApprovalLife is how long an approval may be granted and used; default 10
	// minutes.
	ApprovalLife time.Duration
	// Policies decide what principals other than the operator may do; nil
	// leaves it to their own lists.
	Policies *policy.Set
	// Drift says how much of a tool's behaviour may leave its documentation
	// before the tool is rejected.
	Drift drift.Policy
	// InsensitiveReads lets callers say that for a read it does not matter how
	// the tool behaves.
	InsensitiveReads bool
	// Progress hears how many of how many tools have their vector; may be nil.
	Progress func(done, total int)
	// Seen keeps the last checkpoint of the log outside the store, so that a
	// store that is put back is noticed; nil notices nothing.
	Seen *receipt.Seen
	// Restored says who put the store back to an earlier state on purpose; the
	// log states it and goes on from there. Empty is nobody.
	Restored string
	// Witnesses are those who sign checkpoints of the log beside its own key.
	Witnesses receipt.WitnessPolicy
	// Asked hears each need that is answered with an offer, as its JSON, before
	// its caller hears the answer; nil keeps none. The log itself holds digests.
	Asked func(need []byte)
	// Pruning hears how many of how many entries retention has dropped; may be
	// nil.
	Pruning func(done, total int64)
}

const (
	defaultOfferLife   = 15 * time.Minute
	defaultRerankFirst = 20
	maxRerankFirst     = 100
	defaultRerankWait  = 500 * time.Millisecond
)

func (o Options) withDefaults() Options {
	if o.OfferLife == 0 {
		o.OfferLife = defaultOfferLife
	}
	if o.RerankFirst <= 0 {
		o.RerankFirst = defaultRerankFirst
	}
	o.RerankFirst = min(o.RerankFirst, maxRerankFirst)
	if o.RerankWait <= 0 {
		o.RerankWait = defaultRerankWait
	}
	return o
}

func (o Options) validate() error {
	if o.Store == nil || len(o.Openers) == 0 || o.Logger == nil || o.Clock == nil || o.Random == nil || o.Tokens == nil {
		return errors.New("router: store, openers, logger, clock, random and token count are required")
	}
	if err := o.Witnesses.Validate(); err != nil {
		return fmt.Errorf("router: %w", err)
	}
	return nil
}

// Router resolves needs and makes calls over one registry. It is safe for
// concurrent use.
type Router struct {
	opts    Options
	reg     *registry.Registry
	keeper  *snapshot.Keeper
	desk    *approval.Desk
	log     *receipt.Log
	pool    *invoke.Pool
	checker recheck.Checker
	sender  invoke.Sender
	scorer  discover.Scorer // by words and vectors, where there is an embedder
	lexical discover.Scorer // by words alone
	needs   *needVectors
	taught  teaching
	answers *answers
	access  *access
	judge   *judge
	unread  unread
}

// New opens the registry and the log of the store and compiles the first
// snapshot.
func New(ctx context.Context, opts Options) (*Router, error) {
	if err := opts.validate(); err != nil {
		return nil, err
	}
	opts = opts.withDefaults()
	r := &Router{opts: opts, pool: invoke.NewPool(opts.Openers, opts.Secrets, opts.Clock), needs: newNeedVectors(opts), answers: newAnswers(), access: newAccess(), judge: newJudge(opts), unread: unread{of: map[string]interlock.SourceInfo{}}}
	r.scorer, r.lexical = discover.NewScorer(opts.Embedder, opts.Glosser), discover.NewScorer(nil, opts.Glosser)
	for _, step := range []func(context.Context) error{r.openLog, r.openRegistry, r.openStages, r.openJudge, r.openCalibration} {
		if err := step(ctx); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	return r, nil
}

func (r *Router) openRegistry(ctx context.Context) (err error) {
	if r.reg, err = registry.Open(ctx, r.opts.Store); err != nil {
		return err
	}
	r.keeper, err = snapshot.NewKeeper(ctx, r.reg, snapshot.Options{Embedder: r.opts.Embedder, Glosser: r.opts.Glosser, Vectors: r.opts.Store, Logger: r.opts.Logger, Progress: r.opts.Progress, Policies: r.opts.Policies})
	return err
}

func (r *Router) openStages(context.Context) (err error) {
	if r.desk, err = approval.NewDesk(r.opts.Store, approval.Options{Clock: r.opts.Clock, Random: r.opts.Random, Life: r.opts.ApprovalLife}); err != nil {
		return err
	}
	r.checker = recheck.Checker{Keeper: r.keeper, Offers: r.opts.Keys.OfferSecrets(), Desk: r.desk, Clock: r.opts.Clock, Insensitive: r.opts.InsensitiveReads}
	r.sender = invoke.Sender{Pool: r.pool, Config: r.config}
	return errors.Join(r.checker.Validate(), r.sender.Validate())
}

// Close ends the sources' connections and flushes the log.
func (r *Router) Close() error {
	r.taught.close()
	r.keeper.Close()
	errs := []error{r.pool.Close()}
	r.judge.close()
	if r.log != nil {
		r.settleAccess()
		errs = append(errs, r.log.Close())
	}
	return errors.Join(errs...)
}

// Resolve answers a need. A refusal is an answer; an error means that the need
// is malformed or that the machinery failed.
func (r *Router) Resolve(ctx context.Context, who interlock.Principal, need interlock.Need) (interlock.Resolution, error) {
	if err := checkNeed(need); err != nil {
		return interlock.Resolution{}, err
	}
	if r.counter(need.Budget.Tokenizer) == nil {
		known := slices.Sorted(maps.Keys(r.opts.Tokenizers))
		return interlock.Resolution{}, badNeed("/budget/tokenizer", fmt.Sprintf("Known tokenizers are %s.", strings.Join(append([]string{interlock.DefaultTokenizer}, known...), ", ")))
	}
	text, err := interlock.Marshal(need)
	if err != nil {
		return interlock.Resolution{}, fmt.Errorf("resolve: %w", err)
	}
	frozen := snapshot.Take(r.keeper, who)
	expires := r.opts.Clock().Add(r.opts.OfferLife)
	asked := askedOf(text)
	if need.Explain {
		asked = askedFor{} // an explanation is read once
	}
	resolution, ok := r.answers.get(frozen, asked)
	if ok && resolution.Scorer == r.fullName(frozen) {
		err = r.renew(frozen, resolution, expires)
	} else if resolution, err = r.resolve(ctx, frozen, need, expires); err == nil && resolution.Scorer == r.fullName(frozen) {
		r.answers.put(frozen, asked, resolution)
	}
	if err != nil {
		return interlock.Resolution{}, err
	}
	return resolution, r.noteResolve(ctx, who, text, resolution)
}

// counter gives what counts tokens for a consumer; nil where nothing does.
func (r *Router) counter(tokenizer string) func(string) int {
	if tokenizer == "" || tokenizer == interlock.DefaultTokenizer {
		return r.opts.Tokens
	}
	return r.opts.Tokenizers[tokenizer]
}

// resolve takes a need through the stages.
func (r *Router) resolve(ctx context.Context, frozen snapshot.Frozen, need interlock.Need, expires time.Time) (interlock.Resolution, error) {
	query, err := r.needs.query(ctx, frozen.Who().Tenant, need, frozen.View().Scorer != "")
	if err != nil {
		return interlock.Resolution{}, fmt.Errorf("resolve: %w", err)
	}
	scorer := r.lexical
	if query.Directed() {
		scorer = r.scorerOf(frozen)
	}
	set, err := eligible.Part(frozen, need)
	if err != nil {
		return interlock.Resolution{}, err
	}
	list, err := discover.Rank(set, need, query, scorer)
	if err != nil {
		return interlock.Resolution{}, err
	}
	defer list.Release()
	if list, err = r.rerank(ctx, list, need); err != nil {
		return interlock.Resolution{}, fmt.Errorf("resolve: %w", err)
	}
	fits, err := fit.Match(list, need)
	if err != nil {
		return interlock.Resolution{}, err
	}
	answer, err := dispose.Decide(fits, need)
	if err != nil {
		return interlock.Resolution{}, err
	}
	res, err := disclose.Bound(answer, need, disclose.Options{Tokens: r.counter(need.Budget.Tokenizer),
		Seal: func(t *snapshot.Tool) string { return r.checker.Seal(frozen.Who(), t, expires) }})
	if err == nil && need.Explain {
		res.Explanation, err = explain.Tell(answer, need, res)
	}
	return res, err
}

// scorerOf gives what scores a view: by words alone while its vectors are made.
func (r *Router) scorerOf(f snapshot.Frozen) discover.Scorer {
	if f.View().Scorer == "" {
		return r.lexical
	}
	scorer := r.scorer
	if taught := r.taught.scorer.Load(); taught != nil {
		scorer = *taught
	}
	a, aligns := r.opts.Embedder.(interlock.Aligner)
	if !aligns {
		return scorer
	}
	scale, shift, known := a.Alignment()
	if !known {
		return r.lexical
	}
	return scorer.Aligned(scale, shift)
}

// fullName is the scorer of an answer for which all was there that could be: such
// a one can be kept.
func (r *Router) fullName(f snapshot.Frozen) string {
	name := r.scorerOf(f).Name
	if r.opts.Reranker != nil {
		name += "+" + r.opts.Reranker.Name()
	}
	return name
}

// rerank lets the reranker order a list, where there is one and as long as it
// may take.
func (r *Router) rerank(ctx context.Context, list discover.List, need interlock.Need) (discover.List, error) {
	if r.opts.Reranker == nil {
		return list, nil
	}
	bounded, stop := context.WithTimeout(ctx, r.opts.RerankWait)
	defer stop()
	list, err := list.Rerank(bounded, textOf(need), r.opts.Reranker, r.opts.RerankFirst)
	if err != nil && ctx.Err() != nil {
		return list, ctx.Err()
	}
	return list, nil
}

// Settle waits until every tool has its vector, or until no more can be had for
// now. Nothing else needs it: what has none is found by its words meanwhile.
func (r *Router) Settle(ctx context.Context) error {
	if err := r.keeper.Settled(ctx); err != nil {
		return err
	}
	return r.taught.settled(ctx)
}

// Call makes one call, or refuses it with an *interlock.Error. The receipt is
// written before the result is given.
func (r *Router) Call(ctx context.Context, who interlock.Principal, req interlock.CallRequest) (interlock.CallResult, error) {
	rec, err := r.record(who, req)
	if err != nil {
		return interlock.CallResult{}, err
	}
	clearance, err := recheck.Allow(ctx, &r.checker, who, req)
	if err != nil {
		return interlock.CallResult{}, rec.refused(ctx, err)
	}
	began := r.opts.Clock()
	sent, err := invoke.Do(ctx, &r.sender, clearance, rec.intend)
	now := r.opts.Clock()
	rec.observe(clearance, drift.Exchange{Args: clearance.Args(), Reply: sent.Reply(), Failure: err, Took: now.Sub(began), At: now})
	if err != nil {
		return interlock.CallResult{}, rec.failed(ctx, clearance, rec.documented(sent.Reply().Status, err))
	}
	checked, err := validate.Result(sent)
	if err != nil {
		return interlock.CallResult{}, rec.failed(ctx, clearance, err)
	}
	shown, err := project.Fields(checked)
	if err != nil {
		return interlock.CallResult{}, rec.failed(ctx, clearance, err)
	}
	return rec.release(ctx, shown)
}

func size(texts []string) int {
	n := 0
	for _, t := range texts {
		n += len(t)
	}
	return n
}

func badNeed(pointer, public string) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "resolve", Public: public, Pointer: pointer}
}

// checkNeed refuses a need that asks for nothing or is out of bounds.
func checkNeed(need interlock.Need) error {
	bad := badNeed
	switch {
	case need.Text == "" && len(need.Want) == 0:
		return bad("/need", "Say what is needed, in any language, or list the wanted fields in want.")
	case len(need.Text) > interlock.MaxNeedBytes:
		return bad("/need", fmt.Sprintf("The need is over %d bytes.", interlock.MaxNeedBytes))
	case len(need.Context) > interlock.MaxContext || size(need.Context) > interlock.MaxNeedBytes:
		return bad("/context", fmt.Sprintf("The earlier turns are over %d, or over %d bytes.", interlock.MaxContext, interlock.MaxNeedBytes))
	case need.K < 0 || need.K > interlock.MaxK:
		return bad("/k", fmt.Sprintf("k lies between 1 and %d.", interlock.MaxK))
	case need.Budget.Calls < 0 || need.Budget.SchemaBytes < 0 || need.Budget.Tokens < 0:
		return bad("/budget", "A budget is not negative.")
	}
	for i, e := range need.Effects {
		if _, err := interlock.ParseEffect(string(e)); err != nil || e == interlock.EffectUnknown {
			return bad(fmt.Sprintf("/effects/%d", i), "An effect is read, write or destructive.")
		}
	}
	for i, w := range need.Want {
		if w.SemanticID == "" {
			return bad(fmt.Sprintf("/want/%d/semantic_id", i), "A wanted field has a semantic id.")
		}
	}
	return nil
}

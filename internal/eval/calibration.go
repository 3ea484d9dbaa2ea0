package eval

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/resolve/discover"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

// Match is a request and the tools that were accepted for it; none where nothing
// serves it.
type Match = discover.Match

// Confirmation is what a calibration attains on the matches that it did not
// learn from. Shares are of 1.
type Confirmation struct {
	Learned     int     `json:"learned"`   // matches of the calibration part
	Confirmed   int     `json:"confirmed"` // of the confirmation part
	Unserved    int     `json:"unserved"`  // requests that nothing serves, in the confirmation part
	Empty       int     `json:"empty"`     // requests that nothing serves, in both
	Before      Recall  `json:"before"`
	After       Recall  `json:"after"`
	Point       float64 `json:"point"`        // a request counts as served from here on
	FalseRefuse float64 `json:"false_refuse"` // of the served
	FalseAccept float64 `json:"false_accept"` // of the unserved, and of those whose tools were taken out
	Error       float64 `json:"error"`        // expected calibration error of the probability
	Bins        []Bin   `json:"bins"`         // its reliability
}

// Recall is how often the right tool is first and among the first five.
type Recall struct {
	First float64 `json:"first"`
	Five  float64 `json:"five"`
}

// Bin is what came of the requests of one tenth of the probability.
type Bin struct {
	Requests int     `json:"requests"`
	Said     float64 `json:"said"`  // mean probability
	Found    float64 `json:"found"` // share that was served
}

// refused is the share of the calibration part that the operating point may
// refuse wrongly.
const refused = 0.05

// leastFit is how many right first matches anchors of a kind of language are
// read off from, and how many requests a gate is fitted on.
const leastFit = 40

// Calibrate learns from accepted matches. Three in ten of them, by hash of what
// they ask for, are kept apart: nothing is chosen by them, and what is learned
// from the others is scored on them. The calibration itself keeps all as
// precedents.
func (c *Catalogue) Calibrate(ctx context.Context, matches []Match) (discover.Calibration, Confirmation, error) {
	if c.opts.Embedder == nil {
		return discover.Calibration{}, Confirmation{}, errors.New("calibration needs an embedder: precedents are told by meaning")
	}
	rows, err := c.rows(ctx, matches)
	if err != nil {
		return discover.Calibration{}, Confirmation{}, err
	}
	learn, confirm := parted(rows)
	cal := discover.Calibration{Name: discover.CalibrationForm, Scorer: c.scorer.Name, Matches: []Match{}}
	report := Confirmation{Learned: len(served(learn)), Confirmed: len(served(confirm)), Unserved: len(confirm) - len(served(confirm)), Empty: len(rows) - len(served(rows)), Bins: []Bin{}}
	trial := *c
	if err := trial.fit(ctx, &cal, learn); err != nil {
		return cal, report, err
	}
	if err := trial.confirm(ctx, &report, cal, learn, confirm); err != nil {
		return cal, report, err
	}
	for _, r := range rows {
		if len(r.Tools) > 0 {
			cal.Matches = append(cal.Matches, r.Match)
		}
	}
	cal.Confirmation, err = json.Marshal(report)
	return cal, report, err
}

// row is a match with the vector of its request and what it asks for.
type row struct {
	Match
	vector  []float32
	cluster string
}

// rows keeps the matches whose tools are in the catalogue, and those of nothing.
func (c *Catalogue) rows(ctx context.Context, matches []Match) ([]row, error) {
	known := map[string]bool{}
	for _, id := range c.ids {
		known[id] = true
	}
	var out []row
	var texts []string
	for _, m := range matches {
		kept := Match{Query: m.Query, Tools: []string{}}
		for _, id := range m.Tools {
			if known[id] {
				kept.Tools = append(kept.Tools, id)
			}
		}
		if strings.TrimSpace(m.Query) == "" || len(kept.Tools) == 0 && len(m.Tools) > 0 {
			continue
		}
		out = append(out, row{Match: kept, cluster: clusterOf(m.Query)})
		texts = append(texts, m.Query)
	}
	if len(out) == 0 {
		return nil, nil
	}
	vectors, err := c.opts.Embedder.Embed(ctx, texts)
	if err != nil {
		return nil, err
	}
	for i := range out {
		out[i].vector = vectors[i]
	}
	return out, nil
}

// clusterOf is what a request asks for: its words without values and spelling.
// Requests that differ in a value alone never part.
func clusterOf(text string) string {
	return strings.Join(words.Tokens(words.Read(text).Bare), " ")
}

// parted splits by cluster, so that the same request always falls to the same
// part.
func parted(rows []row) (learn, confirm []row) {
	for _, r := range rows {
		if sum := sha256.Sum256([]byte("interlock/confirmation/1\x00" + r.cluster)); sum[0]%10 < 3 {
			confirm = append(confirm, r)
		} else {
			learn = append(learn, r)
		}
	}
	return learn, confirm
}

func served(rows []row) []row {
	return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return len(r.Tools) == 0 })
}

// teach gives the scorer these matches as precedents, those of one cluster left
// out.
func (c *Catalogue) teach(rows []row, without string) {
	p := &discover.Precedents{}
	for _, r := range rows {
		if r.cluster != without && len(r.Tools) > 0 {
			p.Add(r.vector, r.Tools)
		}
	}
	c.scorer.Precedents = p
}

// tried is what came of one request.
type tried struct {
	at       int     // place of the first right tool; -1 for none
	level    float64 // of the first tool, on the evidence scale
	servable float64
	said     discover.Relevance
	english  bool
}

// try answers a request, its right tools taken out where that is asked for.
func (c *Catalogue) try(ctx context.Context, r row, without bool) (tried, error) {
	who := interlock.Local()
	if without {
		who = interlock.Principal{Name: "without", Tenant: interlock.SharedTenant, Allow: []string{"*"}, Deny: r.Tools}
	}
	answer, err := c.answer(ctx, snapshot.Take(c.keeper, who), interlock.Need{Text: r.Query})
	if err != nil {
		return tried{}, err
	}
	list := answer.Result().List()
	t := tried{at: -1, level: list.Standing().Level, said: list.Relevance(), servable: float64(answer.Servable()), english: words.LanguageOf(r.Query) == words.English}
	for i, x := range ranked(answer, MaxRanked) {
		if slices.Contains(r.Tools, x.Tool) {
			t.at = i
			break
		}
	}
	return t, nil
}

// both tries a request as it stands and, where something serves it, with its
// tools taken out; labels say which were served.
func (c *Catalogue) both(ctx context.Context, r row) (out []tried, labels []bool, err error) {
	one, err := c.try(ctx, r, false)
	if err != nil {
		return nil, nil, err
	}
	out, labels = []tried{one}, []bool{len(r.Tools) > 0}
	if len(r.Tools) > 0 {
		two, err := c.try(ctx, r, true)
		if err != nil {
			return nil, nil, err
		}
		out, labels = append(out, two), append(labels, false)
	}
	return out, labels, nil
}

// fit chooses anchors, gate and operating point on the calibration part. Each
// request is tried with the precedents of the others.
func (c *Catalogue) fit(ctx context.Context, cal *discover.Calibration, learn []row) error {
	var levels [2][]float64
	var all []tried
	var said []float64
	var label []bool
	for _, r := range learn {
		c.teach(learn, r.cluster)
		ts, labels, err := c.both(ctx, r)
		if err != nil {
			return err
		}
		for i, t := range ts {
			all, said, label = append(all, t), append(said, t.servable), append(label, labels[i])
		}
		if kind := kindOf(ts[0]); ts[0].at == 0 {
			levels[kind] = append(levels[kind], ts[0].level)
		}
	}
	for kind, to := range []**discover.Anchors{&cal.Latin, &cal.Other} {
		if len(levels[kind]) >= leastFit {
			a := discover.Between(quantileOf(levels[kind], 0.05), quantileOf(levels[kind], 0.5))
			*to = &a
		}
	}
	if len(said) >= 2*leastFit {
		cal.Gate, _ = gateOf(said, label)
		cal.Reranked = rerankedOf(all, label)
	}
	cal.Point = pointOf(*cal, all, label)
	return nil
}

// moved is the probability of a request as a calibration has it.
func (t tried) moved(cal discover.Calibration) float64 {
	if cal.Reranked != nil && cal.Reranked.Reranker == t.said.By {
		return cal.Reranked.Move(t.servable, t.said.Best)
	}
	return cal.Gate.Move(t.servable)
}

func kindOf(t tried) int {
	if t.english {
		return 0
	}
	return 1
}

// pointOf is the probability that refuses no more of the served than it may.
func pointOf(cal discover.Calibration, all []tried, label []bool) float64 {
	var served []float64
	for i, t := range all {
		if label[i] {
			served = append(served, t.moved(cal))
		}
	}
	return discover.Round(quantileOf(served, refused))
}

// confirm scores what was learned on the part that was kept apart.
func (c *Catalogue) confirm(ctx context.Context, report *Confirmation, cal discover.Calibration, learn, confirm []row) error {
	report.Point = cal.Point
	c.scorer.Precedents = nil
	before, err := c.recall(ctx, served(confirm))
	if err != nil {
		return err
	}
	c.teach(learn, "\x00")
	if report.After, err = c.recall(ctx, served(confirm)); err != nil {
		return err
	}
	report.Before = before
	var said []float64
	var label []bool
	for _, r := range confirm {
		ts, labels, err := c.both(ctx, r)
		if err != nil {
			return err
		}
		for i, t := range ts {
			said, label = append(said, t.moved(cal)), append(label, labels[i])
		}
	}
	report.judge(said, label)
	return nil
}

func (c *Catalogue) recall(ctx context.Context, rows []row) (out Recall, err error) {
	for _, r := range rows {
		t, err := c.try(ctx, r, false)
		if err != nil {
			return out, err
		}
		if t.at == 0 {
			out.First++
		}
		if t.at >= 0 && t.at < 5 {
			out.Five++
		}
	}
	n := math.Max(1, float64(len(rows)))
	return Recall{discover.Round(out.First / n), discover.Round(out.Five / n)}, nil
}

// judge counts what was said against what was so.
func (r *Confirmation) judge(said []float64, label []bool) {
	bins := make([]Bin, 10)
	var wrong [2]float64
	var all [2]float64
	for i, p := range said {
		b := &bins[min(int(p*10), 9)]
		b.Requests++
		b.Said += p
		kind := 0
		if label[i] {
			b.Found++
			kind = 1
		}
		all[kind]++
		if (p >= r.Point) != label[i] {
			wrong[kind]++
		}
	}
	for _, b := range bins {
		if b.Requests == 0 {
			continue
		}
		n := float64(b.Requests)
		r.Error += math.Abs(b.Said-b.Found) / float64(len(said))
		r.Bins = append(r.Bins, Bin{b.Requests, discover.Round(b.Said / n), discover.Round(b.Found / n)})
	}
	r.Error = discover.Round(r.Error)
	r.FalseAccept = discover.Round(wrong[0] / math.Max(1, all[0]))
	r.FalseRefuse = discover.Round(wrong[1] / math.Max(1, all[1]))
}

// gateOf fits a line through log-odds by maximum likelihood, drawn a little to
// leaving them as they are, and gives how likely it makes what was so; nil where it
// would turn them round.
func gateOf(said []float64, label []bool) (*discover.Gate, float64) {
	odds := make([]float64, len(said))
	for i, p := range said {
		odds[i] = logit(p)
	}
	at, best := lineOf(odds, label)
	if !at.rises() {
		return nil, best
	}
	return &discover.Gate{Slope: discover.Round(at.slope), Bias: discover.Round(at.bias)}, best
}

func logit(p float64) float64 {
	p = min(max(p, 1e-4), 1-1e-4)
	return math.Log(p / (1 - p))
}

// lineOf fits a line by Newton's method and gives how likely it makes what was
// so.
func lineOf(odds []float64, label []bool) (at line, best float64) {
	const steps = 100
	at = line{1, 0}
	best = at.likelihood(odds, label)
	for range steps {
		step := at.newton(odds, label)
		next, much := at, 1.0
		for ; much > 1e-6; much /= 2 { // a step that goes too far is halved
			next = line{at.slope + much*step.slope, at.bias + much*step.bias}
			if l := next.likelihood(odds, label); l > best {
				best = l
				break
			}
		}
		if much <= 1e-6 {
			break
		}
		at = next
	}
	return at, best
}

// rises reports that the line is one, and does not turn log-odds round.
func (l line) rises() bool { return l.slope >= 0.01 && !math.IsNaN(l.bias) }

// rerankedOf fits a line through log-odds and what the reranker said of its
// best, in units of its spread: the share that makes what was so likeliest is
// looked for among few. It is nil where too few were asked, where the reranker
// says the same of all, where what it says makes nothing likelier, or where its
// numbers are such that no calibration could hold the line.
func rerankedOf(all []tried, label []bool) *discover.RerankedGate {
	var odds, best []float64
	var so []bool
	name := ""
	for i, t := range all {
		if t.said.By != "" {
			name = t.said.By
			odds, best, so = append(odds, logit(t.servable)), append(best, t.said.Best), append(so, label[i])
		}
	}
	mean, spread := spreadOf(best)
	if len(odds) < 2*leastFit || spread == 0 {
		return nil
	}
	_, least := lineOf(odds, so)
	var out *discover.RerankedGate
	for share := 0.1; share < 50; share *= 1.25 {
		x := make([]float64, len(odds))
		for i := range x {
			x[i] = odds[i] + share*(best[i]-mean)/spread
		}
		at, likely := lineOf(x, so)
		if !at.rises() || likely <= least {
			continue
		}
		unit := figures(at.slope * share / spread)
		gate := &discover.RerankedGate{Reranker: name, Gate: discover.Gate{Slope: discover.Round(at.slope), Bias: discover.Round(at.bias - unit*mean)}, Relevance: unit}
		if gate.Sound() {
			least, out = likely, gate
		}
	}
	return out
}

// figures rounds to seven figures: what a number is counted in is the reranker's
// own, so that no count of decimals fits it.
func figures(x float64) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 6, 64), 64)
	if err != nil {
		return x
	}
	return out
}

func spreadOf(xs []float64) (mean, spread float64) {
	for _, x := range xs {
		mean += x / float64(len(xs))
	}
	for _, x := range xs {
		spread += (x - mean) * (x - mean) / float64(len(xs))
	}
	return mean, math.Sqrt(spread)
}

// line is a gate while it is fitted. Its pull towards leaving log-odds as they
// are weighs as much as one request.
type line struct{ slope, bias float64 }

func (l line) likelihood(odds []float64, label []bool) float64 {
	sum := -((l.slope-1)*(l.slope-1) + l.bias*l.bias) / 2
	for i, x := range odds {
		z := l.slope*x + l.bias
		if !label[i] {
			z = -z
		}
		if z < -30 {
			sum += z
		} else {
			sum -= math.Log1p(math.Exp(-z))
		}
	}
	return sum
}

// newton is the step to where the likelihood would be greatest if it were a
// parabola.
func (l line) newton(odds []float64, label []bool) line {
	ga, gb, haa, hab, hbb := 1-l.slope, -l.bias, 1.0, 0.0, 1.0
	for i, x := range odds {
		q, y := 1/(1+math.Exp(-(l.slope*x+l.bias))), 0.0
		if label[i] {
			y = 1
		}
		ga, gb = ga+(y-q)*x, gb+(y-q)
		w := q * (1 - q)
		haa, hab, hbb = haa+w*x*x, hab+w*x, hbb+w
	}
	det := haa*hbb - hab*hab
	return line{(hbb*ga - hab*gb) / det, (haa*gb - hab*ga) / det}
}

func quantileOf(xs []float64, p float64) float64 {
	if len(xs) == 0 {
		return 0
	}
	xs = slices.Sorted(slices.Values(xs))
	return xs[min(int(p*float64(len(xs))), len(xs)-1)]
}

// Use lets the catalogue rank by a calibration as well.
func (c *Catalogue) Use(ctx context.Context, text []byte) error {
	cal, digest, err := discover.ReadCalibration(text)
	if err != nil {
		return err
	}
	texts := make([]string, len(cal.Matches))
	for i, m := range cal.Matches {
		texts[i] = m.Query
	}
	var vectors [][]float32
	if len(texts) > 0 && c.opts.Embedder != nil {
		if vectors, err = c.opts.Embedder.Embed(ctx, texts); err != nil {
			return err
		}
	}
	c.scorer, err = c.scorer.Calibrated(cal, digest, vectors)
	return err
}

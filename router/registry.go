package router

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/registry"
	"github.com/seed-ae386458/interlock/internal/resolve/eligible"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/receipt"
)

// sourceName is what a source may be called: it stands in tool names and
// addresses.
var sourceName = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$`)

// Add reads a source and publishes it, replacing the one of its name whole, on
// record as by's doing. An empty name is taken from what the source calls itself.
func (r *Router) Add(ctx context.Context, by interlock.Principal, cfg interlock.SourceConfig) (interlock.AddReport, error) {
	named := cfg.Name
	if named == "" {
		cfg.Name = "unnamed"
	}
	cat, err := r.read(ctx, cfg)
	if err != nil {
		return interlock.AddReport{}, err
	}
	if named == "" {
		cfg.Name = cat.Source
	}
	if !sourceName.MatchString(cfg.Name) {
		return interlock.AddReport{}, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest",
			Public: fmt.Sprintf("A source's name has letters, digits, dots, underscores and hyphens, 64 at most, and %q does not; give one with --name.", cfg.Name)}
	}
	return r.publish(ctx, by, cfg, cat, registry.ByOperator)
}

// Refresh reads a registered source again, over the connection that its calls
// use. One that does not answer stays as it is; MarkDown is for whoever has
// waited long enough.
func (r *Router) Refresh(ctx context.Context, name string) (interlock.AddReport, error) {
	cfg, ok := r.config(name)
	if !ok {
		return interlock.AddReport{}, noSource(name)
	}
	cat, err := r.pool.Read(ctx, cfg)
	if err != nil {
		return interlock.AddReport{}, err
	}
	return r.publish(ctx, interlock.Local(), cfg, cat, registry.ByRefresh)
}

// Reread reads a registered source over a connection of its own and gives what
// it says beside what is stored of it. It changes nothing.
func (r *Router) Reread(ctx context.Context, name string) (interlock.Reread, error) {
	cfg, ok := r.config(name)
	if !ok {
		return interlock.Reread{}, noSource(name)
	}
	out := interlock.Reread{Stored: []interlock.Operation{}, Now: []interlock.Operation{}}
	for _, t := range r.reg.State().Tools {
		if t.Source == name && t.State != interlock.StateRetired {
			out.Stored = append(out.Stored, t.Operation)
		}
	}
	cat, err := r.read(ctx, cfg)
	if err != nil {
		return interlock.Reread{}, err
	}
	out.Now = append(out.Now, cat.Operations...)
	return out, nil
}

// MarkDown notes that a source does not answer, and why: its tools stay listed
// and are unavailable until it is read again.
func (r *Router) MarkDown(ctx context.Context, name, why string) error {
	return r.reg.SetDown(ctx, name, why)
}

// read opens a source that may not be registered yet, and reads it once.
func (r *Router) read(ctx context.Context, cfg interlock.SourceConfig) (interlock.Catalogue, error) {
	source, err := r.opts.open(cfg)
	if err != nil {
		return interlock.Catalogue{}, err
	}
	defer source.Close() //nolint:errcheck // a reader's connection; what it read is in hand
	return source.Catalogue(ctx)
}

func (r *Router) publish(ctx context.Context, by interlock.Principal, cfg interlock.SourceConfig, cat interlock.Catalogue, manner registry.Manner) (interlock.AddReport, error) {
	before := r.reg.State().Generation
	report, err := r.reg.Publish(ctx, cfg, cat, manner)
	if err != nil || report.Generation == before {
		return report, err
	}
	action := receipt.Published
	if manner == registry.ByRefresh {
		action = receipt.Refreshed
	}
	return report, r.noteRegistry(ctx, receipt.RegistryBody{Principal: by.Name, Action: action, Source: cfg.Name, Kind: cfg.Kind, Tenant: cfg.Tenant,
		Operations: report.Operations, Tools: report.Tools, Findings: len(report.Findings), Waiting: report.Waiting, Quarantined: report.Quarantined})
}

// Remove withdraws a source and closes it, on record as by's doing.
func (r *Router) Remove(ctx context.Context, by interlock.Principal, name string) error {
	if err := r.reg.Withdraw(ctx, name); err != nil {
		return err
	}
	if err := r.pool.Drop(name); err != nil {
		r.opts.Logger.Warn("a withdrawn source did not close cleanly", "source", name, "err", err)
	}
	return r.noteRegistry(ctx, receipt.RegistryBody{Principal: by.Name, Action: receipt.Withdrawn, Source: name})
}

// config gives the current configuration of a source.
func (r *Router) config(name string) (interlock.SourceConfig, bool) {
	src := r.reg.State().Source(name)
	if src == nil {
		return interlock.SourceConfig{}, false
	}
	return src.Config, true
}

func (o Options) open(cfg interlock.SourceConfig) (interlock.Source, error) {
	opener := o.Openers[cfg.Kind]
	if opener == nil {
		return nil, &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "ingest", Public: fmt.Sprintf("No kind of source is named %q.", cfg.Kind)}
	}
	return opener.Open(cfg)
}

// Tools lists what the principal may see, by name.
func (r *Router) Tools(_ context.Context, who interlock.Principal) ([]interlock.ToolInfo, error) {
	out := []interlock.ToolInfo{}
	for _, t := range snapshot.Take(r.keeper, who).View().Tools {
		out = append(out, infoOf(t))
	}
	return out, nil
}

// Show gives one tool that the principal may see.
func (r *Router) Show(_ context.Context, who interlock.Principal, name string) (interlock.ToolDetail, error) {
	t := snapshot.Take(r.keeper, who).View().Tool(name)
	if t == nil {
		return interlock.ToolDetail{}, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "show", Public: fmt.Sprintf("No tool is named `%s`; `interlock tools` lists them.", strings.Trim(strconv.Quote(clip(name, 100)), `"`))}
	}
	d := interlock.ToolDetail{ToolInfo: infoOf(t), Title: t.Op.Title, Why: t.Why, Aliases: t.Op.Aliases, Tags: t.Op.Tags,
		Contract: t.ToolRecord.Contract, Pin: t.Pin, InputSchema: t.Op.InputSchema, OutputSchema: t.Op.OutputSchema, Errors: t.Op.Errors, Fields: t.Op.Fields}
	if len(d.InputSchema) == 0 {
		d.InputSchema = []byte(`{"type":"object"}`)
	}
	if len(t.Op.Variants) > 0 {
		d.Description = t.Op.Variants[0].Description
	}
	return d, nil
}

// Family gives one family as the principal sees it, judged under a constraint;
// an empty range constrains nothing. It asks no source.
func (r *Router) Family(_ context.Context, who interlock.Principal, c interlock.Constraint) (interlock.FamilyInfo, error) {
	return eligible.Judge(snapshot.Take(r.keeper, who), c)
}

func infoOf(t *snapshot.Tool) interlock.ToolInfo {
	return interlock.ToolInfo{Tool: t.ID, Family: t.Family, Version: t.Version.String(), Effect: t.Effect, State: t.State}
}

// Sources lists the sources of which the principal may see anything; the
// operator sees the empty ones too, and those that could not be read. That a source refuses its credential is said
// to whom it concerns.
func (r *Router) Sources(_ context.Context, who interlock.Principal) ([]interlock.SourceInfo, error) {
	view, name := snapshot.Take(r.keeper, who).View(), who.Name
	if who.Operator {
		name = ""
	}
	list := view.Sources(who.Operator)
	for i, of := range list {
		if r.pool.NeedsAuth(of.Name, name, func(operation string) bool { return who.Operator || view.Tool(of.Name+"/"+operation) != nil }) {
			list[i].State = interlock.SourceNeedsAuth
		}
	}
	if who.Operator {
		list = r.unread.among(list)
	}
	return list, nil
}

// SourceConfigs gives the configuration of every source, for whoever keeps them
// fresh.
func (r *Router) SourceConfigs() []interlock.SourceConfig {
	var out []interlock.SourceConfig
	for _, s := range r.reg.State().Sources {
		out = append(out, s.Config)
	}
	return out
}

// ViewFingerprint names what the principal sees now.
func (r *Router) ViewFingerprint(who interlock.Principal) string {
	return snapshot.Take(r.keeper, who).View().Fingerprint
}

func noSource(name string) error {
	return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: "registry", Public: fmt.Sprintf("No source is named %q; `interlock sources` lists them.", name)}
}

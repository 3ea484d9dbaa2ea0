package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
	"github.com/seed-ae386458/interlock/policy"
)

// Run checks everything that can be checked from here and says what to do about
// what is wrong. It fails where anything is.
func (doctorCmd) Run(ctx context.Context, a *app) error {
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if err := s.may(who, policy.Audit, "asks for the health of the whole"); err != nil {
			return err
		}
		facts, err := s.Status(ctx)
		if err != nil {
			return err
		}
		facts["store"], facts["running"] = s.path, s.local == nil
		size, err := s.LogVerify(ctx)
		facts["log_entries"], facts["log_verified"] = size, err == nil
		list, listed := s.Sources(ctx, who)
		down, refused := ailing(list)
		facts["sources_down"], facts["sources_need_auth"] = down, refused
		models, _ := facts["models_down"].([]any)
		unread, _ := facts["sources_unread"].([]any)
		if ill := len(down)+len(refused)+len(unread)+len(models) > 0; ill && err == nil && listed == nil {
			err = &exitError{wire.ExitFailed}
		}
		if a.JSON {
			return errors.Join(a.print(facts), err, listed)
		}
		a.tellFacts(facts)
		a.tellUnreadSources(unread)
		a.tellAiling(down, refused)
		a.tellModels(models)
		if err == nil && listed == nil {
			a.tellWell(s, list)
		}
		return errors.Join(err, listed)
	})
}

// ailing names the sources that do not answer, and those that refuse their
// credential.
func ailing(list []interlock.SourceInfo) (down, refused []string) {
	down, refused = []string{}, []string{}
	for _, src := range list {
		switch src.State {
		case "", interlock.SourceUnread: // the status tells of those
		case interlock.SourceNeedsAuth:
			refused = append(refused, src.Name)
		default:
			down = append(down, src.Name)
		}
	}
	return down, refused
}

// tellWell says that nothing is wrong, and no more than was looked at: sources
// are read by a running server alone.
func (a *app) tellWell(s *session, list []interlock.SourceInfo) {
	ok := a.style(a.out).green("ok")
	if s.local == nil {
		tell(a.out, "%s the log verifies, every source and every model answers\n", ok)
		return
	}
	tell(a.out, "%s the log verifies, and every model answers; no source was asked, which a running server does\n", ok)
	for _, src := range s.cfg.Sources {
		if src.Name != "" && !slices.ContainsFunc(list, func(in interlock.SourceInfo) bool { return in.Name == src.Name }) {
			tell(a.out, "   %s of the configuration is not in this store yet; `interlock up` reads it\n", src.Name)
		}
	}
}

// tellFacts prints what doctor found out, in the order in which it is read.
func (a *app) tellFacts(facts map[string]any) {
	server, log := "runs on this store, and answered", "verified"
	if facts["running"] != true {
		server = "none runs; this command opened the store itself"
	}
	if facts["log_verified"] != true {
		log = "does not verify"
	}
	for _, row := range [...][2]string{
		{"store", fmt.Sprintf("%v, generation %v", facts["store"], facts["generation"])},
		{"server", server},
		{"sources", fmt.Sprint(facts["sources"])},
		{"tools", fmt.Sprint(facts["tools"])},
		{"log", fmt.Sprintf("%v entries, %s", facts["log_entries"], log)},
		{"log key", fmt.Sprint(facts["log_key"])},
		{"scorer", fmt.Sprint(facts["scorer"])},
	} {
		tell(a.out, "%-8s %s\n", row[0], row[1])
	}
}

// tellUnreadSources says which sources of the configuration could not be read, why, and
// what is there of them meanwhile.
func (a *app) tellUnreadSources(unread []any) {
	for _, row := range unread {
		src, _ := row.(map[string]any)
		meanwhile := "until then it has no tools"
		if fmt.Sprint(src["tools"]) != "0" {
			meanwhile = "until then its tools are those of an earlier reading"
		}
		tell(a.out, "%s %v of the configuration could not be read: %v It is tried again by itself; %s.\n", a.style(a.out).yellow("unread"), src["name"], src["why"], meanwhile)
	}
}

func (a *app) tellAiling(down, refused []string) {
	for _, name := range down {
		tell(a.out, "%s %s does not answer; its tools are unavailable until it does. Start it, or add it again where it is now.\n", a.style(a.out).yellow("down"), name)
	}
	for _, name := range refused {
		tell(a.out, "%s %s does not accept its credential (401). Renew the secret behind the reference; it is read again by itself.\n", a.style(a.out).yellow("auth"), name)
	}
}

// tellModels says which models behind an address do not answer, and what is done
// without them.
func (a *app) tellModels(down []any) {
	without := map[any]string{"embedder": "needs are answered by words meanwhile", "reranker": "the order of the scores stands meanwhile"}
	for _, row := range down {
		if m, ok := row.(map[string]any); ok {
			tell(a.out, "%s the %v %v does not answer (%v); %s. Look at its url, model and key in the configuration, and whether it runs.\n",
				a.style(a.out).yellow("down"), m["what"], m["model"], m["why"], without[m["what"]])
		}
	}
}

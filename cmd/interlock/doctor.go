package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/policy"
)

// Run checks everything that can be checked from here and says what to do about
// what is wrong.
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
		if a.JSON {
			return errors.Join(a.print(facts), err, listed)
		}
		a.tellFacts(facts)
		a.tellAiling(down, refused)
		a.tellModels(models)
		if err == nil && listed == nil && len(down)+len(refused)+len(models) == 0 {
			tell(a.out, "%s the log verifies, every source and every model answers\n", a.style(a.out).green("ok"))
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
		case "":
		case interlock.SourceNeedsAuth:
			refused = append(refused, src.Name)
		default:
			down = append(down, src.Name)
		}
	}
	return down, refused
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

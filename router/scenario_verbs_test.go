package router_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/embedding/lexicon"
	"github.com/seed-ae386458/interlock/policy"
	"github.com/seed-ae386458/interlock/store/sqlite"
)

// verb is one command of a scenario.
type verb func(w *world, args []string) error

var verbs = map[string]verb{
	"registry": useRegistry, "embedder": useEmbedder, "vocabulary": useVocabulary, "principal": principal, "as": as, "policies": usePolicies,
	"publish": publish, "refresh": refresh, "remove": remove, "down": goDown, "up": comeUp,
	"resolve": resolve, "agent": agent, "tools": tools, "show": show, "sources": sources, "expect-same": expectSame, "expect-different": expectDifferent,
	"call": call, "begin": begin, "end": end, "forge": forge,
	"review": review, "accept": acceptReview, "reject": rejectReview,
	"approvals": approvals, "approve": approve, "refuse": refuse,
	"wait": wait, "restart": restart, "crash": crash, "second-process": secondProcess, "exhaust": exhaust,
	"upstream": upstreamCalls, "log": logEntries,
	"drift": driftRows, "drift-policy": driftPolicy, "drift-accept": driftAccept, "drift-reject": driftReject,
}

// do runs the commands of a block and gives what they printed.
func (w *world) do(commands string) string {
	w.out.Reset()
	for _, line := range strings.Split(commands, "\n") {
		words := split(line)
		if len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		}
		run := verbs[words[0]]
		if run == nil {
			w.t.Fatalf("no verb %q", words[0])
		}
		if err := run(w, words[1:]); err != nil {
			w.printError(err)
		}
	}
	if w.out.Len() == 0 {
		return "ok\n"
	}
	return w.out.String()
}

// split takes a line apart at spaces; "…" holds spaces together, and what
// begins with { or [ goes on to the end of the line.
func split(line string) []string {
	var words []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		end := strings.IndexByte(line, ' ')
		switch line[0] {
		case '{', '[':
			end = -1
		case '"':
			if n := strings.IndexByte(line[1:], '"'); n >= 0 {
				words, line = append(words, line[1:n+1]), line[n+2:]
				continue
			}
		}
		if end < 0 {
			end = len(line)
		}
		words, line = append(words, line[:end]), line[end:]
	}
	return words
}

// options parts words into name=value pairs, which it hands to set, and the
// rest.
func options(words []string, set func(name, value string) (bool, error)) (rest []string, err error) {
	for _, word := range words {
		name, value, found := strings.Cut(word, "=")
		if found {
			taken, err := set(name, value)
			if err != nil {
				return nil, err
			}
			if taken {
				continue
			}
		}
		rest = append(rest, word)
	}
	return rest, nil
}

func list(text string) []string {
	if text == "" {
		return []string{}
	}
	return strings.Split(text, ",")
}

// registry NAME: another store, made where it is new.
func useRegistry(w *world, args []string) error {
	w.use(args[0], 0)
	return nil
}

// embedder builtin|none: of the registries that are opened from now on; the
// current one is opened again.
func useEmbedder(w *world, args []string) error {
	w.embedder = nil
	if args[0] == "builtin" {
		m, err := model()
		if err != nil {
			return err
		}
		w.embedder = builtin{m}
	}
	w.restart(0)
	return nil
}

// vocabulary general|none: English words for Korean and Japanese, of needs and
// of tools.
func useVocabulary(w *world, args []string) error {
	w.glosser = nil
	if args[0] == "general" {
		lex, err := lexicon.Load()
		if err != nil {
			return err
		}
		w.glosser = lex
	}
	w.restart(0)
	return nil
}

// principal NAME [tenant=T] [roles=R,…] [allow=GLOB,…] [deny=GLOB,…] [invoke=GLOB,…]
// [attribute=NAME:VALUE]
func principal(w *world, args []string) error {
	p := interlock.Principal{Name: args[0], Tenant: interlock.SharedTenant, Allow: []string{"*"}}
	_, err := options(args[1:], func(name, value string) (bool, error) {
		switch name {
		case "tenant":
			p.Tenant = value
		case "allow":
			p.Allow = list(value)
		case "deny":
			p.Deny = list(value)
		case "invoke":
			p.Invoke = list(value)
		case "roles":
			p.Roles = list(value)
		case "attribute":
			key, of, _ := strings.Cut(value, ":")
			p.Attributes = map[string]string{key: of}
		default:
			return false, fmt.Errorf("principal has no %q", name)
		}
		return true, nil
	})
	w.principals[p.Name] = p
	return err
}

// policies FILE|none: those of the current registry from now on.
func usePolicies(w *world, args []string) error {
	if args[0] == "none" {
		w.reg.SetPolicies(nil)
		return nil
	}
	set, err := policy.Load([]policy.File{{Name: args[0], Text: []byte(w.files[args[0]])}})
	if err == nil {
		w.reg.SetPolicies(set)
	}
	return err
}

// as NAME: who asks from now on; a name that nobody declared may see all.
func as(w *world, args []string) error {
	w.who = w.principal(args[0])
	return nil
}

func (w *world) principal(name string) interlock.Principal {
	if name == "operator" {
		return interlock.Local()
	}
	if p, ok := w.principals[name]; ok {
		return p
	}
	return interlock.Principal{Name: name, Tenant: interlock.SharedTenant, Allow: []string{"*"}}
}

// publish FILE [kind=K] [name=N] [tenant=T] [review=manual] [base=URL]
// [header=REFERENCE] [hidden=remove]
func publish(w *world, args []string) error {
	cfg := interlock.SourceConfig{Kind: interlock.KindManifest}
	rest, err := options(args, func(name, value string) (bool, error) {
		switch name {
		case "kind":
			cfg.Kind = value
		case "name":
			cfg.Name = value
		case "tenant":
			cfg.Tenant = value
		case "review":
			cfg.Review = value
		case "hidden":
			cfg.Results.Hidden = value
		case "header":
			cfg.Headers = map[string]string{"X-Key": value}
		case "base":
			cfg.BaseURL = strings.ReplaceAll(value, "$UPSTREAM", w.upstream.URL)
		default:
			return false, fmt.Errorf("publish has no %q", name)
		}
		return true, nil
	})
	if err != nil {
		return err
	}
	if cfg.File, err = w.place(rest[0], rest[0]); err != nil {
		return err
	}
	report, err := w.reg.Add(context.Background(), interlock.Local(), cfg)
	w.printReport(report)
	return err
}

// place writes a file of the scenario to the disk, under a name.
func (w *world) place(file, name string) (string, error) {
	text, ok := w.files[file]
	if !ok {
		return "", fmt.Errorf("the scenario has no file %q", file)
	}
	path := filepath.Join(w.dir, name)
	return path, os.WriteFile(path, []byte(text), 0o600)
}

// refresh SOURCE [FILE]: the source is read again, after its file has become
// FILE.
func refresh(w *world, args []string) error {
	if len(args) > 1 {
		for _, cfg := range w.reg.SourceConfigs() {
			if cfg.Name != args[0] {
				continue
			}
			if _, err := w.place(args[1], filepath.Base(cfg.File)); err != nil {
				return err
			}
		}
	}
	report, err := w.reg.Refresh(context.Background(), args[0])
	w.printReport(report)
	return err
}

func remove(w *world, args []string) error {
	return w.reg.Remove(context.Background(), interlock.Local(), args[0])
}

// down SOURCE: it answers nothing from now on, is read again, and is marked as
// down, as whoever watches it does when the time of grace is over.
func goDown(w *world, args []string) error {
	w.down.set(args[0], true)
	_, err := w.reg.Refresh(context.Background(), args[0])
	return errors.Join(err, w.reg.MarkDown(context.Background(), args[0], "it does not answer"))
}

func comeUp(w *world, args []string) error {
	w.down.set(args[0], false)
	_, err := w.reg.Refresh(context.Background(), args[0])
	return err
}

// tools: what the principal sees.
func tools(w *world, _ []string) error {
	all, err := w.reg.Tools(context.Background(), w.who)
	if err != nil {
		return err
	}
	for _, t := range all {
		w.printf("%s %s@%s %s %s", t.Tool, t.Family, t.Version, t.Effect, t.State)
	}
	w.printf("%d tools", len(all))
	return nil
}

func show(w *world, args []string) error {
	d, err := w.reg.Show(context.Background(), w.who, args[0])
	if err != nil {
		return err
	}
	w.printf("%s %s@%s %s %s", d.Tool, d.Family, d.Version, d.Effect, d.State)
	w.printf("%s", d.Description)
	if d.Why != "" {
		w.printf("because %s", d.Why)
	}
	return nil
}

func sources(w *world, _ []string) error {
	all, err := w.reg.Sources(context.Background(), w.who)
	for _, s := range all {
		w.printf("%s", strings.TrimSpace(fmt.Sprintf("%s %s %d %s", s.Name, s.Kind, s.Tools, s.State)))
	}
	return err
}

// forge NEW OFFER flip=N|cut=N|add=TEXT: an offer that nobody made.
func forge(w *world, args []string) error {
	text := w.offers.get(args[1])
	how, value, _ := strings.Cut(args[2], "=")
	n, _ := strconv.Atoi(value)
	switch how {
	case "flip":
		letter := byte('A')
		if text[n] == letter {
			letter = 'B'
		}
		text = text[:n] + string(letter) + text[n+1:]
	case "cut":
		text = text[:len(text)-n]
	case "add":
		text += value
	default:
		return fmt.Errorf("forge has no %q", how)
	}
	w.offers.put(args[0], text)
	return nil
}

// review: what waits for a decision.
func review(w *world, _ []string) error {
	items, err := w.reg.Review(context.Background())
	for _, i := range items {
		w.printf("%s %s", i.Kind, i.Tool)
	}
	w.printf("%d wait", len(items))
	return err
}

func acceptReview(w *world, args []string) error { return w.decideReview(args[0], true) }
func rejectReview(w *world, args []string) error { return w.decideReview(args[0], false) }

// decideReview decides on the definition of a tool that waits.
func (w *world) decideReview(tool string, accept bool) error {
	items, err := w.reg.Review(context.Background())
	for _, i := range items {
		if i.Tool == tool {
			_, err := w.reg.DecideReview(context.Background(), interlock.Local(), tool, i.Fingerprint, accept)
			return err
		}
	}
	return errors.Join(err, fmt.Errorf("nothing of %s waits", tool))
}

// approvals [by=PRINCIPAL]: without a name, all of them; with one, what he is
// told of them.
func approvals(w *world, args []string) error {
	who, named := interlock.Local(), false
	if _, err := options(args, func(_, value string) (bool, error) {
		who, named = w.principal(value), true
		return true, nil
	}); err != nil {
		return err
	}
	all, err := w.reg.Approvals(context.Background(), who)
	for _, a := range all {
		line := fmt.Sprintf("%s %s %s by %s", w.approvals.of(a.ID), a.State, a.Tool, a.Principal)
		if named {
			line += fmt.Sprintf(" expired=%t decidable=%t args=%s", a.Expired, a.Decidable, a.Args)
		}
		w.printf("%s", line)
	}
	w.printf("%d approvals", len(all))
	return err
}

// approve A [by=PRINCIPAL]: without a name, by the operator.
func approve(w *world, args []string) error { return w.decide(args, true) }
func refuse(w *world, args []string) error  { return w.decide(args, false) }

func (w *world) decide(args []string, grant bool) error {
	by := interlock.Principal{Name: "eve", Operator: true}
	rest, err := options(args, func(_, value string) (bool, error) {
		by = w.principal(value)
		return true, nil
	})
	if err != nil {
		return err
	}
	name := rest[0]
	a, err := w.reg.Decide(context.Background(), w.approvals.get(name), by, grant)
	if err == nil {
		w.printf("%s %s", name, a.State)
	}
	return err
}

func wait(w *world, args []string) error {
	d, err := time.ParseDuration(args[0])
	w.clock.wait(d)
	return err
}

// restart [quota=BYTES]: closed in order, opened again.
func restart(w *world, args []string) error {
	quota := int64(0)
	_, err := options(args, func(_, value string) (taken bool, err error) {
		quota, err = strconv.ParseInt(value, 10, 64)
		return true, err
	})
	if err == nil {
		w.restart(quota)
	}
	return err
}

// crash: the process ends where it stands, and another opens what is on the
// disk.
func crash(w *world, _ []string) error {
	w.crash()
	return nil
}

// second-process: another process tries to open the store.
func secondProcess(w *world, _ []string) error {
	store, err := sqlite.Open(context.Background(), w.reg.path, sqlite.Options{})
	if err == nil {
		return errors.Join(store.Close(), errors.New("a second process opened the store"))
	}
	return err
}

// upstream [FILE]: how many requests came since it was last asked; with FILE
// its answers are scripted anew; `upstream last` shows the last request.
func upstreamCalls(w *world, args []string) error {
	switch {
	case len(args) == 0:
		w.printf("upstream calls: %d", w.upstream.count())
	case args[0] == "last":
		w.printf("%s", w.upstream.lastRequest())
	default:
		w.upstream.script(w.t, w.files[args[0]])
	}
	return nil
}

// log [TYPE]: the entries of a type, or what verification says.
func logEntries(w *world, args []string) error {
	if args[0] == "verify" {
		n, err := w.reg.LogVerify(context.Background())
		if err == nil {
			w.printf("log verifies: %t", n > 0)
		}
		return err
	}
	entries, err := w.reg.LogList(context.Background(), 0, 1000)
	n := 0
	for _, e := range entries {
		if args[0] == e.Type {
			w.printEntry(e)
			n++
		}
	}
	w.printf("%d %s", n, args[0])
	return err
}

// expect-same PRINCIPAL[@REGISTRY] PRINCIPAL[@REGISTRY]: everything that the
// two receive, byte for byte, offers by their length. More words are a need.
func expectSame(w *world, args []string) error {
	return w.compare(args, true)
}

func expectDifferent(w *world, args []string) error {
	return w.compare(args, false)
}

func (w *world) compare(args []string, want bool) error {
	need, err := needOf(args[2:])
	if err != nil {
		return err
	}
	a, err := w.receives(args[0], need)
	if err != nil {
		return err
	}
	b, err := w.receives(args[1], need)
	if err != nil {
		return err
	}
	if same := bytes.Equal(a, b); same != want {
		return fmt.Errorf("same bytes: %t\n%s\n%s", same, a, b)
	}
	w.printf("as expected")
	return nil
}

// receives is all that a principal can read: lists, one answer, fingerprint.
func (w *world) receives(who string, need interlock.Need) ([]byte, error) {
	name, in, _ := strings.Cut(who, "@")
	reg := w.reg
	if in != "" {
		reg = w.registries[in]
	}
	return everything(reg.Router, w.principal(name), need)
}

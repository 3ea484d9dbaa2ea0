package mcpserver

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/seed-ae386458/interlock"
)

// question is the key of the one input request that a call may make.
const question = "approve"

// canAsk reports whether a person may be asked for his approval here: he is
// the operator, the mode lets him be asked, and his client can.
func (t *tools) canAsk(in incoming) bool {
	if !t.opts.Elicit || !in.who.Operator || in.sdk == nil {
		return false
	}
	return askable(in.sdk.ClientCapabilities())
}

// askable reports whether a client says that it can put a question to a person.
func askable(caps *mcp.ClientCapabilities) bool {
	return caps != nil && caps.Elicitation != nil && (caps.Elicitation.Form != nil || caps.Elicitation.URL == nil)
}

// ask has the person asked. In the older era the answer comes back within the
// call; in the newer one the client is told what to ask, and repeats the call.
func (t *tools) ask(ctx context.Context, in incoming, call interlock.CallRequest, e *interlock.Error) (yes bool, told *mcp.CallToolResult) {
	text, ok := t.questionText(ctx, in.who, call, e.Approval)
	if !ok {
		return false, nil
	}
	form := &mcp.ElicitParams{Mode: "form", Message: text, RequestedSchema: json.RawMessage(
		`{"type":"object","properties":{"approve":{"type":"boolean","title":"Approve this call","description":"It is made once, with these arguments"}},"required":["approve"]}`)}
	if in.sdk.ProtocolVersion() >= modernEra {
		state := t.pending.put(digest(in.who, call), time.Now().Add(t.opts.ElicitTime))
		return false, &mcp.CallToolResult{InputRequests: mcp.InputRequestMap{question: form}, RequestState: state}
	}
	ctx, stop := context.WithTimeout(ctx, t.opts.ElicitTime)
	defer stop()
	answer, err := in.sdk.Session.Elicit(ctx, form)
	if err != nil {
		t.opts.Logger.WarnContext(ctx, "an approval could not be asked for", "approval", e.Approval, "error", err.Error())
		return false, nil
	}
	return approved(answer), nil
}

// answered reads the person's answer that a repeated call brings. A state that
// is unknown, used, late or of another call is no answer, and the call is
// judged as a first one; a no is a refusal.
func (t *tools) answered(in incoming, call interlock.CallRequest) (bool, error) {
	if in.sdk == nil || in.sdk.Params.RequestState == "" || !t.pending.take(in.sdk.Params.RequestState, digest(in.who, call), time.Now()) {
		return false, nil
	}
	answer, _ := in.sdk.Params.InputResponses[question].(*mcp.ElicitResult)
	if !approved(answer) {
		return false, &interlock.Error{
			Code: interlock.CodeApproval, Reason: interlock.ReasonApprovalInvalid, Stage: "approve", Outcome: interlock.OutcomeNotSent,
			Public: "The person who was asked did not approve the call.",
		}
	}
	return t.canAsk(in), nil
}

// approved reports whether an answer is an explicit yes.
func approved(answer *mcp.ElicitResult) bool {
	return answer != nil && answer.Action == "accept" && answer.Content[question] == true
}

// questionText says what is asked: tool, effect, digest, and the arguments as
// far as they can be shown.
func (t *tools) questionText(ctx context.Context, who interlock.Principal, call interlock.CallRequest, id string) (string, bool) {
	list, err := t.face.Approvals(ctx, who)
	if err != nil {
		t.opts.Logger.ErrorContext(ctx, "approvals cannot be read", "error", err.Error())
		return "", false
	}
	i := slices.IndexFunc(list, func(a interlock.Approval) bool { return a.ID == id })
	if i < 0 {
		return "", false
	}
	a := list[i]
	does := map[interlock.Effect]string{interlock.EffectRead: "reads", interlock.EffectWrite: "writes", interlock.EffectDestructive: "may destroy"}[a.Effect.Enforced()]
	return fmt.Sprintf("An agent asks to call %s, which %s (effect %s).\nArguments: %s\nDigest of the call: %s",
		plain(a.Tool, 200), does, a.Effect, plain(string(call.Args), 600), plain(a.Digest, 100)), true
}

// plain shows a text that others wrote on one line: what does not print is
// spelled out, so it cannot pose as part of the question, and the rest is cut.
func plain(text string, most int) string {
	var b strings.Builder
	n := 0
	for _, r := range text {
		if n++; n > most {
			return b.String() + "…"
		}
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// digest binds a question to who asked it and for which call.
func digest(who interlock.Principal, call interlock.CallRequest) string {
	h := sha256.New()
	for _, part := range []string{who.Name, call.Offer, string(call.Limit), string(call.Args)} {
		h.Write([]byte(strconv.Itoa(len(part)) + ":" + part))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// maxPending bounds the questions that wait for their answers.
const maxPending = 256

// pending holds the questions that clients were told to ask, by a random state
// that each repeats once.
type pending struct {
	mu    sync.Mutex // guards waits
	waits map[string]wait
}

// wait is one question.
type wait struct {
	digest string
	until  time.Time
}

// newPending makes an empty one.
func newPending() *pending { return &pending{waits: map[string]wait{}} }

// put keeps a question and gives its state. When too many wait, the one that
// ends first gives way.
func (p *pending) put(digest string, until time.Time) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waits) >= maxPending {
		first := ""
		for state, w := range p.waits {
			if first == "" || w.until.Before(p.waits[first].until) {
				first = state
			}
		}
		delete(p.waits, first)
	}
	state := rand.Text()
	p.waits[state] = wait{digest, until}
	return state
}

// take uses a state up and reports whether it was for this call and in time.
func (p *pending) take(state, digest string, now time.Time) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	w, ok := p.waits[state]
	delete(p.waits, state)
	return ok && w.digest == digest && now.Before(w.until)
}

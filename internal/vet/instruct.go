package vet

import (
	"slices"
	"strings"
)

// shape is an order of terms that makes an instruction: each within so many
// words of the one before it.
type shape struct {
	rule string
	seq  []class
	gaps []int // in words, one fewer than seq
	// spoken: a short quotation of it inside a sentence about attacks is a
	// mention, and so is what some other subject will do.
	spoken bool
}

var shapes = []shape{
	{ruleOverride, []class{ignoring, prior, directive}, []int{5, 2}, true},
	{ruleOverride, []class{ignoring, yours, directive}, []int{3, 3}, true},
	{ruleOverride, []class{ignoring, directive, prior}, []int{3, 2}, true},
	{ruleOverride, []class{ignoring, directive, yours}, []int{3, 0}, true},
	{ruleOverride, []class{prior, directive, ignoringE}, []int{3, 4}, true},
	{ruleOverride, []class{directive, prior, ignoringE}, []int{1, 4}, true},
	{ruleOverride, []class{yours, directive, ignoringE}, []int{3, 4}, true},
	{ruleOverride, []class{ignoring, everything}, []int{1}, true},
	{ruleOverride, []class{everything, ignoringE}, []int{3}, true},
	{ruleOverride, []class{prior, directive, voided}, []int{2, 1}, true},
	{ruleOverride, []class{prior, rulesOf, voided}, []int{1, 1}, true},
	{ruleOverride, []class{supersede, prior, directive}, []int{2, 1}, true},
	{ruleOverride, []class{overcome, yours, rulesOf}, []int{2, 2}, true},
	{ruleOverride, []class{ignoring, yours, ruleWord}, []int{2, 1}, true},

	{ruleConceal, []class{not, tell, user}, []int{1, 2}, true},
	{ruleConceal, []class{notTell, user}, []int{4}, true},
	{ruleConceal, []class{user, notTell}, []int{5}, true},
	{ruleConceal, []class{user, not, tell}, []int{4, 2}, true},
	{ruleConceal, []class{tellFirst, user, notLast}, []int{3, 3}, true},
	{ruleConceal, []class{not, mentioning, toUser}, []int{0, 5}, true},
	{ruleConceal, []class{unknowing}, nil, true},

	{ruleExfiltrate, []class{reading, secret, handing}, []int{7, 8}, false},
	{ruleExfiltrate, []class{secret, reading, handing}, []int{4, 8}, false},
	{ruleExfiltrate, []class{reading, files, handing, sink}, []int{7, 6, 5}, false},
	{ruleExfiltrate, []class{reading, files, giving, whole}, []int{7, 6, 0}, false},
	{ruleExfiltrate, []class{giving, contents, files}, []int{1, 3}, false},
	{ruleExfiltrate, []class{giving, contents, private}, []int{5, 3}, false},
	{ruleExfiltrate, []class{secretly, giving, private}, []int{1, 3}, false},
	{ruleExfiltrate, []class{secretly, reading, files, giving}, []int{1, 4, 8}, false},
	{ruleExfiltrate, []class{files, reading, handing}, []int{3, 6}, false},
	{ruleExfiltrate, []class{files, contents, handing}, []int{2, 5}, false},
	{ruleExfiltrate, []class{handing, contents, files, sink}, []int{3, 2, 5}, false},
	{ruleExfiltrate, []class{handing, files, address}, []int{7, 9}, false},
	{ruleExfiltrate, []class{handing, files, mailbox}, []int{7, 9}, false},
	{ruleExfiltrate, []class{files, address, handing}, []int{8, 5}, false},
	{ruleExfiltrate, []class{files, mailbox, handing}, []int{8, 5}, false},
	{ruleExfiltrate, []class{files, handing, address}, []int{6, 8}, false},
	{ruleExfiltrate, []class{address, files, handing}, []int{9, 6}, false},
	{ruleExfiltrate, []class{handing, private, address}, []int{6, 8}, false},
	{ruleExfiltrate, []class{handing, private, mailbox}, []int{6, 8}, false},
	{ruleExfiltrate, []class{private, handing, address}, []int{6, 5}, false},
	{ruleExfiltrate, []class{private, address, handing}, []int{6, 5}, false},
	{ruleExfiltrate, []class{private, mailbox, handing}, []int{6, 5}, false},
	{ruleExfiltrate, []class{address, private, handing}, []int{6, 5}, false},
	{ruleExfiltrate, []class{printing, inmost}, []int{3}, true},
	{ruleExfiltrate, []class{inmost, printing}, []int{2}, true},

	{ruleTamper, []class{setting, recipient, mailbox, each}, []int{4, 5, 8}, false},
	{ruleTamper, []class{each, setting, recipient, mailbox}, []int{12, 5, 5}, false},
	{ruleTamper, []class{each, recipient, setting, mailbox}, []int{8, 5, 5}, false},
	{ruleTamper, []class{each, setting, mailbox, recipient}, []int{12, 5, 4}, false},
	{ruleTamper, []class{each, recipient, mailbox, setting}, []int{8, 5, 5}, false},
	{ruleTamper, []class{setting, mailbox, recipient, each}, []int{3, 4, 8}, false},
	{ruleTamper, []class{always, setting, mailbox}, []int{0, 1}, false},
	{ruleTamper, []class{invoked, setting, recipient, mailbox}, []int{6, 2, 2}, false},
	{ruleTamper, []class{giving, each, flow, mailbox}, []int{0, 1, 5}, false},
	{ruleTamper, []class{each, flow, giving, mailbox}, []int{1, 4, 2}, false},
	{rulePersona, []class{nowAre, persona}, []int{3}, true},
}

// tight is a shape for texts that stand in different fields: hardly any room.
func (s shape) tight() shape {
	gaps := slices.Clone(s.gaps)
	for i := range gaps {
		gaps[i] = min(gaps[i], 2)
	}
	s.gaps = gaps
	return s
}

// present is the set of classes that occur.
func present(hits []hit) (set [256]bool) {
	for _, h := range hits {
		set[h.class] = true
	}
	return set
}

// among reports whether every class of the shape occurs at all.
func (s shape) among(set [256]bool) bool {
	return !slices.ContainsFunc(s.seq, func(c class) bool { return !set[c] })
}

// find gives the hits of the first place at which the shape is met.
func (s shape) find(hits []hit) []hit {
	for i, h := range hits {
		if h.class != s.seq[0] {
			continue
		}
		if rest := s.rest(hits[i+1:], h, 1); rest != nil || len(s.seq) == 1 {
			return append([]hit{h}, rest...)
		}
	}
	return nil
}

func (s shape) rest(hits []hit, last hit, n int) []hit {
	if n == len(s.seq) {
		return []hit{}
	}
	for i, h := range hits {
		if h.at-last.end > s.gaps[n-1]*perWord {
			return nil
		}
		if h.class != s.seq[n] || h.from < last.to {
			continue
		}
		if rest := s.rest(hits[i+1:], h, n+1); rest != nil {
			return append([]hit{h}, rest...)
		}
	}
	return nil
}

// instructions reports what a folded text tells a model to do.
func instructions(pointer, s string) []Flag {
	if len(s) < minInstruction {
		return nil
	}
	flags := chat(pointer, s)
	hits := scan(s)
	if len(hits) == 0 {
		return flags
	}
	there := present(hits)
	for _, shape := range shapes {
		if !shape.among(there) {
			continue
		}
		met := shape.find(hits)
		if met == nil {
			continue
		}
		severity := Quarantine
		if shape.spoken && mention(s, hits, met) {
			severity = Review
		}
		flags = append(flags, flag(shape.rule, pointer, quote(s[met[0].from:met[len(met)-1].to]), severity))
	}
	return append(dedupe(flags), pressed(pointer, s, hits)...)
}

// minInstruction is the length in bytes below which nothing can be told.
const minInstruction = 8

// mention reports whether a text speaks of an instruction instead of giving it:
// a short quotation in a sentence about such texts, or what something other
// than the reader will or may do.
func mention(s string, hits, met []hit) bool {
	from, to := met[0].from, met[len(met)-1].to
	for _, h := range hits {
		if h.class == willDo && h.to < from && from-h.to <= 2 && !addressed(s[:h.from]) {
			return true
		}
	}
	return (quoted(s, from, to) || reported(s[:from])) && slices.ContainsFunc(hits, func(h hit) bool {
		return h.class == detects && h.to <= from && met[0].at-h.end <= 16*perWord
	})
}

// reporting are the words with which a sentence tells of an instruction that
// somebody else gives.
var reporting = []string{"tells the agent to", "tells the model to", "tells an agent to", "tells a model to", "tell the model to", "tell the agent to", "asks the model to", "asks the agent to",
	"instructs the model to", "instructs the agent to", "instruct the model to", "instruct an agent to", "telling the model to", "asking the model to", "instructions to", "prompts to", "attempts to"}

func reported(before string) bool {
	before = strings.TrimRight(before, " ")
	return slices.ContainsFunc(reporting, func(r string) bool { return strings.HasSuffix(before, r) })
}

// addressed reports whether a sentence that breaks off speaks to the reader.
func addressed(before string) bool {
	for _, end := range []string{"you", "model", "assistant", "ai", "agent", "llm", "must", "should"} {
		if strings.HasSuffix(strings.TrimRight(before, " "), end) {
			return true
		}
	}
	return false
}

// maxMention is the length of a quotation that is no more than a phrase.
const maxMention = 64

// quoted reports whether the piece stands inside quotation marks that hold
// little else.
func quoted(s string, from, to int) bool {
	const open, shut = "\"'“«„「『(", "\"'”»“」』)"
	start := strings.LastIndexAny(s[:from], open)
	end := strings.IndexAny(s[to:], shut)
	if start < 0 || end < 0 || to+end-start > maxMention {
		return false
	}
	return !strings.ContainsAny(s[start+1:from], ".!?。") || strings.HasSuffix(s[:start], "e.g.")
}

// weights gives what a weaker sign counts. A text is flagged when signs of
// different kinds come to enough together; each kind counts once.
var weights = map[class]int{tagged: 2, mustNow: 2, beforeUse: 1, fromNow: 1, newOrders: 2, overrideAll: 3, noLeave: 1, toModel: 1, ifModel: 2,
	threat: 2, forwards: 2, remote: 2, secretly: 2}

const enough = 4

// signs are weaker shapes and what they count.
var signs = []struct {
	shape  shape
	weight int
}{
	{shape{seq: []class{not, hush, user}, gaps: []int{1, 3}}, 1},
	{shape{seq: []class{not, hush, toUser}, gaps: []int{0, 3}}, 1},
	{shape{seq: []class{secret, address}, gaps: []int{20}}, 2},
	{shape{seq: []class{giving, files}, gaps: []int{4}}, 2},
	{shape{seq: []class{reading, secret}, gaps: []int{5}}, 1},
	{shape{seq: []class{handing, private, slot}, gaps: []int{5, 3}}, 2},
	{shape{seq: []class{private, slot, handing}, gaps: []int{4, 3}}, 2},
	{shape{seq: []class{handing, inmost, slot}, gaps: []int{3, 3}}, 1},
	{shape{seq: []class{overcome, rulesOf}, gaps: []int{1}}, 2},
	{shape{seq: []class{not, toolAll}, gaps: []int{2}}, 1},
}

// weigh adds up the weaker signs of a text and gives the byte at which the
// first stands.
func weigh(s string, hits []hit) (score, first int) {
	kinds := map[class]bool{}
	count := func(c class, from, weight int) {
		if weight == 0 || kinds[c] {
			return
		}
		kinds[c] = true
		if score == 0 || from < first {
			first = from
		}
		score += weight
	}
	for _, h := range hits {
		count(h.class, h.from, weights[h.class])
	}
	there := present(hits)
	for _, sign := range signs {
		if !sign.shape.among(there) {
			continue
		}
		if met := sign.shape.find(hits); met != nil {
			count(met[1].class+100, met[0].from, sign.weight)
		}
	}
	if at := pipesToShell(s); at >= 0 {
		count(remote, at, weights[remote])
	}
	return score, first
}

// pressed reports a text with enough of the weaker signs.
func pressed(pointer, s string, hits []hit) []Flag {
	var flags []Flag
	if score, first := weigh(s, hits); score >= enough {
		flags = append(flags, flag(ruleAddress, pointer, quote(s[first:]), Quarantine))
	}
	return append(flags, steers(pointer, s, hits)...)
}

// steers reports a text that wants its tool chosen before all others.
func steers(pointer, s string, hits []hit) []Flag {
	for _, sh := range []shape{
		{seq: []class{alwaysCall}},
		{seq: []class{thisTool, preferring, toolAll}, gaps: []int{3, 2}},
		{seq: []class{not, toolAll}, gaps: []int{2}},
	} {
		if met := sh.find(hits); met != nil {
			return []Flag{flag(ruleSteer, pointer, quote(s[met[0].from:met[len(met)-1].to]), Review)}
		}
	}
	return nil
}

// pipesToShell finds a download that is run at once; -1 where there is none.
func pipesToShell(s string) int {
	for _, get := range []string{"curl ", "wget ", "iwr ", "invoke-webrequest "} {
		at := strings.Index(s, get)
		if at < 0 {
			continue
		}
		rest := s[at:min(len(s), at+300)]
		for _, run := range []string{"| sh", "|sh", "| bash", "|bash", "| sudo", "| iex", "|iex", "| python", "| zsh", "&& sh ", "; sh "} {
			if strings.Contains(rest, run) {
				return at
			}
		}
	}
	return -1
}

// turns are the marks by which chat formats part who speaks.
var turns = []string{"<|im_start|>system", "<|im_start|>user", "<|im_start|>assistant", "<|system|>", "<|start_header_id|>system", "<<sys>>", "[/inst]",
	"<start_of_turn>user", "<start_of_turn>model", "<|im_end|> <|im_start|>", "</tool_response>", "</function_results>", "<function_calls>"}

// chat reports the turn markers of a chat.
func chat(pointer, s string) []Flag {
	if !strings.ContainsAny(s, "<[") {
		return nil
	}
	for _, mark := range turns {
		if strings.Contains(s, mark) {
			return []Flag{flag(ruleChat, pointer, quote(mark), Quarantine)}
		}
	}
	return nil
}

package policy

import (
	"fmt"
	"strings"

	cedar "github.com/cedar-policy/cedar-go"
)

// Explain says for people what a decision rests on, naming each policy with its
// place. It is for holders of audit: a reason tells what the others may see. A nil
// set explains what no policy took part in.
func (s *Set) Explain(d Decision) string {
	var b strings.Builder
	switch {
	case len(d.Errors) > 0:
		b.WriteString("denied: a policy that errs denies, whatever the others say\n")
	case len(d.Forbids) > 0:
		b.WriteString("denied: a forbid beats every permit\n")
	case d.Beside != "" && (s == nil || len(d.Permits) > 0):
		b.WriteString("denied: " + d.Beside + "\n")
	case s == nil:
		b.WriteString("allowed\n")
	case len(d.Permits) == 0:
		b.WriteString("denied: no policy permits it\n")
	case !d.Allowed:
		b.WriteString("denied: one does not decide on one's own request unless a permit says @self_approval(\"allowed\")\n")
	case d.Waived:
		b.WriteString("allowed, and needs no approval\n")
	default:
		b.WriteString("allowed\n")
	}
	if d.Beside != "" && s != nil && len(d.Permits) == 0 {
		b.WriteString("  beside policies, " + d.Beside + "\n")
	}
	for _, group := range []struct {
		what string
		ids  []string
	}{{"errs", d.Errors}, {"forbids", d.Forbids}, {"permits", d.Permits}} {
		for _, id := range group.ids {
			fmt.Fprintf(&b, "  %s  %s\n", group.what, s.Place(id))
		}
	}
	return b.String()
}

// Place gives an id with the file and line that it stands in.
func (s *Set) Place(id string) string {
	name, said, _ := strings.Cut(id, ": ")
	r := s.byID[cedar.PolicyID(name)]
	if r == nil {
		return id
	}
	at := r.policy.Position()
	text := fmt.Sprintf("%s (%s:%d)", name, at.Filename, at.Line)
	if said != "" {
		text += ": " + said
	}
	return text
}

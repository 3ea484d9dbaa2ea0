package policy

import (
	"regexp"
	"slices"
	"strings"

	cedar "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/ast"

	"github.com/seed-ae386458/interlock"
)

// The annotations that narrow a forbid of readField. One that is misspelled
// narrows nothing, and then the field is forbidden as a whole.
const (
	annotationRows   = "rows"
	annotationCounts = "counts"
	annotationBind   = "bind"
)

// Narrowing is a forbid of readField that leaves something of its field: of a
// list the items that match what is known of the principal (@rows), of an
// argument the value that is known of him, which he does not give (@bind).
type Narrowing struct {
	Rule   string `json:"rule"` // id of the policy
	Text   string `json:"text"` // as the annotation says it
	Counts bool   `json:"counts,omitempty"`
	rows   []match
	bind   *claim
}

// match is one way for an item to stay: a member of it is one of the values of
// a claim.
type match struct {
	at string // pointer inside the item
	of claim
}

// claim is something known of a principal by his credential, or a fixed text.
type claim struct {
	what string // name, tenant, roles, attribute, text
	name string // of an attribute; the text
}

var (
	matchForm = regexp.MustCompile(`^(/\S+) (==|in) (\S.*)$`)
	claimForm = regexp.MustCompile(`^(?:principal\.(name|tenant|roles)|principal\.(?:attributes)\.([A-Za-z0-9_.-]+)|"([^"\\]*)")$`)
)

// Binds reports that the principal does not give the argument: it is what
// Argument says.
func (n Narrowing) Binds() bool { return n.bind != nil }

// Argument gives the value that is bound; false where nothing of the kind is
// known of the principal.
func (n Narrowing) Argument(who interlock.Principal) (string, bool) {
	if n.bind == nil {
		return "", false
	}
	values := n.bind.values(who)
	return strings.Join(values, ""), len(values) == 1
}

// Members gives the pointers that an item is told by.
func (n Narrowing) Members() []string {
	var out []string
	for _, m := range n.rows {
		out = append(out, m.at)
	}
	return out
}

// Keeps reports whether an item stays: value gives its member at a pointer,
// false where it has none. Without the member, or the claim, it does not stay.
func (n Narrowing) Keeps(who interlock.Principal, value func(pointer string) (string, bool)) bool {
	return slices.ContainsFunc(n.rows, func(m match) bool {
		got, ok := value(m.at)
		return ok && got != "" && slices.Contains(m.of.values(who), got)
	})
}

// values gives what a principal's credential says; nothing where it says
// nothing.
func (c claim) values(who interlock.Principal) []string {
	one := ""
	switch c.what {
	case "name":
		one = who.Name
	case "tenant":
		one = who.Tenant
	case "roles":
		return who.Roles
	case "attribute":
		one = who.Attributes[c.name]
	case "text":
		one = c.name
	}
	if one == "" {
		return nil
	}
	return []string{one}
}

// narrowing reads the annotations of a policy that narrow it; nil where it has
// none of them.
func narrowing(p *cedar.Policy, id cedar.PolicyID, at string) (*Narrowing, error) {
	says := p.Annotations()
	rows, isRows := says[types.AnnotationKey(annotationRows)]
	bind, isBind := says[types.AnnotationKey(annotationBind)]
	counts, isCounts := says[types.AnnotationKey(annotationCounts)]
	if !isRows && !isBind && !isCounts {
		return nil, nil
	}
	if p.Effect() != cedar.Forbid || !forReadField((*ast.Policy)(p.AST())) {
		return nil, invalid("%s: @rows, @counts and @bind narrow a forbid whose action == Action::%q", at, ReadField)
	}
	if isRows == isBind || isCounts && (!isRows || counts != "kept") {
		return nil, invalid("%s: a forbid is narrowed by @rows, beside which @counts(\"kept\") may stand, or by @bind", at)
	}
	n := &Narrowing{Rule: string(id), Text: string(rows), Counts: isCounts}
	if isBind {
		n.Text = string(bind)
		if c, ok := readClaim(n.Text); ok && c.what != "roles" && c.what != "text" {
			n.bind = &c
			return n, nil
		}
		return nil, invalid("%s: @bind is written @bind(\"principal.tenant\"), or with principal.name or principal.attributes.NAME", at)
	}
	for part := range strings.SplitSeq(n.Text, " or ") {
		m, ok := readMatch(strings.TrimSpace(part))
		if !ok {
			return nil, invalid("%s: @rows: %q is not of the form /member == principal.tenant (or principal.name, principal.attributes.NAME, \"text\"), or /member in principal.roles", at, part)
		}
		n.rows = append(n.rows, m)
	}
	return n, nil
}

// forReadField reports whether a policy is about that action alone.
func forReadField(p *ast.Policy) bool {
	eq, ok := p.Action.(ast.ScopeTypeEq)
	return ok && eq.Entity == uidOf(ReadField)
}

func readMatch(text string) (match, bool) {
	m := matchForm.FindStringSubmatch(text)
	if m == nil {
		return match{}, false
	}
	c, ok := readClaim(m[3])
	if !ok || (m[2] == "in") != (c.what == "roles") || strings.Contains(m[1], "*") || strings.HasSuffix(m[1], "/") {
		return match{}, false
	}
	return match{m[1], c}, true
}

func readClaim(text string) (claim, bool) {
	m := claimForm.FindStringSubmatch(text)
	switch {
	case m == nil:
		return claim{}, false
	case m[1] != "":
		return claim{what: m[1]}, true
	case m[2] != "":
		return claim{what: "attribute", name: m[2]}, true
	}
	return claim{what: "text", name: m[3]}, m[3] != ""
}

// Names gives the places of a tool that policies name, whether the tool states
// them or not, so that what is forbidden by name stays out of the results of a
// tool that states nothing.
func (s *Set) Names(tool string) []string { return s.reads.fields[tool] }

// narrowed is one narrowing, ready for a class of principals.
type narrowed struct {
	by      Narrowing
	residue residue
}

// silent reports that the narrowing concerns no field of a tool.
func (n *narrowed) silent(tool string) bool {
	r := &n.residue
	return r.constant && !r.general.forbid && !r.general.failed && len(r.within[tool]) == 0 && !r.fields[tool]
}

// Narrows gives what is left of a field that Reads, where not all of it is.
func (j *Judge) Narrows(f Field) []Narrowing {
	var out []Narrowing
	for _, n := range j.narrows {
		if n.residue.field(f).forbid {
			out = append(out, n.by)
		}
	}
	return out
}

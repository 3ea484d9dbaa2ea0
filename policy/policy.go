// Package policy decides who may do what by Cedar policies of the operator's
// own. It promises that what no policy permits is denied, that a policy which
// errs while it is asked denies, that the two decisions views are made of
// (discover and readField) see no request context, and that a set never
// changes: its digest names it. It refuses policies that do not parse, that do
// not fit the schema (an unknown action, attribute or type), or that say an
// annotation wrong.
//
//	set, err := policy.Load([]policy.File{{Name: "main.cedar", Text: text}})
//	d := set.Invoke(who, policy.NewTool(facts), policy.Call{Now: now})
//	if !d.Allowed { … }
//
// Many decisions for one class of principals go through a Judge.
package policy

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"

	cedar "github.com/cedar-policy/cedar-go"
	"github.com/cedar-policy/cedar-go/types"
	"github.com/cedar-policy/cedar-go/x/exp/ast"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/spelling"
)

// The limits of what is read.
const (
	MaxFile     = 256 << 10 // bytes of one file
	MaxPolicies = 10_000    // in one set
	maxNesting  = 200       // open brackets, which bounds the depth of an expression
)

// File is one text of policies.
type File struct {
	Name string // for errors and reasons
	Text []byte
}

// Set is a loaded set of policies. It is safe for concurrent use and never
// changes.
type Set struct {
	digest string
	files  []File
	rules  []rule // but those that narrow
	narrow []rule // forbids of readField that leave something
	byID   map[cedar.PolicyID]*rule
	reads  readings
	moving []rule // of rules, those that read what is known of a request
	still  []rule // and the others
	mu     sync.Mutex
	judges sync.Map // class → *Judge; written under mu
	kept   int      // judges that are kept; guarded by mu
}

// rule is one policy of a set.
type rule struct {
	id     cedar.PolicyID
	policy *cedar.Policy
	waives bool       // @approval("none"): a call it permits needs no approval
	self   bool       // @self_approval("allowed"): one may grant one's own request
	cleans bool       // @hidden_characters("remove"): results of a call it permits lose what nobody sees
	leaves *Narrowing // @rows, @bind: what a forbid of readField leaves
}

func (r *rule) ast() *ast.Policy { return (*ast.Policy)(r.policy.AST()) }

// The annotations that mean something.
const (
	annotationID   = "id"
	annotationNone = "approval"
	annotationSelf = "self_approval"
	annotationSeen = "hidden_characters"
)

// Load reads, validates and names a set of policies. No file at all gives a
// set that denies everything. The error is of ReasonConfigInvalid and names
// file and line.
func Load(files []File) (*Set, error) {
	s := &Set{byID: map[cedar.PolicyID]*rule{}}
	check, err := validator()
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := s.add(f, check); err != nil {
			return nil, err
		}
	}
	for _, list := range [...][]rule{s.rules, s.narrow} {
		for i := range list {
			s.byID[list[i].id] = &list[i]
			s.reads.add(list[i].ast())
		}
	}
	for _, r := range s.rules {
		if readsContext(r.ast()) {
			s.moving = append(s.moving, r)
		} else {
			s.still = append(s.still, r)
		}
	}
	s.digest, s.files = digest(files), files
	return s, nil
}

// Files gives the texts that the set was loaded from. They are not to be
// changed.
func (s *Set) Files() []File { return s.files }

// Digest names the set by its content: SHA-256 over its files, hex.
func (s *Set) Digest() string { return s.digest }

// Len counts the policies.
func (s *Set) Len() int { return len(s.rules) + len(s.narrow) }

func digest(files []File) string {
	h := sha256.New()
	h.Write([]byte("interlock/policy/1"))
	for _, f := range files {
		for _, part := range [][]byte{[]byte(f.Name), f.Text} {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
			h.Write(part)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// add reads one file.
func (s *Set) add(f File, check *validate.Validator) error {
	if len(f.Text) > MaxFile {
		return invalid("%s: over %d bytes; part it into several files", f.Name, MaxFile)
	}
	if line := tooDeep(f.Text); line > 0 {
		return invalid("%s:%d: brackets are nested more than %d deep", f.Name, line, maxNesting)
	}
	list, err := cedar.NewPolicyListFromBytes(f.Name, f.Text)
	if err != nil {
		return invalid("%s", misparsed(f.Name, err))
	}
	if s.Len()+len(list) > MaxPolicies {
		return invalid("%s: over %d policies in all", f.Name, MaxPolicies)
	}
	for i, p := range list {
		r, err := newRule(f.Name, i, p)
		if err != nil {
			return err
		}
		if err := check.Policy("", r.ast()); err != nil {
			return invalid("%s:%d: %s", f.Name, p.Position().Line, oneLine(err))
		}
		same := func(o rule) bool { return o.id == r.id }
		if slices.ContainsFunc(s.rules, same) || slices.ContainsFunc(s.narrow, same) {
			return invalid("%s:%d: another policy has the id %q", f.Name, p.Position().Line, r.id)
		}
		if r.leaves != nil {
			s.narrow = append(s.narrow, r)
			continue
		}
		s.rules = append(s.rules, r)
	}
	return nil
}

// parseFault is how the parser words an error: where it stood, before which
// word, and what it found and wanted.
var parseFault = regexp.MustCompile(`(?s)^parse error at [^:]*:(\d+):\d+ ".*?": (?:exact got (.*) want (.*)|(.*))$`)

// misparsed says in which line a file does not parse, and why.
func misparsed(file string, err error) string {
	text := strings.TrimPrefix(err.Error(), "parser error: ")
	m := parseFault.FindStringSubmatch(text)
	switch {
	case m == nil:
		return file + ": " + text
	case m[4] != "":
		return fmt.Sprintf("%s:%s: %s", file, m[1], m[4])
	}
	return fmt.Sprintf("%s:%s: expected %q, found %q", file, m[1], m[3], m[2])
}

// newRule names a policy and reads its annotations: file and number, or what
// @id says.
func newRule(file string, i int, p *cedar.Policy) (rule, error) {
	r := rule{id: cedar.PolicyID(fmt.Sprintf("%s#%d", file, i+1)), policy: p}
	says := p.Annotations()
	at := fmt.Sprintf("%s:%d", file, p.Position().Line)
	if id, ok := says[annotationID]; ok {
		if id == "" {
			return r, invalid("%s: @id is empty", at)
		}
		r.id = cedar.PolicyID(id)
	}
	for _, a := range []struct {
		key, value string
		set        *bool
	}{{annotationNone, "none", &r.waives}, {annotationSelf, "allowed", &r.self}, {annotationSeen, "remove", &r.cleans}} {
		said, ok := says[types.AnnotationKey(a.key)]
		if !ok {
			continue
		}
		if string(said) != a.value || p.Effect() != cedar.Permit {
			return r, invalid("%s: the annotation @%s is written @%s(%q) and stands on a permit", at, a.key, a.key, a.value)
		}
		*a.set = true
	}
	if err := spelled(says, at); err != nil {
		return r, err
	}
	var err error
	r.leaves, err = narrowing(p, r.id, at)
	return r, err
}

// spelled refuses an annotation that is nearly one which means something: it
// would mean nothing. Any other is a note.
func spelled(says types.Annotations, at string) error {
	known := []string{annotationID, annotationNone, annotationSelf, annotationSeen, annotationRows, annotationCounts, annotationBind}
	for key := range says {
		if near := spelling.Nearest(string(key), known); near != "" && !slices.Contains(known, string(key)) {
			return invalid("%s: the annotation @%s means nothing; did you mean @%s?", at, key, near)
		}
	}
	return nil
}

// tooDeep gives the line where brackets are nested too deep, 0 where none is.
// Brackets in strings and comments do not count.
func tooDeep(text []byte) int {
	line, depth := 1, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\n':
			line++
		case '(', '[', '{':
			if depth++; depth > maxNesting {
				return line
			}
		case ')', ']', '}':
			depth = max(depth-1, 0)
		case '/':
			if i+1 < len(text) && text[i+1] == '/' {
				for i+1 < len(text) && text[i+1] != '\n' {
					i++
				}
			}
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				switch text[i] {
				case '\\':
					i++
				case '\n':
					line++
				}
			}
		}
	}
	return 0
}

func oneLine(err error) string { return strings.ReplaceAll(err.Error(), "\n", "; ") }

func invalid(format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonConfigInvalid, Stage: "policy", Public: "policy " + fmt.Sprintf(format, args...)}
}

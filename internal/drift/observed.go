package drift

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// seal gives what was found new its digest and its place in the log.
func (t *tool) seal(m moment) ([]Record, error) {
	var news []Record
	seen := t.fingerprint()
	moved := seen != t.Print && t.Profile.relevant() > 0
	if moved {
		t.Print = seen
	}
	for _, f := range t.Found {
		if f.Digest != "" {
			continue
		}
		f.Body.Observed = t.Print
		digest, err := digestOf(f.Body)
		if err != nil {
			return nil, fmt.Errorf("divergence of %s: %w", t.Doc.Tool, err)
		}
		f.Digest = digest
		news = append(news, Record{interlock.EntryDivergence, f.Body})
	}
	if moved {
		news = append([]Record{{interlock.EntryObserved, t.observed(m)}}, news...)
	}
	return news, nil
}

// fingerprint hashes what was observed: the documentation, but for what was
// seen to be otherwise. So it stays while a tool does what it documents, however
// many calls are seen, and moves when behaviour does.
func (t *tool) fingerprint() string {
	sum := sha256.New()
	fmt.Fprintf(sum, "interlock/observed/1\x00%s\n%s\n%s\n", t.Doc.Fingerprint, t.Doc.Contract, t.Doc.Binding)
	var keys []string
	for _, f := range t.Found {
		if !f.Mended {
			keys = append(keys, f.Key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		fmt.Fprintf(sum, "%s\n", key)
	}
	if !t.Doc.Output {
		letters := slices.Sorted(maps.Keys(t.Profile.Paths[""].Types))
		fmt.Fprintf(sum, "result %s\n", strings.Join(letters, ""))
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// ObservedBody is the body of an observed_behavior_fingerprint entry: the
// merged profile in short, and where it leaves the documentation.
type ObservedBody struct {
	At          string           `json:"at"`
	Tool        string           `json:"tool"`
	Version     string           `json:"version"`
	Contract    string           `json:"contract"`
	Binding     string           `json:"binding"`
	Fingerprint string           `json:"documented_behavior_fingerprint"`
	Observed    string           `json:"observed_behavior_fingerprint"`
	Calls       map[Class]int64  `json:"calls"`
	Outcomes    map[string]int64 `json:"outcomes"`
	Beyond      []string         `json:"beyond,omitempty"` // kind, place and what was seen
}

func (t *tool) observed(m moment) ObservedBody {
	b := ObservedBody{At: m.at, Tool: t.Doc.Tool, Version: t.Doc.Version, Contract: t.Doc.Contract, Binding: t.Doc.Binding, Fingerprint: t.Doc.Fingerprint,
		Observed: t.Print, Calls: maps.Clone(t.Profile.Calls), Outcomes: maps.Clone(t.Profile.Outcomes)}
	for _, f := range t.Found {
		if !f.Mended {
			b.Beyond = append(b.Beyond, f.Key)
		}
	}
	slices.SortFunc(b.Beyond, cmp.Compare[string])
	return b
}

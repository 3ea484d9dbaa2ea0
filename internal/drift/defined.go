package drift

import "fmt"

// define holds a definition that waits against the one that is served: what
// nobody accepted is drift, what an operator accepted is none.
func (t *tool) define(m moment, next DocumentedBody) {
	had := t.Doc
	t.undefine(next.Fingerprint + next.Pin + next.Binding + next.Version)
	tell := func(kind Kind, at, doc, saw string) {
		c := claim{kind: kind, at: at, doc: doc, saw: saw, confidence: 1,
			evidence: fmt.Sprintf("the source states %s in the place of %s, and nobody accepted it yet", saw, doc)}
		t.diverge(m, nil, definedKey(kind, next), c, 1)
	}
	sameContract, sameVersion := had.Contract == next.Contract, had.Version == next.Version
	switch {
	case !sameContract && sameVersion:
		tell(SchemaChangedWithoutVersion, "definition:/contract", "contract "+head(had.Contract)+" at version "+had.Version, "contract "+head(next.Contract)+" at the same version")
	case sameContract && !sameVersion:
		tell(VersionChangedWithoutSchema, "definition:/version", "version "+had.Version, "version "+next.Version+" with the same contract")
	case sameContract && had.Pin != next.Pin && had.Hints == next.Hints && had.Name == next.Name:
		tell(DescriptionChangedSameContract, "definition:/description", "wording "+head(had.Pin), "wording "+head(next.Pin))
	}
	if had.Hints != next.Hints {
		tell(AnnotationFlip, "definition:/annotations", "annotations "+had.Hints.String(), "annotations "+next.Hints.String())
	}
	if had.Binding != next.Binding {
		tell(BindingChanged, "definition:/binding", "binding "+head(had.Binding), "binding "+head(next.Binding))
	}
	if had.Name != next.Name || had.Source != next.Source {
		tell(ToolRenamedOrShadowed, "definition:/name", had.Source+"/"+had.Name, next.Source+"/"+next.Name)
	}
}

const definedPrefix = "definition|"

func definedKey(kind Kind, next DocumentedBody) string {
	return definedPrefix + string(kind) + "|" + next.Fingerprint + next.Pin + next.Binding + next.Version
}

// undefine drops what was told of definitions that wait no longer.
func (t *tool) undefine(but string) {
	kept := t.Found[:0]
	for _, f := range t.Found {
		if !defines(f.Body.Kind) || f.Body.Pointer[:min(len(f.Body.Pointer), 11)] != "definition:" || but != "" && f.Key == definedPrefix+string(f.Body.Kind)+"|"+but {
			kept = append(kept, f)
		}
	}
	t.Found = kept
}

func defines(kind Kind) bool {
	for _, e := range Catalogue() {
		if e.Kind == kind {
			return len(e.Means) == 1 && e.Means[0] == Defined
		}
	}
	return false
}

func head(hash string) string { return clip(hash, 12) }

// String names the claims that are made.
func (h hints) String() string {
	text := ""
	for _, claim := range [...]struct{ name, value string }{{"read-only", h.ReadOnly}, {"destructive", h.Destructive}, {"idempotent", h.Idempotent}, {"open-world", h.OpenWorld}} {
		if claim.value == "" {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += claim.name + " " + map[string]string{"y": "yes", "n": "no"}[claim.value]
	}
	return orNone(text)
}

package probe

import (
	"regexp"

	"github.com/seed-ae386458/interlock/internal/drift"
)

var locked = regexp.MustCompile(`(?i)unauth|forbidden|permission|credential|access[ _-]?denied`)

// guarded reports whether the documentation promises that not everybody is
// answered.
func (r *reading) guarded() bool {
	for _, e := range r.errors {
		if e.Status == 401 || e.Status == 403 || locked.MatchString(e.When+" "+e.Code) {
			return true
		}
	}
	return r.scoped
}

func aptNobody(p *Prober) string {
	switch {
	case !p.tool.guarded():
		return "the documentation asks for no credential"
	case !p.secret:
		return "calls to it carry no credential that could be left out"
	}
	return needsBase(p)
}

// nobody makes the call of the example twice without any credential.
func nobody(t *trial) {
	served := 0
	const asked = 2
	for range asked {
		x, ok := t.once(Ask{Probe: drift.ProbeNobody, Args: t.p.tool.encode(t.p.base.args), Anonymous: true})
		if !ok {
			return
		}
		if x.class == granted && !x.says && !x.empty {
			served++
		}
	}
	switch served {
	case asked:
		t.breaks(drift.AuthScopeWidened, "input:", asked, "the call is answered without any credential, twice; the documentation asks for one")
	case 0:
		t.holds(drift.AuthScopeWidened, "input:", asked, "without a credential nothing is answered")
	}
}

package auth_test

import (
	"testing"
	"time"

	"github.com/seed-ae386458/interlock/internal/auth"
)

func TestPasses(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	p := auth.NewPasses(func() time.Time { return now })
	pass, until := p.Make()
	if until != now.Add(12*time.Hour) {
		t.Errorf("until %s", until)
	}
	for name, tc := range map[string]struct {
		headers []string
		ok      bool
		fault   auth.Fault
	}{
		"the pass":       {[]string{"Bearer " + pass}, true, ""},
		"the pass twice": {[]string{"Bearer " + pass, "bearer " + pass}, true, ""},
		"none":           {nil, false, ""},
		"a token":        {[]string{"Bearer some-token"}, false, ""},
		"two":            {[]string{"Bearer " + pass, "Bearer some-token"}, false, ""}, // and who looks next refuses it
		"a scheme":       {[]string{"Basic " + pass}, false, ""},
		"altered":        {[]string{"Bearer " + pass + "A"}, false, auth.FaultUnknown},
		"no more":        {[]string{"Bearer interlock-console-"}, false, auth.FaultUnknown},
	} {
		ok, err := p.Shown(tc.headers)
		if ok != tc.ok || (err != nil) != (tc.fault != "") || err != nil && auth.FaultOf(err) != tc.fault {
			t.Errorf("%s: %t %v", name, ok, err)
		}
	}
	now = until
	if ok, err := p.Shown([]string{"Bearer " + pass}); ok || auth.FaultOf(err) != auth.FaultExpired {
		t.Errorf("expired: %t %v", ok, err)
	}
	var none *auth.Passes
	if ok, err := none.Shown([]string{"Bearer " + pass}); ok || err != nil {
		t.Errorf("without passes: %t %v", ok, err)
	}
}

// TestPassesAreFew: of too many the one that ends first goes.
func TestPassesAreFew(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	p := auth.NewPasses(func() time.Time { return now })
	var all []string
	for range 18 {
		pass, _ := p.Make()
		all, now = append(all, pass), now.Add(time.Second)
	}
	for i, pass := range all {
		if ok, _ := p.Shown([]string{"Bearer " + pass}); ok != (i >= 2) {
			t.Errorf("pass %d holds: %t", i, ok)
		}
	}
}

package auth_test

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/auth"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

// watch is a clock that tests move.
type watch struct{ now time.Time }

func (w *watch) Now() time.Time { return w.now }

// A principal's old secret ends while the new one serves, and nothing of him is
// lost between.
func TestRotation(t *testing.T) {
	w := &watch{noon}
	a, err := auth.New(auth.Config{Tokens: []auth.Token{
		{Name: "alice", Secret: interlock.Secret(sum("next")), Tenant: "a", Secrets: []auth.Secret{{Token: interlock.Secret(sum("old")), Expires: "2026-11-30T13:00:00Z"}, {Token: interlock.Secret(sum("older")), Expires: "2026-11-30T11:00:00+00:00"}}},
		{Name: "brief", Secret: interlock.Secret(sum("brief")), Expires: "2026-11-30T12:30:00Z"},
	}}, auth.Options{Clock: w.Now})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at    time.Duration
		token string
		who   string
	}{
		{0, "next", "alice"}, {0, "old", "alice"}, {0, "older", ""}, {0, "brief", "brief"},
		{30*time.Minute - 1, "brief", "brief"}, {30 * time.Minute, "brief", ""},
		{time.Hour - 1, "old", "alice"}, {time.Hour, "old", ""}, {1000 * time.Hour, "next", "alice"},
	} {
		w.now = noon.Add(c.at)
		who, err := a.Authenticate(request("Bearer " + c.token))
		if who.Name != c.who || (err == nil) != (c.who != "") {
			t.Errorf("%s at %s: %q %v", c.token, c.at, who.Name, err)
		}
		if err != nil && (interlock.CodeOf(err) != interlock.CodeUnauthenticated || !strings.Contains(err.Error(), "expired")) {
			t.Errorf("%s at %s: %v", c.token, c.at, err)
		}
	}
}

func TestExpiredTokenIsWarnedOf(t *testing.T) {
	var log bytes.Buffer
	_, err := auth.New(auth.Config{Tokens: []auth.Token{{Name: "alice", Secret: interlock.Secret(sum("x")), Expires: "2026-11-30T12:00:00Z"}}},
		auth.Options{Clock: func() time.Time { return noon }, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil || !strings.Contains(log.String(), "alice") || !strings.Contains(log.String(), "expired") {
		t.Error(err, log.String())
	}
}

// Scopes narrow what the lists allow, and never widen it.
func TestScopesNarrow(t *testing.T) {
	for _, c := range []struct {
		name          string
		scopes        []string
		sees, invokes bool
	}{
		{"not given", nil, true, true},
		{"none", []string{}, false, false},
		{"look", []string{"discover"}, true, false},
		{"look and use", []string{"discover", "invoke"}, true, true},
		{"another right", []string{"audit"}, false, false},
	} {
		a, err := auth.New(auth.Config{Tokens: []auth.Token{{Name: "alice", Secret: interlock.Secret(sum("x")), Scopes: c.scopes, Allow: []string{"docs/*"}, Attributes: map[string]string{"desk": "rates"}}}}, auth.Options{})
		if err != nil {
			t.Fatal(err)
		}
		who, err := a.Authenticate(request("Bearer x"))
		if err != nil {
			t.Fatal(err)
		}
		m := auth.NewMatcher(who)
		if m.Sees("shared", "docs/x") != c.sees || m.Leaves("shared", "docs/x") != c.sees || m.MayInvoke("docs/x") != c.invokes || m.Sees("shared", "mail/x") {
			t.Errorf("%s: sees %t, may invoke %t", c.name, m.Sees("shared", "docs/x"), m.MayInvoke("docs/x"))
		}
		if diff := cmp.Diff(map[string]string{"desk": "rates"}, who.Attributes); diff != "" {
			t.Error(diff)
		}
	}
}

func TestWithin(t *testing.T) {
	if !(interlock.Principal{}).Within("audit") || (interlock.Principal{Scopes: []string{}}).Within("audit") || !(interlock.Principal{Scopes: []string{"audit"}}).Within("audit") {
		t.Error("scopes: nil narrows nothing, an empty list everything")
	}
}

package drift

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock"
)

// filled sets a value to something that is not its zero, through and through.
func filled(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt(7)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		filled(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem())
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		filled(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				filled(v.Field(i))
			}
		}
	}
}

// documentation is one in which every member says something.
func documentation(name string) DocumentedBody {
	var d DocumentedBody
	filled(reflect.ValueOf(&d).Elem())
	d.Tool, d.Gone = name, false
	d.Contract, d.Pin = strings.Repeat("0a", 32), strings.Repeat("1b", 32)
	d.Binding, d.Fingerprint = strings.Repeat("2c", 32), strings.Repeat("3d", 32)
	return d
}

// TestQuietSaysAll: the short form of a tool gives back every member of what it
// documents.
func TestQuietSaysAll(t *testing.T) {
	bare := DocumentedBody{Tool: "lab/a", Source: "lab", Name: "a"}
	other := documentation("lab/a")
	other.Name, other.Binding = "/a", ""
	for _, d := range []DocumentedBody{documentation("lab/a"), bare, other} {
		for _, served := range []bool{true, false} {
			had := newTool(d)
			had.Served = served
			q := hushed(had)
			if q == nil {
				t.Fatalf("%+v has no short form", d)
			}
			if diff := cmp.Diff(had, q.loud(d.Tool), cmp.AllowUnexported(tool{}, DocumentedBody{})); diff != "" {
				t.Errorf("(-had +given back):\n%s", diff)
			}
		}
	}
}

// TestQuietKnowsNothingElse: a tool of which anything is known beside what it
// documents stays in full, and so does one whose hashes are of another form.
func TestQuietKnowsNothingElse(t *testing.T) {
	for i := range reflect.TypeFor[tool]().NumField() {
		f := reflect.TypeFor[tool]().Field(i)
		if f.Name == "Doc" || f.Name == "Served" || f.Name == "Applied" {
			continue
		}
		had := newTool(documentation("lab/a"))
		filled(reflect.ValueOf(had).Elem().Field(i))
		if hushed(had) != nil {
			t.Errorf("%s is forgotten", f.Name)
		}
	}
	for _, hash := range []string{"b", strings.Repeat("0A", 32), strings.Repeat("00", 32), strings.Repeat("0g", 32)} {
		d := documentation("lab/a")
		d.Binding = hash
		if hushed(newTool(d)) != nil {
			t.Errorf("the hash %q is kept as another", hash)
		}
	}
}

// TestQuietUntilObserved: a tool that was documented and never called is held in
// its short form, also where it is restored, and the first observation ends that.
func TestQuietUntilObserved(t *testing.T) {
	l := newLab(t)
	d := documentation("lab/a")
	d.Waiting, d.Withdrawn = false, false
	l.enter(interlock.EntryDocumented, d)
	g := NewLedger()
	for name, state := range l.ledger.Changed() {
		if err := g.Restore(name, state); err != nil {
			t.Fatal(err)
		}
	}
	for _, held := range []*Ledger{l.ledger, g} {
		if held.quiet["lab/a"] == nil || len(held.tools) > 0 {
			t.Fatalf("held in full: %v", held.tools)
		}
		if _, ok := held.Row("lab/a", Policy{}, l.now); !ok || !held.Knows("lab/a") || len(held.Tools()) != 1 {
			t.Error("a quiet tool is not known")
		}
		if held.quiet["lab/a"] == nil {
			t.Error("asking made it loud")
		}
	}
	l.enter(interlock.EntryCall, map[string]any{"at": "2026-11-01T12:00:00Z", "tool": "lab/a", "effect": "write"})
	if l.ledger.quiet["lab/a"] != nil || l.ledger.tools["lab/a"].LastWrite == 0 {
		t.Error("a call that may have written leaves nothing")
	}
	l.enter(interlock.EntryRegistry, map[string]any{"action": "withdrawn", "source": "x"})
	if l.ledger.Knows("lab/a") {
		t.Error("it outlives its source")
	}
	if _, err := g.Apply(interlock.LogEntry{Index: g.Applied(), Type: interlock.EntryRegistry, Body: []byte(`{"action":"withdrawn","source":"x"}`)}); err != nil || g.Knows("lab/a") {
		t.Errorf("quiet, it outlives its source: %v", err)
	}
}

package receipt

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// longWay hides from Canonical that a body can write itself.
type longWay struct{ CallBody }

func (longWay) appendCanonical([]byte) ([]byte, bool) { return nil, false }

// The direct form of a body is that of the encoder and the canonicaliser,
// whatever is in it, and every member that the body has is in it.
func TestDirectIsCanonical(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	texts := []string{"", "a", "sha256:00ff", "docs/echo", `q"uote`, `back\slash`, "tab\t", "café", "漢字", "\u2028", "<&>", "\xff\xfe", "\x7f", "~ !"}
	numbers := []int64{0, 1, -1, 12345, 1<<53 - 1, -(1<<53 - 1), 1 << 53}
	objects := []string{"", `{"b":1,"a":{"y":[true,"x"],"x":0.5}}`, `{ "a" : "\u0061" }`, "{}", "null", "[1]", `{"a":1e400}`, `{"a":`, `{"a":null}`}
	same := 0
	for range 20000 {
		var b CallBody
		// Mostly what calls have, and now and then anything.
		odd := rng.IntN(3) == 0
		fill(reflect.ValueOf(&b).Elem(), func(v reflect.Value) {
			some := texts[:4]
			if odd && rng.IntN(8) == 0 {
				some = texts
			}
			switch v.Kind() {
			case reflect.String:
				v.SetString(some[rng.IntN(len(some))])
			case reflect.Slice:
				v.SetBytes([]byte(objects[rng.IntN(len(some))%len(objects)]))
			case reflect.Bool:
				v.SetBool(rng.IntN(2) == 0)
			default:
				v.SetInt(numbers[rng.IntN(len(numbers))])
			}
		})
		want, wantErr := Canonical(longWay{b})
		got, err := Canonical(b)
		if string(got) != string(want) || (err == nil) != (wantErr == nil) {
			t.Fatalf("%+v:\n%s %v\n%s %v", b, got, err, want, wantErr)
		}
		if _, ok := b.appendCanonical(nil); ok {
			same++
		}
	}
	if same < 5000 {
		t.Errorf("only %d of 20000 bodies were written directly", same)
	}
}

// longResolve hides the same of the body of an answer.
type longResolve struct{ ResolveBody }

func (longResolve) appendCanonical([]byte) ([]byte, bool) { return nil, false }

// TestDirectResolve: the same of answers, with lists of any length.
func TestDirectResolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	texts := []string{"", "a", "sha256:00ff", "docs/echo", `q"uote`, "café", "\xff\xfe", "<&>"}
	same := 0
	for range 20000 {
		some := texts[:4]
		if rng.IntN(4) == 0 {
			some = texts
		}
		set := func(v reflect.Value) {
			switch v.Kind() {
			case reflect.String:
				v.SetString(some[rng.IntN(len(some))])
			case reflect.Int64:
				v.SetInt([...]int64{0, 7, 1 << 53}[rng.IntN(len(some)/3+1)])
			}
		}
		b := ResolveBody{Offered: make([]Offered, rng.IntN(4)), Shadowed: make([]Shadowed, rng.IntN(3))}
		fill(reflect.ValueOf(&b).Elem(), set)
		for i := range b.Offered {
			fill(reflect.ValueOf(&b.Offered[i]).Elem(), set)
		}
		for i := range b.Shadowed {
			fill(reflect.ValueOf(&b.Shadowed[i]).Elem(), set)
		}
		want, wantErr := Canonical(longResolve{b})
		got, err := Canonical(b)
		if string(got) != string(want) || (err == nil) != (wantErr == nil) {
			t.Fatalf("%+v:\n%s %v\n%s %v", b, got, err, want, wantErr)
		}
		if _, ok := b.appendCanonical(nil); ok {
			same++
		}
	}
	if same < 5000 {
		t.Errorf("only %d of 20000 bodies were written directly", same)
	}
}

// fill sets every text and number of a struct.
func fill(v reflect.Value, set func(reflect.Value)) {
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.Struct {
			fill(f, set)
		} else {
			set(f)
		}
	}
}

// FuzzPlain: what appendPlain writes is what the canonicaliser writes.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{`{}`, `{"b":[1,{"d":true,"c":"x"}],"a":0.5}`, ` { "a" : [ ] , "A" : -0 } `, `{"a":1,"a":2}`, `{"\u0061":1}`, `{"a":null}`, `{"a":"é"}`, `{"a":1e3}`, `{"z":{},"y":{"b":2,"a":1}}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if !json.Valid(text) || rawjson.KindOf(text) != rawjson.KindObject {
			return
		}
		got, ok := appendPlain(nil, bytes.TrimSpace(text))
		if !ok {
			return
		}
		want, err := Canonical(json.RawMessage(text))
		if err != nil || string(got) != string(want) {
			t.Errorf("%q: %s, canonical %s %v", text, got, want, err)
		}
	})
}

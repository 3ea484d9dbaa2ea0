package drift

import (
	"math"
	"strconv"
	"strings"

	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// meaning reads what the values with a meaning say.
func (s *sight) meaning() {
	r := &s.r.roles
	s.echoes(r)
	s.measures(r)
	s.instants(r)
	s.list(r.list)
	for _, n := range r.revisions {
		raw := s.caught[n.slot]
		if len(raw) == 0 || s.o.Revision != "" {
			continue
		}
		s.o.RevisionAt = "output:" + n.at
		if len(raw) <= 20 && rawjson.KindOf(raw) == rawjson.KindNumber {
			s.o.Revision = string(raw)
		} else if s.x.Key != nil {
			s.o.Revision = "#" + s.x.Key(raw)
		}
	}
	s.o.Core, s.o.Mood = s.tag(r.core), s.tag(r.moods)
}

// tag names the values of some places, all of which have to be there.
func (s *sight) tag(nodes []*node) string {
	if s.x.Key == nil || len(nodes) == 0 {
		return ""
	}
	var all []byte
	for _, n := range nodes {
		if s.caught[n.slot] == nil {
			return ""
		}
		all = append(append(all, s.caught[n.slot]...), '\n')
		if len(all) > maxTagged {
			return ""
		}
	}
	return s.x.Key(all)
}

// arg gives an argument, or its documented default.
func (s *sight) arg(n *node) (raw []byte, omitted bool) {
	if raw, ok := rawjson.At(s.x.Args, n.at); ok {
		return raw, false
	}
	return n.def, true
}

func (s *sight) echoes(r *roles) {
	for i := range r.echoes {
		e := &r.echoes[i]
		out := s.caught[e.out.slot]
		in, omitted := s.arg(e.in)
		if out == nil || in == nil || rawjson.KindOf(in) != rawjson.KindOf(out) {
			continue
		}
		seen := Echo{In: "input:" + e.in.at, Out: "output:" + e.out.at, Omitted: omitted}
		switch {
		case rawjson.KindOf(in) == rawjson.KindString:
			seen.As, seen.Mixed = textEcho(in, out)
		case rawjson.KindOf(in) != rawjson.KindNumber:
			seen.As = boolEcho(in, out)
		case e.pair >= 0 && s.swapped(e, &r.echoes[e.pair], in, out):
			seen.As, seen.With = "swapped", "input:"+r.echoes[e.pair].in.at
		default:
			seen.As = numberEcho(in, out, e.expect)
		}
		if seen.As == "above" || seen.As == "below" {
			seen.Tag = s.key(out)
		}
		if seen.As != "same" && seen.As != "" {
			seen.Asked = s.key(in)
		}
		if seen.As != "" {
			s.o.Echoes = append(s.o.Echoes, seen)
		}
	}
}

func (s *sight) key(raw []byte) string {
	if s.x.Key == nil {
		return ""
	}
	return s.x.Key(raw)
}

// swapped reports whether two arguments came back in each other's place.
func (s *sight) swapped(e, other *echo, in, out []byte) bool {
	otherOut := s.caught[other.out.slot]
	otherIn, omitted := s.arg(other.in)
	if otherOut == nil || otherIn == nil || omitted || e.expect != 1 || other.expect != 1 {
		return false
	}
	a, b, x, y := numberOf(in), numberOf(otherIn), numberOf(out), numberOf(otherOut)
	return near(a, y, 0.01) && near(b, x, 0.01) && !near(a, b, 0.1)
}

// near compares within a share of the larger; what is no number is near
// nothing.
func near(a, b, share float64) bool {
	return math.Abs(a-b) <= share*max(math.Abs(a), math.Abs(b))
}

func boolEcho(in, out []byte) string {
	if rawjson.Equal(in, out) {
		return "same"
	}
	return "above"
}

// textEcho compares texts: what only letter case or space sets apart is folded.
func textEcho(in, out []byte) (as string, mixed bool) {
	a, _ := rawjson.String(in)
	b, _ := rawjson.String(out)
	if len(a) > 4096 || len(b) > 4096 {
		return "", false
	}
	mixed = strings.ToLower(a) != a && strings.ToUpper(a) != a || strings.TrimSpace(a) != a
	switch {
	case a == b:
		return "same", mixed
	case strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)):
		return "folded", true
	}
	return "", false
}

// numberEcho compares numbers. A whole number that came back as the nearest
// double of itself was rounded; one that lies next to what was sent is near,
// which a tool may always have done.
func numberEcho(in, out []byte, expect float64) string {
	if expect == 1 && rawjson.Equal(in, out) {
		return "same"
	}
	a, b := numberOf(in), numberOf(out)
	if math.IsNaN(a) || math.IsNaN(b) || math.IsInf(a, 0) || math.IsInf(b, 0) {
		return ""
	}
	want := a * expect
	switch {
	case expect == 1 && math.Abs(a) > 1<<53 && whole(in) && a == b:
		return "rounded"
	case expect != 1 && near(want, b, 1e-9):
		return "same"
	case near(want, b, 1e-3):
		return "near"
	case want != 0:
		if f, ok := factorOf(b/want, 1e-6); ok {
			return f
		}
		if f, ok := cutFactor(b, want); ok {
			return f
		}
	}
	if b > want {
		return "above"
	}
	return "below"
}

// cutFactor finds a factor behind a result that was cut to a whole number.
func cutFactor(out, want float64) (string, bool) {
	if out != math.Trunc(out) || math.Abs(out) < 2 {
		return "", false
	}
	for _, f := range factors {
		if f.value < 1 && math.Abs(want*f.value-out) < 1 {
			return f.name, true
		}
	}
	return "", false
}

// measures notes the numbers that have a unit, and tells instants that are
// counted in another one.
func (s *sight) measures(r *roles) {
	for i := range r.measures {
		m := &r.measures[i]
		raw := s.caught[m.out.slot]
		if raw == nil || rawjson.KindOf(raw) != rawjson.KindNumber || len(raw) > 32 {
			continue
		}
		if m.epoch && !s.epoch(m, numberOf(raw)) {
			continue
		}
		if m.epoch {
			continue // instants grow; what they are counted in is judged above
		}
		if s.o.Marks == nil {
			s.o.Marks = map[string]string{}
		}
		s.o.Marks["output:"+m.out.at] = string(raw)
	}
}

// The instants that a count from 1970 is plausible for, in seconds: 1973 to
// 2286. They are less than a factor of 1000 apart from nothing that is counted
// in another unit.
const (
	oldest = 1e8
	newest = 1e10
)

func (s *sight) epoch(m *measure, v float64) bool {
	seconds := v * m.unit.factor
	if v == 0 || seconds >= oldest && seconds <= newest {
		return true
	}
	for _, code := range [...]string{"s", "ms", "us", "ns"} {
		if as := v * units[code].factor; as >= oldest && as <= newest && code != m.unit.code {
			s.sign(FormatShift, "output:"+m.out.at, "counted from 1970 in "+m.unit.code, "counted in "+code)
			return false
		}
	}
	return true
}

// instants holds the end of something against its length.
func (s *sight) instants(r *roles) {
	for i := range r.instants {
		in := &r.instants[i]
		raw := s.caught[in.out.slot]
		arg, omitted := s.arg(in.in)
		if raw == nil || omitted || s.x.At.IsZero() || rawjson.KindOf(arg) != rawjson.KindNumber {
			continue
		}
		want := numberOf(arg) * in.factor
		var ahead float64
		if in.epoch == 0 {
			text, _ := rawjson.String(raw)
			end, ok := readInstant(text)
			if !ok {
				continue
			}
			ahead = end.Sub(s.x.At).Seconds()
		} else {
			ahead = numberOf(raw)*in.epoch - float64(s.x.At.UnixMilli())/1000
		}
		if as := endEcho(ahead, want, s.x.Took.Seconds()); as != "" {
			s.o.Echoes = append(s.o.Echoes, Echo{In: "input:" + in.in.at, Out: "output:" + in.out.at, As: as, Asked: s.key(arg)})
		}
	}
}

// endEcho says how far ahead an instant lies, held against how far it had to.
// Clocks differ by seconds, so nothing is said of what a difference of those
// explains.
func endEcho(ahead, want, took float64) string {
	slack := 2 + took
	switch {
	case want <= 0 || math.IsNaN(ahead) || math.IsNaN(want):
		return ""
	case math.Abs(ahead-want) <= slack+0.05*want:
		return "same"
	}
	for _, f := range factors {
		if far := want * f.value; math.Abs(ahead-far) <= slack+0.02*far && math.Abs(far-want) > 2*slack+0.1*want {
			return f.name
		}
	}
	if quarter := math.Round((ahead - want) / 900); quarter != 0 && math.Abs(quarter) <= 56 && math.Abs(ahead-want-quarter*900) <= slack {
		return "zone"
	}
	return ""
}

// list notes how long a list is and how long it had to be.
func (s *sight) list(l *listing) {
	if l == nil || s.caught[l.list.slot] == nil {
		return
	}
	out := List{At: "output:" + l.list.at, By: "input:" + l.limit.at, Limit: -1, Total: -1}
	for range rawjson.Elements(s.caught[l.list.slot]) {
		out.Count++
	}
	if raw, omitted := s.arg(l.limit); raw != nil {
		if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && n > 0 {
			out.Limit, out.Omitted = min(n, 1<<50), omitted
		}
	}
	if l.total != nil {
		if n, err := strconv.ParseInt(string(s.caught[l.total.slot]), 10, 64); err == nil && n >= 0 {
			out.Total = min(n, 1<<50)
		}
	}
	for _, n := range l.more {
		out.More = out.More || truthy(s.caught[n.slot])
	}
	for _, at := range l.pages {
		if raw, ok := rawjson.At(s.x.Args, at); ok && string(raw) != "0" {
			out.Moved = true
		}
	}
	s.o.List = &out
}

func truthy(raw []byte) bool {
	switch rawjson.KindOf(raw) {
	case rawjson.KindInvalid, rawjson.KindNull, rawjson.KindFalse:
		return false
	case rawjson.KindString:
		return len(raw) > 2
	}
	return string(raw) != "0"
}

// waits notes the lengths of time that were asked for.
func (s *sight) waits() {
	for _, w := range s.r.roles.waits {
		raw, omitted := s.arg(w.in)
		if raw == nil || omitted || rawjson.KindOf(raw) != rawjson.KindNumber {
			continue
		}
		if v := numberOf(raw) * w.factor * 1e6; v >= 1 && v < 1e14 {
			if s.o.Waits == nil {
				s.o.Waits = map[string]int64{}
			}
			s.o.Waits["input:"+w.in.at] = int64(v)
		}
	}
}

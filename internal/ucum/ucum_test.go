package ucum

import (
	"math/big"
	"testing"
)

func TestConvert(t *testing.T) {
	for _, c := range []struct{ value, from, to, want string }{
		{"36", "km/h", "m/s", "10"}, {"126", "min", "h", "21/10"}, {"100", "Cel", "[degF]", "212"}, {"0", "Cel", "K", "5463/20"}, {"-40", "[degF]", "Cel", "-40"},
		{"1", "[mi_i]", "m", "201168/125"}, {"1013.25", "hPa", "atm", "1"}, {"760", "mm[Hg]", "kPa", "101.32472"}, {"1", "kWh", "MJ", ""}, {"1", "kW.h", "MJ", "18/5"},
		{"1", "GiBy", "By", "1073741824"}, {"8", "bit", "By", "1"}, {"1", "mg/dL", "g/L", "1/100"}, {"50", "%", "1", "1/2"}, {"1", "10*3/uL", "10*9/L", "1"},
		{"1", "[lb_av]", "kg", "45359237/100000000"}, {"90", "deg", "circ", "1/4"}, {"1", "m2", "cm2", "10000"}, {"1", "/s", "Hz", "1"}, {"3", "{count}/min", "/h", "180"},
		{"1", "kg.m/s2", "N", "1"}, {"1", "J/(s.m2)", "W/m2", "1"}, {"1", "dam", "m", "10"}, {"1", "cd", "d", ""}, {"1", "Pa", "N/m2", "1"}, {"2", "[kn_i]", "m/s", "463/450"},
		{"1", "m", "kg", ""}, {"1", "By", "1", ""}, {"1", "[iU]/L", "[iU]/mL", "1/1000"}, {"1", "[iU]", "[arb'U]", ""}, {"1", "[degF]", "m", ""}, {"5", "mol", "mmol", "5000"},
		{"1", "a", "d", "1461/4"}, {"1", "wk", "d", "7"}, {"1", "us", "ns", "1000"}, {"1", "K", "mK", "1000"}, {"1", "L/min", "m3/h", "3/50"},
	} {
		value, _ := new(big.Rat).SetString(c.value)
		from, fromErr := Parse(c.from)
		to, toErr := Parse(c.to)
		if c.want == "" {
			if fromErr == nil && toErr == nil && from.Convertible(to) {
				t.Errorf("%s converts to %s", c.from, c.to)
			}
			continue
		}
		want, _ := new(big.Rat).SetString(c.want)
		if fromErr != nil || toErr != nil {
			t.Errorf("%s to %s: %v, %v", c.from, c.to, fromErr, toErr)
			continue
		}
		got, err := from.Convert(value, to)
		if err != nil || got.Cmp(want) != 0 {
			t.Errorf("%s %s is %v %s (%v), want %s", c.value, c.from, got, c.to, err, c.want)
			continue
		}
		if back, err := to.Convert(got, from); err != nil || back.Cmp(value) != 0 {
			t.Errorf("%s %s and back: %v (%v)", c.value, c.from, back, err)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, text := range []string{"", "florb", "m/", "m.", "(m", "m)", "{x", "m{x", "m^2", "m+", "km/hh", "Cel/h", "Cel2", "m.Cel", "kmin", "0", "m99", "1234567890", "[pH]", "dB[W]", "m m", "µm",
		"((((((((((m))))))))))", "10*24.10*24.10*24.10*24.10*24.10*24.10*24.10*24.10*24.10*24.10*24.1", "m24.m24.m24.m24.m24"} {
		if u, err := Parse(text); err == nil {
			t.Errorf("%q is read as %+v", text, u)
		}
	}
}

// TestAtoms reads every atom: each stands on atoms that are there.
func TestAtoms(t *testing.T) {
	for _, a := range atoms {
		if _, err := Parse(a.code); err != nil {
			t.Errorf("%s: %v", a.code, err)
		}
	}
	if !Convertible("[degF]", "Cel") || Convertible("[degF]", "s") || !Convertible("florb", "florb") || Convertible("florb", "m") {
		t.Error("what converts is told wrong")
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"km/h", "10*3/uL", "m[H2O]", "J/(s.m2)", "{a}/min", "Cel", "((", "m-2"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		u, err := Parse(text)
		if err == nil && (!u.Known() || !u.Convertible(u)) {
			t.Errorf("%q is read as nothing", text)
		}
	})
}

package ucum

import (
	"math/big"
	"strings"
	"sync"
)

// atom is a unit by its code: what it is of others, and whether prefixes may
// stand before it.
type atom struct {
	code   string
	metric bool
	is     string // factor and unit: "1852 m"; empty for a base
}

// prefixes by their codes, powers of ten or of two.
var prefixes = []struct {
	code string
	base int64
	exp  int
}{
	{"da", 10, 1}, {"Ki", 2, 10}, {"Mi", 2, 20}, {"Gi", 2, 30}, {"Ti", 2, 40},
	{"Y", 10, 24}, {"Z", 10, 21}, {"E", 10, 18}, {"P", 10, 15}, {"T", 10, 12}, {"G", 10, 9}, {"M", 10, 6}, {"k", 10, 3}, {"h", 10, 2},
	{"d", 10, -1}, {"c", 10, -2}, {"m", 10, -3}, {"u", 10, -6}, {"n", 10, -9}, {"p", 10, -12}, {"f", 10, -15}, {"a", 10, -18}, {"z", 10, -21}, {"y", 10, -24},
}

// bases are the units that the others come to.
var bases = map[string]int{"m": length, "s": duration, "g": mass, "rad": angle, "K": temperature, "C": charge, "cd": luminosity}

// scales are temperatures: what is added to a value, and what a step is.
var scales = map[string]struct{ offset, factor *big.Rat }{
	"Cel":    {big.NewRat(27315, 100), big.NewRat(1, 1)},
	"[degF]": {big.NewRat(45967, 100), big.NewRat(5, 9)},
}

// kinds are units that are of their own kind alone.
var kinds = []string{"[iU]", "[IU]", "[arb'U]", "U_currency"}

// atoms are the units that others make up.
var atoms = []atom{
	{"10*", false, "10 1"}, {"10^", false, "10 1"}, {"%", false, "1/100 1"}, {"[ppth]", false, "1/1000 1"}, {"[ppm]", false, "1/1000000 1"}, {"[ppb]", false, "1/1000000000 1"},
	{"[pi]", false, "3.14159265358979323846264338327950288419716939937510 1"},
	{"mol", true, "6.0221367 10*23"}, {"sr", true, "1 rad2"}, {"Hz", true, "1 s-1"}, {"N", true, "1 kg.m/s2"}, {"Pa", true, "1 N/m2"}, {"J", true, "1 N.m"}, {"W", true, "1 J/s"},
	{"A", true, "1 C/s"}, {"V", true, "1 J/C"}, {"F", true, "1 C/V"}, {"Ohm", true, "1 V/A"}, {"S", true, "1 Ohm-1"}, {"Wb", true, "1 V.s"}, {"T", true, "1 Wb/m2"}, {"H", true, "1 Wb/A"},
	{"lm", true, "1 cd.sr"}, {"lx", true, "1 lm/m2"}, {"Bq", true, "1 s-1"}, {"Gy", true, "1 J/kg"}, {"Sv", true, "1 J/kg"}, {"kat", true, "1 mol/s"},
	{"deg", false, "1/180 [pi].rad"}, {"gon", false, "9/10 deg"}, {"'", false, "1/60 deg"}, {"''", false, "1/3600 deg"}, {"circ", false, "2 [pi].rad"},
	{"l", true, "1 dm3"}, {"L", true, "1 dm3"}, {"ar", true, "100 m2"}, {"st", true, "1 m3"},
	{"min", false, "60 s"}, {"h", false, "3600 s"}, {"d", false, "86400 s"}, {"wk", false, "604800 s"},
	{"a", false, "365.25 d"}, {"a_j", false, "365.25 d"}, {"a_g", false, "365.2425 d"}, {"a_t", false, "365.24219 d"}, {"mo", false, "30.4375 d"}, {"mo_j", false, "30.4375 d"},
	{"mo_g", false, "30.436875 d"}, {"mo_s", false, "29.53059 d"},
	{"t", true, "1000 kg"}, {"bar", true, "100000 Pa"}, {"u", true, "1.6605402 10*-24.g"}, {"eV", true, "1.60217733 10*-19.J"}, {"AU", false, "149597.870691 Mm"}, {"pc", true, "3.085678 10*16.m"},
	{"[c]", true, "299792458 m/s"}, {"[g]", true, "9.80665 m/s2"}, {"[ly]", true, "1 [c].a_j"}, {"atm", false, "101325 Pa"}, {"gf", true, "1 g.[g]"}, {"[lbf_av]", false, "1 [lb_av].[g]"},
	{"dyn", true, "1 g.cm/s2"}, {"erg", true, "1 dyn.cm"}, {"P", true, "1 dyn.s/cm2"}, {"Ci", true, "37000000000 Bq"}, {"REM", true, "1/100 Sv"}, {"RAD", true, "1/100 Gy"},
	{"[in_i]", false, "2.54 cm"}, {"[ft_i]", false, "12 [in_i]"}, {"[yd_i]", false, "3 [ft_i]"}, {"[mi_i]", false, "5280 [ft_i]"}, {"[nmi_i]", false, "1852 m"}, {"[kn_i]", false, "1 [nmi_i]/h"},
	{"[mil_i]", false, "1/1000 [in_i]"}, {"[sin_i]", false, "1 [in_i]2"}, {"[sft_i]", false, "1 [ft_i]2"}, {"[syd_i]", false, "1 [yd_i]2"}, {"[cin_i]", false, "1 [in_i]3"}, {"[cft_i]", false, "1 [ft_i]3"},
	{"[ft_us]", false, "1200/3937 m"}, {"[mi_us]", false, "5280 [ft_us]"}, {"[acr_us]", false, "43560 [ft_us]2"}, {"[smi_us]", false, "1 [mi_us]2"},
	{"[gal_us]", false, "231 [in_i]3"}, {"[qt_us]", false, "1/4 [gal_us]"}, {"[pt_us]", false, "1/8 [gal_us]"}, {"[cup_us]", false, "1/16 [gal_us]"}, {"[foz_us]", false, "1/128 [gal_us]"},
	{"[tbs_us]", false, "1/256 [gal_us]"}, {"[tsp_us]", false, "1/768 [gal_us]"}, {"[bbl_us]", false, "42 [gal_us]"}, {"[gal_br]", false, "4.54609 l"}, {"[pt_br]", false, "1/8 [gal_br]"},
	{"[gr]", false, "64.79891 mg"}, {"[lb_av]", false, "7000 [gr]"}, {"[oz_av]", false, "1/16 [lb_av]"}, {"[stone_av]", false, "14 [lb_av]"}, {"[ston_av]", false, "2000 [lb_av]"}, {"[lton_av]", false, "2240 [lb_av]"},
	{"[oz_tr]", false, "480 [gr]"}, {"[car_m]", false, "1/5 g"},
	{"[degR]", false, "5/9 K"}, {"cal", true, "4.184 J"}, {"cal_IT", true, "4.1868 J"}, {"[Cal]", false, "1 kcal"}, {"[Btu]", false, "1.05505585262 kJ"}, {"[HP]", false, "550 [ft_i].[lbf_av]/s"},
	{"m[H2O]", true, "9.80665 kPa"}, {"m[Hg]", true, "133.3220 kPa"}, {"[in_i'Hg]", false, "133.3220 kPa.[in_i]/m"}, {"[psi]", false, "1 [lbf_av]/[in_i]2"},
	{"bit", true, "1 1"}, {"By", true, "8 bit"}, {"Bd", true, "1 s-1"}, {"eq", true, "1 mol"}, {"osm", true, "1 mol"}, {"U", true, "1 umol/min"},
}

// table holds every atom that was read, by its code.
var table = sync.OnceValue(func() map[string]Unit {
	out := map[string]Unit{}
	for code, i := range bases {
		u := one()
		u.dim[i] = 1
		out[code] = u
	}
	for code, s := range scales {
		u := one()
		u.dim[temperature], u.factor, u.offset = 1, s.factor, s.offset
		out[code] = u
	}
	for _, code := range kinds {
		u := one()
		u.dim[arbitrary], u.kind = 1, code
		out[code] = u
	}
	bit := one() // information is no dimension of UCUM; here it is, so that bytes are no plain numbers
	bit.dim[arbitrary], bit.kind = 1, "bit"
	out["bit"] = bit
	return out
})

var (
	metric = sync.OnceValue(func() map[string]bool {
		out := map[string]bool{"Cel": false}
		for code := range bases {
			out[code] = true
		}
		for _, a := range atoms {
			out[a.code] = a.metric
		}
		return out
	})
	byCode = sync.OnceValue(func() map[string]atom {
		out := map[string]atom{}
		for _, a := range atoms {
			out[a.code] = a
		}
		return out
	})
)

// lookup finds an atom, or one with a prefix.
func lookup(name string) (Unit, bool) {
	if u, ok := plain(name); ok {
		return u, true
	}
	for _, p := range prefixes {
		rest, ok := strings.CutPrefix(name, p.code)
		if !ok || !metric()[rest] {
			continue
		}
		if u, ok := plain(rest); ok {
			return u.scaled(p.base, p.exp), true
		}
	}
	return Unit{}, false
}

// plain finds an atom without a prefix.
func plain(name string) (Unit, bool) {
	if u, ok := table()[name]; ok {
		return u, true
	}
	a, ok := byCode()[name]
	if !ok {
		return Unit{}, false
	}
	number, unit, _ := strings.Cut(a.is, " ")
	factor, _ := new(big.Rat).SetString(number)
	u, err := Parse(unit)
	if err != nil || factor == nil {
		return Unit{}, false
	}
	u.factor.Mul(u.factor, factor)
	return u, true
}

// scaled is a unit with a prefix.
func (u Unit) scaled(base int64, exp int) Unit {
	power := new(big.Int).Exp(big.NewInt(base), big.NewInt(int64(max(exp, -exp))), nil)
	by := new(big.Rat).SetInt(power)
	if exp < 0 {
		by.Inv(by)
	}
	out := u
	out.factor = new(big.Rat).Mul(u.factor, by)
	return out
}

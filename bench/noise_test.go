package main

import "testing"

func TestParseMachine(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		all, busy  uint64
	}{
		{"whole", "cpu  10 0 5 100 1 2 3 7 50 0\ncpu0 5 0 2 50 0 1 1 3 25 0\n", 128, 27},
		{"no guest columns", "cpu  1 1 1 1 1 1 1 1\n", 8, 6},
		{"another line", "intr 1 2 3 4 5 6 7 8 9\n", 0, 0},
		{"short", "cpu 1 2 3\n", 0, 0},
		{"no numbers", "cpu a b c d e f g h\n", 0, 0},
		{"empty", "", 0, 0},
	} {
		if all, busy := parseMachine([]byte(tc.text)); all != tc.all || busy != tc.busy {
			t.Errorf("%s: got %d of %d busy, want %d of %d", tc.name, busy, all, tc.busy, tc.all)
		}
	}
}

func TestParseOwn(t *testing.T) {
	for text, want := range map[string]uint64{
		"4242 (bench) S 1 4242 4242 0 -1 4194304 900 0 0 0 11 22 33 44 20 0 9 0 123 0 0": 110,
		"4242 (a (b) c) R 1 4242 4242 0 -1 4194304 900 0 0 0 1 2 3 4 20 0 9 0":           10,
		"4242 (bench) S 1 2": 0,
		"no brackets":        0,
		"":                   0,
	} {
		if got := parseOwn([]byte(text)); got != want {
			t.Errorf("%q: %d ticks, want %d", text, got, want)
		}
	}
}

func TestOthers(t *testing.T) {
	before := usage{all: 1000, busy: 400, own: 100}
	for _, tc := range []struct {
		now  usage
		want float64
	}{
		{usage{all: 1200, busy: 500, own: 150}, 25},
		{usage{all: 1200, busy: 500, own: 250}, 0}, // ticks are counted on two clocks
		{before, 0},
	} {
		if got := tc.now.others(before); got != tc.want {
			t.Errorf("%+v: others took %g %%, want %g", tc.now, got, tc.want)
		}
	}
}

func TestNoiseIsMeasured(t *testing.T) {
	var n noise
	n.begin()
	n.sample()
	if got := n.end(); len(n.work) != fixedRuns || got.LateUS <= 0 || got.WorkMS <= 0 || got.Spread < 1 || got.Cores < 1 {
		t.Errorf("the machine is described by %+v", got)
	}
}

func TestFlushes(t *testing.T) {
	got, err := flushes(t.TempDir(), 3)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got.median() <= 0 {
		t.Errorf("three flushes took %v", got)
	}
}

func TestParseResident(t *testing.T) {
	text := "Name:\tinterlock\nVmHWM:\t  300000 kB\nVmRSS:\t  131072 kB\nThreads:\t9\n"
	if got, err := parseResident([]byte(text)); got != 128 || err != nil {
		t.Errorf("resident = %g, %v, want 128", got, err)
	}
	for _, text := range []string{"", "VmHWM: 1 kB\n", "VmRSS: many kB\n"} {
		if got, err := parseResident([]byte(text)); err == nil {
			t.Errorf("%q gives %g and no error", text, got)
		}
	}
}

func FuzzParseProc(f *testing.F) {
	f.Add([]byte("cpu  10 0 5 100 1 2 3 7 50 0\n"))
	f.Add([]byte("VmRSS:\t  131072 kB\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if all, busy := parseMachine(text); busy > all {
			t.Errorf("%d of %d ticks are busy", busy, all)
		}
		parseOwn(text)
		_, _ = parseResident(text)
	})
}

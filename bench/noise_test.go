package main

import "testing"

func TestParseSteal(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       stealTime
	}{
		{"whole", "cpu  10 0 5 100 1 2 3 7 50 0\ncpu0 5 0 2 50 0 1 1 3 25 0\n", stealTime{stolen: 7, all: 128}},
		{"no guest columns", "cpu  1 1 1 1 1 1 1 1\n", stealTime{stolen: 1, all: 8}},
		{"another line", "intr 1 2 3 4 5 6 7 8 9\n", stealTime{}},
		{"short", "cpu 1 2 3\n", stealTime{}},
		{"no numbers", "cpu a b c d e f g h\n", stealTime{}},
		{"empty", "", stealTime{}},
	} {
		if got := parseSteal([]byte(tc.text)); got != tc.want {
			t.Errorf("%s: got %+v, want %+v", tc.name, got, tc.want)
		}
	}
	if got := (stealTime{stolen: 30, all: 300}).since(stealTime{stolen: 10, all: 100}); got != 10 {
		t.Errorf("stolen share = %g %%, want 10", got)
	}
}

func TestNoiseIsMeasured(t *testing.T) {
	var n noise
	n.begin()
	n.sample()
	if got := n.end(); len(n.work) != fixedRuns || got.WorkMS <= 0 || got.Spread < 1 || got.Cores < 1 {
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
		if s := parseSteal(text); s.stolen < 0 || s.stolen > s.all {
			t.Errorf("more is stolen than there is: %+v", s)
		}
		_, _ = parseResident(text)
	})
}

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReport(t *testing.T) {
	for name, tc := range map[string]struct {
		run  []event
		want string
		good bool
	}{
		"all pass": {
			run: []event{
				{Action: "run", Package: "m/a", Test: "TestOne"},
				{Action: "output", Package: "m/a", Test: "TestOne", Output: "    a_test.go:3: noise\n"},
				{Action: "output", Package: "m/a", Test: "TestOne/part", Output: "    a_test.go:4: more noise\n"},
				{Action: "pass", Package: "m/a", Test: "TestOne/part"},
				{Action: "pass", Package: "m/a", Test: "TestOne"},
				{Action: "output", Package: "m/a", Output: "ok  \tm/a\t0.1s\n"},
				{Action: "pass", Package: "m/a"},
			},
			want: "ok  \tm/a\t0.1s\n\n1 passed, 0 failed, 0 skipped\n",
			good: true,
		},
		"a failure is shown whole and counted once": {
			run: []event{
				{Action: "output", Package: "m/a", Test: "TestOne/part", Output: "    a_test.go:4: got 1, want 2\n"},
				{Action: "output", Package: "m/a", Test: "TestOne", Output: "--- FAIL: TestOne (0.0s)\n"},
				{Action: "fail", Package: "m/a", Test: "TestOne/part"},
				{Action: "fail", Package: "m/a", Test: "TestOne"},
				{Action: "output", Package: "m/a", Output: "FAIL\tm/a\t0.1s\n"},
				{Action: "fail", Package: "m/a"},
			},
			want: "    a_test.go:4: got 1, want 2\n--- FAIL: TestOne (0.0s)\nFAIL\tm/a\t0.1s\n\n0 passed, 1 failed, 0 skipped\n",
		},
		"a skip says why": {
			run: []event{
				{Action: "pass", Package: "m/a", Test: "TestOne"},
				{Action: "output", Package: "m/a", Test: "TestTwo", Output: "=== RUN   TestTwo\n"},
				{Action: "output", Package: "m/a", Test: "TestTwo", Output: "    a_test.go:9: INTERLOCK_TESTENV is not set\n"},
				{Action: "output", Package: "m/a", Test: "TestTwo", Output: "--- SKIP: TestTwo (0.0s)\n"},
				{Action: "skip", Package: "m/a", Test: "TestTwo"},
				{Action: "pass", Package: "m/a"},
			},
			want: "\nSkipped:\n  m/a TestTwo: a_test.go:9: INTERLOCK_TESTENV is not set\n\n1 passed, 0 failed, 1 skipped\n",
			good: true,
		},
		"a crash is a failure with its trace": {
			run: []event{
				{Action: "pass", Package: "m/b", Test: "TestOther"},
				{Action: "output", Package: "m/a", Test: "TestOne", Output: "panic: at the disco\n"},
				{Action: "output", Package: "m/a", Output: "FAIL\tm/a\t0.1s\n"},
				{Action: "fail", Package: "m/a"},
			},
			want: "panic: at the disco\nFAIL\tm/a\t0.1s\n\n1 package(s) did not build, crashed or ran out of time; each counts as one failure.\n\n1 passed, 1 failed, 0 skipped\n",
		},
		"a build failure is a failure": {
			run: []event{
				{Action: "pass", Package: "m/b", Test: "TestOther"},
				{Action: "build-output", ImportPath: "m/a", Output: "a.go:1: undefined: x\n"},
				{Action: "build-fail", ImportPath: "m/a"},
				{Action: "output", Package: "m/a", Output: "FAIL\tm/a [build failed]\n"},
				{Action: "fail", Package: "m/a"},
			},
			want: "a.go:1: undefined: x\nFAIL\tm/a [build failed]\n\n1 package(s) did not build, crashed or ran out of time; each counts as one failure.\n\n1 passed, 1 failed, 0 skipped\n",
		},
		"no test at all is no success": {
			run:  []event{{Action: "output", Package: "m/a", Output: "?   \tm/a\t[no test files]\n"}, {Action: "skip", Package: "m/a"}},
			want: "?   \tm/a\t[no test files]\n\n0 passed, 0 failed, 0 skipped\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			good, err := report(strings.NewReader(lines(t, tc.run)), &out)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, out.String()); diff != "" {
				t.Errorf("report (-want +got):\n%s", diff)
			}
			if good != tc.good {
				t.Errorf("good = %v, want %v", good, tc.good)
			}
		})
	}
}

func TestReportPassesForeignLinesOn(t *testing.T) {
	var out strings.Builder
	good, err := report(strings.NewReader("go: downloading x v1.0.0\n{\"Action\":\"pass\",\"Package\":\"m/a\",\"Test\":\"TestOne\"}"), &out)
	if err != nil || !good {
		t.Fatalf("report = %v, %v", good, err)
	}
	if want := "go: downloading x v1.0.0\n\n1 passed, 0 failed, 0 skipped\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func lines(t *testing.T, run []event) string {
	t.Helper()
	var text strings.Builder
	for _, e := range run {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	return text.String()
}

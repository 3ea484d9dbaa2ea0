package opendata

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/seed-ae386458/interlock/internal/qualify"
)

// sample writes a small world of tools and requests.
func sample(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var tools strings.Builder
	for _, row := range [][4]string{{"voice-assistant/weather_find", "voice-assistant", "va", "en"}, {"voice-assistant/alarm_set", "voice-assistant", "va", "en"},
		{"functionchat/informWeather", "functionchat", "functionchat", "ko"}, {"functionchat/other", "functionchat", "functionchat", "ko"},
		{"bfcl-live.weather/get", "bfcl-live.weather", "bfcl-live", "en"}, {"bfcl-live.weather2/get", "bfcl-live.weather2", "bfcl-live", "en"},
		{"lists/only", "lists", "own", "en"}} {
		note := ""
		if row[0] == "voice-assistant/alarm_set" {
			note = `,"annotations":{"readOnlyHint":false}`
		}
		fmt.Fprintf(&tools, `{"id":%q,"provider":%q,"source":%q,"lang":%q,"name":%q,"description":"d","inputSchema":{"type":"object"}%s}`+"\n", row[0], row[1], row[2], row[3], row[0][strings.Index(row[0], "/")+1:], note)
	}
	tasks := `{"id":"w","lang":"en","query":"weather?","gold":[["voice-assistant/weather_find"]],"kind":"single","source":"s","authored":"native","scope":"*"}
{"id":"a","lang":"ja","query":"alarm","gold":[["voice-assistant/alarm_set","gone/tool"]],"kind":"single","source":"s","authored":"translated","scope":"*"}
{"id":"c","lang":"en","query":"and then?","gold":[["voice-assistant/alarm_set"]],"kind":"single","source":"s","authored":"native","scope":"*","context":["before"]}
{"id":"n","lang":"en","query":"a poem","gold":[],"kind":"nofit","source":"metatool-notool","authored":"native","scope":"*"}
{"id":"l","lang":"ko","query":"none","gold":[],"kind":"nofit","source":"own","authored":"native","scope":["lists/only","unknown/tool","lists/only"]}
{"id":"m","lang":"en","query":"short of one","gold":[["lists/only"]],"kind":"needs-input","source":"own","authored":"llm","scope":"*","cand":["lists/only","voice-assistant/alarm_set"],"missing":["when"]}
`
	for name, text := range map[string]string{toolsFile: tools.String(), tasksFile: tasks,
		classesFile: `{"classes":{"weather":["voice-assistant/weather_find","functionchat/informWeather","bfcl-live.weather/get","unknown/tool"]}}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestCases: each rule of composition on a small world, the same bytes twice, and
// a file that a run takes.
func TestCases(t *testing.T) {
	dir := sample(t)
	var texts [2][]byte
	var file File
	for i := range texts {
		data, err := Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		if file, err = data.Cases(1000); err != nil {
			t.Fatal(err)
		}
		if texts[i], err = file.Text(); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("the same data give another file")
	}
	set, err := qualify.ReadCases(texts[0])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := set.Scored("dev"); err != nil {
		t.Error(err)
	}
	var got []string
	for _, c := range set.Cases {
		got = append(got, fmt.Sprintf("%s %s %s %v %s %v", c.ID, c.Stratum, c.Gold.Disposition, c.Gold.Tools, c.Effect, c.Gold.Missing))
	}
	want := []string{
		"w ambiguous ambiguous [[bfcl-live.weather/get functionchat/informWeather voice-assistant/weather_find]]  []",
		"a supported supported [[voice-assistant/alarm_set]] mutation []",
		"n out_of_domain unsupported []  []",
		"w#withdrawn near_domain unsupported []  []",
		"w#forbidden forbidden forbidden [[voice-assistant/weather_find]]  []",
		"a#withdrawn near_domain unsupported []  []",
		"a#forbidden forbidden forbidden [[voice-assistant/alarm_set]] mutation []",
		"w#ko-tools supported supported [[functionchat/informWeather]]  []",
		"l near_domain unsupported []  []",
		"m missing_input needs_input [[list/lists/only]]  [when]",
	}
	less := func(a, b string) int { return strings.Compare(a, b) }
	slices.SortFunc(got, less)
	slices.SortFunc(want, less)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	views(t, set)
	if n := bytes.Count(file.Tools, []byte{'\n'}); n != 6 || !bytes.Contains(file.Tools, []byte(`"id":"list/lists/only"`)) {
		t.Errorf("%d tools", n)
	}
}

// views: what is taken out of view is not seen, what is forbidden is seen and not
// to be used, and views of the ladder lack the tools of own lists.
func views(t *testing.T, set qualify.CaseSet) {
	t.Helper()
	for _, c := range set.Cases {
		may := func(id string) bool { return c.Principal.May(id) }
		switch c.ID {
		case "w":
			if !may("functionchat/other") || may("list/lists/only") {
				t.Error("the ladder")
			}
		case "w#withdrawn":
			if slices.Contains(c.Principal.Allow, "voice-assistant/weather_find") || slices.Contains(c.Principal.Allow, "bfcl-live.weather/get") || !may("voice-assistant/alarm_set") {
				t.Error("withdrawn", c.Principal)
			}
		case "w#forbidden":
			if !slices.Contains(c.Principal.Allow, "voice-assistant/weather_find") || may("voice-assistant/weather_find") || may("functionchat/informWeather") || !may("functionchat/other") {
				t.Error("forbidden", c.Principal)
			}
		case "w#ko-tools":
			if !may("functionchat/informWeather") || may("voice-assistant/weather_find") {
				t.Error("Korean", c.Principal)
			}
		case "l":
			if diff := cmp.Diff([]string{"list/lists/only"}, c.Principal.Allow); diff != "" {
				t.Error(diff)
			}
		}
	}
}

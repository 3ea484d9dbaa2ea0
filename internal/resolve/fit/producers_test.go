package fit

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
)

func asked(t *testing.T, source, name, schema, need string) Fit {
	t.Helper()
	op := interlock.Operation{Name: name, InputSchema: json.RawMessage(schema)}
	c, err := contract.Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	tool := &snapshot.Tool{Op: op, Contract: c}
	tool.ID, tool.Source = source+"/"+name, source
	query := index.NewQuery(need, nil, nil)
	f := Fit{need: &interlock.Need{Text: need}, query: &query}
	f.Tool = tool
	return f
}

// TestJoined: what finds an id joins behind the tool that requires it, once,
// from its own source alone, and not where the id is in hand or given already.
func TestJoined(t *testing.T) {
	const byID, free = `{"type":"object","required":["show_id"],"properties":{"show_id":{"type":"integer"}}}`, `{"type":"object","properties":{"query":{"type":"string"}}}`
	row := func(need string, names ...string) []Fit {
		var out []Fit
		for _, n := range names {
			source, schema := "tv", free
			if n == "search_show_elsewhere" {
				source = "other"
			}
			if n == "show_credits" || n == "show_images" {
				schema = byID
			}
			out = append(out, asked(t, source, n, schema, need))
		}
		return out
	}
	for _, tc := range []struct {
		need     string
		in, want []string
	}{
		{"the cast of the show", []string{"show_credits", "note", "search_show"}, []string{"tv/show_credits", "tv/search_show", "tv/note"}},
		{"the cast of the show", []string{"show_credits", "show_images", "search_show"}, []string{"tv/show_credits", "tv/search_show", "tv/show_images"}},
		{"the cast of show 42", []string{"show_credits", "note", "search_show"}, []string{"tv/show_credits", "tv/note", "tv/search_show"}},
		{"the cast of the show", []string{"show_credits", "note", "search_show_elsewhere"}, []string{"tv/show_credits", "tv/note", "other/search_show_elsewhere"}},
		{"the cast of the popular show", []string{"list_popular_show", "show_credits", "note", "search_show"}, []string{"tv/list_popular_show", "tv/show_credits", "tv/note", "tv/search_show"}},
		{"a note", []string{"note"}, []string{"tv/note"}},
	} {
		var got []string
		for _, f := range Joined(row(tc.need, tc.in...)) {
			got = append(got, f.Tool.ID)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v gives %v, want %v", tc.need, tc.in, got, tc.want)
		}
	}
}

// TestProducerOfAName: where the need names the object, the tool that searches
// for a text joins, whatever list stands already; an id that is named id alone
// is of what stands before it in the tool's name; numbers that other inputs take
// are no id.
func TestProducerOfAName(t *testing.T) {
	const (
		episode = `{"type":"object","required":["tv_id","season"],"properties":{"tv_id":{"type":"integer"},"season":{"type":"integer"}}}`
		albums  = `{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}}`
		search  = `{"type":"object","required":["query"],"properties":{"query":{"type":"string","description":"URI encoded"},"type":{"type":"string","description":"artist or track"}}}`
		none    = `{"type":"object","properties":{"page":{"type":"integer"}}}`
	)
	tv := func(need string) []Fit {
		return []Fit{asked(t, "m", "tv_episode", episode, need), asked(t, "m", "discover_tv", none, need), asked(t, "m", "search_tv", search, need)}
	}
	for _, tc := range []struct {
		fits []Fit
		want []string
	}{
		{tv("season 3 of Westworld"), []string{"m/tv_episode", "m/search_tv", "m/discover_tv"}},
		{tv("season 3 of the latest"), []string{"m/tv_episode", "m/discover_tv", "m/search_tv"}},
		{tv("season 3 of show 4711"), []string{"m/tv_episode", "m/discover_tv", "m/search_tv"}},
		{[]Fit{asked(t, "m", "GET_artists-id-albums", albums, "albums of Mozart"), asked(t, "m", "note", none, ""), asked(t, "m", "GET_search", search, "")},
			[]string{"m/GET_artists-id-albums", "m/GET_search", "m/note"}},
		{[]Fit{asked(t, "m", "get_user", albums, "details of Bob"), asked(t, "m", "note", none, ""), asked(t, "m", "find_user", search, "")},
			[]string{"m/get_user", "m/find_user", "m/note"}},
	} {
		var got []string
		for _, f := range Joined(tc.fits) {
			got = append(got, f.Tool.ID)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q gives %v, want %v", tc.fits[0].need.Text, got, tc.want)
		}
	}
}

// TestMissingByWords: a required input is in hand where the words of the need
// hold a value of its kind.
func TestMissingByWords(t *testing.T) {
	const schema = `{"type":"object","required":["city","date"],"properties":{"city":{"type":"string"},"date":{"type":"string","description":"Day"},"unit":{"type":"string"}}}`
	for need, want := range map[string][]string{
		"forecast for Busan tomorrow": nil,
		"forecast for tomorrow":       {"city"},
		"forecast for Busan":          {"date"},
		"forecast please":             {"city", "date"},
		"부산 내일 forecast 알려줘":          nil,
	} {
		var got []string
		for _, m := range asked(t, "sky", "forecast", schema, need).Missing() {
			got = append(got, m.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q misses %v, want %v", need, got, want)
		}
	}
}

// TestNameIsAValue: one name fills one text; a word that may be anything does not
// by itself.
func TestNameIsAValue(t *testing.T) {
	const schema = `{"type":"object","required":["city"],"properties":{"city":{"type":"string"}}}`
	for need, missing := range map[string]int{"forecast for Busan": 0, "forecast for somewhere": 1, "forecast": 1} {
		if got := asked(t, "sky", "forecast", schema, need).Missing(); len(got) != missing {
			t.Errorf("%q misses %v", need, got)
		}
	}
}

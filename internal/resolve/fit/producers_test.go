package fit

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/index"
	"github.com/seed-ae386458/interlock/internal/resolve/snapshot"
	"github.com/seed-ae386458/interlock/internal/words"
)

func asked(t *testing.T, source, name, schema, need string) Fit {
	t.Helper()
	op := interlock.Operation{Name: name, InputSchema: json.RawMessage(schema)}
	c, err := contract.Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	tool := &snapshot.Tool{ToolRecord: &interlock.ToolRecord{ID: source + "/" + name, Source: source}, Op: &op, Contract: c}
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
		for _, f := range withProducers(row(tc.need, tc.in...)) {
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
		for _, f := range withProducers(tc.fits) {
			got = append(got, f.Tool.ID)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q gives %v, want %v", tc.fits[0].need.Text, got, tc.want)
		}
	}
}

// TestChain: where what finds an id requires another id, what finds that joins
// behind it, three in a row at the most; tools that require each other's ids are
// no chain, nor is one that does not end in a tool which can be called.
func TestChain(t *testing.T) {
	byID := func(ids ...string) string {
		properties, _ := json.Marshal(ids)
		out := `{"type":"object","required":` + string(properties) + `,"properties":{`
		for i, id := range ids {
			if i > 0 {
				out += ","
			}
			out += `"` + id + `":{"type":"string"}`
		}
		return out + `}}`
	}
	tools := func(rows ...[]string) []Fit {
		var out []Fit
		for _, row := range rows {
			out = append(out, asked(t, "tv", row[0], byID(row[1:]...), "the stills of the episode"))
		}
		return out
	}
	for _, tc := range []struct {
		name string
		in   []Fit
		want []string
	}{
		{"two in a row", tools([]string{"episode_stills", "episode_id"}, []string{"note"}, []string{"list_episodes", "season_id"}, []string{"list_seasons"}),
			[]string{"tv/episode_stills", "tv/list_episodes", "tv/list_seasons", "tv/note"}},
		{"three in a row", tools([]string{"episode_stills", "episode_id"}, []string{"list_seasons", "show_id"}, []string{"search_show"}, []string{"list_episodes", "season_id"}),
			[]string{"tv/episode_stills", "tv/list_episodes", "tv/list_seasons", "tv/search_show"}},
		{"four are too many", tools([]string{"episode_stills", "episode_id"}, []string{"note"}, []string{"list_episodes", "season_id"}, []string{"list_seasons", "show_id"}, []string{"list_shows", "channel_id"}, []string{"list_channels"}),
			[]string{"tv/episode_stills", "tv/note", "tv/list_episodes", "tv/list_seasons", "tv/list_shows", "tv/list_channels"}},
		{"a cycle", tools([]string{"episode_stills", "episode_id"}, []string{"note"}, []string{"list_episodes", "season_id"}, []string{"list_seasons", "episode_id"}),
			[]string{"tv/episode_stills", "tv/note", "tv/list_episodes", "tv/list_seasons"}},
		{"its own id", tools([]string{"episode_stills", "episode_id"}, []string{"note"}, []string{"list_episode_casts", "episode_id"}),
			[]string{"tv/episode_stills", "tv/note", "tv/list_episode_casts"}},
		{"no end", tools([]string{"episode_stills", "episode_id"}, []string{"note"}, []string{"list_episodes", "season_id"}),
			[]string{"tv/episode_stills", "tv/note", "tv/list_episodes"}},
		{"a way without ids is shorter", tools([]string{"episode_stills", "episode_id"}, []string{"note"}, []string{"list_episodes", "season_id"}, []string{"list_seasons"}, []string{"list_recent_episodes"}),
			[]string{"tv/episode_stills", "tv/list_recent_episodes", "tv/note", "tv/list_episodes", "tv/list_seasons"}},
		{"one tool for two ids", tools([]string{"episode_stills", "episode_id", "season_id"}, []string{"note"}, []string{"list_episodes", "season_id"}, []string{"list_seasons"}),
			[]string{"tv/episode_stills", "tv/list_episodes", "tv/list_seasons", "tv/note"}},
	} {
		var got []string
		joined := 0
		for _, f := range withProducers(tc.in) {
			got = append(got, f.Tool.ID)
			if f.Joins {
				joined++
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s gives %v, want %v", tc.name, got, tc.want)
		}
		if behind := slices.Index(got, "tv/note") - 1; behind >= 0 && joined != behind {
			t.Errorf("%s: %d join, and %d stand behind the first", tc.name, joined, behind)
		}
	}
}

// TestCoordinates: a tool that takes coordinates is joined by the one of its source
// that finds those of a place, once, whatever its name calls them; not where the
// need says numbers, and not by one that finds the place of coordinates.
func TestCoordinates(t *testing.T) {
	const at = `{"type":"object","required":["lat","lon"],"properties":{"lat":{"type":"number"},"lon":{"type":"number"}}}`
	const camel = `{"type":"object","required":["fromLatitude","fromLongitude"],"properties":{"fromLatitude":{"type":"number"},"fromLongitude":{"type":"number"}}}`
	const text = `{"type":"object","required":["address"],"properties":{"address":{"type":"string"}}}`
	fits := func(need, schema string) []Fit {
		return []Fit{asked(t, "map", "parking", schema, need), asked(t, "map", "note", `{"type":"object"}`, need), asked(t, "map", "reverse_geocode", at, need), asked(t, "map", "geocode_address", text, need)}
	}
	joined, apart := []string{"map/parking", "map/geocode_address", "map/note", "map/reverse_geocode"}, []string{"map/parking", "map/note", "map/reverse_geocode", "map/geocode_address"}
	for _, tc := range []struct {
		fits []Fit
		want []string
	}{{fits("parking near the old harbour", at), joined}, {fits("parking near the Tower of London", camel), joined}, {fits("parking near 59.91, 10.75", at), apart}} {
		var got []string
		for _, f := range withProducers(tc.fits) {
			got = append(got, f.Tool.ID)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%q: %v, want %v", tc.fits[0].need.Text, got, tc.want)
		}
	}
}

// TestDeclaredID: a tool that only reads and says that its result holds the id
// gives it, whatever its name is; one that changes something does not.
func TestDeclaredID(t *testing.T) {
	for effect, want := range map[interlock.Effect][]string{interlock.EffectRead: {"shop/parcel_items", "shop/overview", "shop/note"}, interlock.EffectWrite: {"shop/parcel_items", "shop/note", "shop/overview"}} {
		fits := []Fit{asked(t, "shop", "parcel_items", `{"type":"object","required":["parcel_id"],"properties":{"parcel_id":{"type":"string"}}}`, "items of a parcel"),
			asked(t, "shop", "note", `{"type":"object"}`, ""), asked(t, "shop", "overview", `{"type":"object"}`, "")}
		op := interlock.Operation{Name: "overview", InputSchema: json.RawMessage(`{"type":"object"}`), Variants: []interlock.Variant{{Description: "Everything about a parcel"}},
			OutputSchema: json.RawMessage(`{"type":"object","properties":{"open":{"type":"array","items":{"type":"object","properties":{"parcel_id":{"type":"string"}}}}}}`)}
		c, err := contract.Compile(op)
		if err != nil {
			t.Fatal(err)
		}
		fits[2].Tool.Op, fits[2].Tool.Contract, fits[2].Tool.Effect = &op, c, effect
		var got []string
		for _, f := range withProducers(fits) {
			got = append(got, f.Tool.ID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", effect, got, want)
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

// TestExampleIsAValue: a value that a documentation names as an example is in
// hand where the need names it, as any other value is.
func TestExampleIsAValue(t *testing.T) {
	for _, doc := range []string{"Name of the city, such as Paris", "City (e.g. Rome, Paris)", "City, for example 'Paris'. Required", "City like Paris", `The place, \"Paris\" or another`, "Examples: Oslo, Paris", "City. Default: Paris", "The city"} {
		schema := `{"type":"object","required":["city"],"properties":{"city":{"type":"string","description":"` + doc + `","examples":["Paris"]}}}`
		for need, missing := range map[string]int{"forecast in Paris": 0, "forecast in Lagos": 0, "forecast of the city": 1} {
			if got := asked(t, "sky", "forecast", schema, need).Missing(); len(got) != missing {
				t.Errorf("%s: %q misses %v", doc, need, got)
			}
		}
	}
}

func withProducers(fits []Fit) []Fit { return Joined(fits, len(fits)) }

func TestOfWhat(t *testing.T) {
	for text, want := range map[string]string{
		"ID or name of the container": "container", "The identifier of a pet, a number": "pet", "ID of the image.": "image",
		"ID or name": "", "": "", "The id. One of the many": "", "Name of the container": "", "id of": "",
	} {
		if got := ofWhat(text); !slices.Equal(got, words.Tokens(want)) {
			t.Errorf("%q: of %v, want %q", text, got, want)
		}
	}
}

package drift

import (
	"slices"
	"strconv"
)

// run is a row of calls that show the same thing, with nothing against it in
// between.
type run struct {
	As    string   `json:",omitempty"`
	N     int      `json:",omitempty"`
	Tags  []string `json:",omitempty"` // different arguments
	Out   []string `json:",omitempty"` // different outputs, or limits
	Exact int      `json:",omitempty"` // calls before that were in order
	Sides string   `json:",omitempty"` // of outputs that do not follow: above, below
	Count int64    `json:",omitempty"` // of a list
}

// another begins a row where what is shown is another thing.
func (r *run) another(as string) {
	if r.As != as {
		*r = run{As: as, Exact: r.Exact}
	}
	r.N++
}

// counted begins a row where the count is another; by one it may be any.
func (r *run) counted(as string, count int64, byOne bool) {
	if r.Count != count && !byOne {
		*r = run{Exact: r.Exact}
	}
	r.another(as)
	r.Count = count
}

func (r *run) put(list *[]string, text string) {
	if text != "" && len(*list) < 4 && !slices.Contains(*list, text) {
		*list = append(*list, text)
	}
}

func parseFloat(text string) float64 {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return v
}

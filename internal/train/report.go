package train

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"
)

// left says which rows are left out together.
type left struct {
	name string
	of   func(Row) string
}

// lefts are the ways to leave out, the strictest first: rows are scored by gates
// that saw none of their source, none of their publisher, no request that their
// tool answers.
func lefts() []left {
	fold := func(text string) string {
		h := fnv.New32a()
		h.Write([]byte(text))
		return fmt.Sprint(h.Sum32() % 8)
	}
	return []left{
		{"source left out", func(r Row) string { return r.Source }},
		{"publisher left out", func(r Row) string { return fold(r.Publisher) }},
		{"answer never seen", func(r Row) string { return fold(cmp.Or(r.Answer, r.Request)) }},
		{"seen", func(Row) string { return "" }},
	}
}

// scores gives what gates that did not see a row say of it.
func scores(rows []Row, by left) ([]float64, error) {
	groups := map[string][]int{}
	for i, r := range rows {
		groups[by.of(r)] = append(groups[by.of(r)], i)
	}
	out := make([]float64, len(rows))
	for name, own := range groups {
		rest := slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return name != "" && by.of(r) == name })
		g, err := Fit(rest)
		if err != nil {
			return nil, fmt.Errorf("without %s: %w", name, err)
		}
		for _, i := range own {
			out[i] = g.Logit(rows[i].Signals, rows[i].English, rows[i].Tools)
		}
	}
	return out, nil
}

// Report writes how well the gates do on rows that they did not see, each with
// its number of rows and its 95 % interval.
func Report(w io.Writer, rows []Row) error {
	for _, dense := range []bool{true, false} {
		page := "\nWith vectors\n"
		if !dense {
			page = "\nBy words alone\n"
		}
		tables, err := report(with(rows, dense))
		if err != nil {
			return err
		}
		if _, err := io.WriteString(w, page+tables); err != nil {
			return err
		}
	}
	return nil
}

// report gives a table for each way to leave rows out.
func report(rows []Row) (string, error) {
	var page strings.Builder
	for _, by := range lefts() {
		s, err := scores(rows, by)
		if err != nil {
			return "", err
		}
		page.WriteString("\n" + by.name + "\n")
		for _, kind := range []string{Withdrawn, Short, NoTool, OwnList} {
			for _, english := range []bool{true, false} {
				page.WriteString(part(rows, s, kind, english, ""))
			}
			if kind == OwnList {
				for _, source := range []string{"bfcl", "acebench", "functionchat"} {
					page.WriteString(part(rows, s, kind, source != "functionchat", source))
				}
			}
		}
	}
	return page.String(), nil
}

// part gives one line; a part with few rows is left out.
func part(rows []Row, s []float64, kind string, english bool, source string) string {
	var yes, no []float64
	for i, r := range rows {
		if r.Kind != kind || r.English != english || source != "" && r.Source != source || kind == NoTool && !r.Served && !r.Apart {
			continue
		}
		if r.Served {
			yes = append(yes, s[i])
		} else {
			no = append(no, s[i])
		}
	}
	if len(yes) < 20 || len(no) < 20 {
		return ""
	}
	a, f := AUROC(yes, no), Accepted(yes, no, 0.05)
	language := "other"
	if english {
		language = "english"
	}
	return fmt.Sprintf("  %-9s %-8s %-13s %4d + %4d rows  AUROC %.3f ± %.3f  accepted at 5 %% refused %5.1f ± %4.1f\n", kind, language, source, len(yes), len(no),
		a, AUROCInterval(a, len(yes), len(no)), 100*f, 100*ShareInterval(f, len(no)))
}

package router_test

import (
	"regexp"
	"strings"
)

// archive is a file in txtar form: a text, then files, each after a line
// `-- NAME --`.
type archive struct {
	comment string
	names   []string
	files   map[string]string
}

var marker = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

func parseArchive(text string) archive {
	a := archive{files: map[string]string{}}
	at := marker.FindAllStringSubmatchIndex(text, -1)
	end := func(i int) int {
		if i < len(at) {
			return at[i][0]
		}
		return len(text)
	}
	a.comment = text[:end(0)]
	for i, m := range at {
		name := text[m[2]:m[3]]
		a.names = append(a.names, name)
		a.files[name] = text[m[1]:end(i+1)]
	}
	return a
}

func (a archive) String() string {
	var b strings.Builder
	b.WriteString(a.comment)
	for _, name := range a.names {
		b.WriteString("-- " + name + " --\n" + a.files[name])
	}
	return b.String()
}

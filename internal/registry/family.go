package registry

import (
	"fmt"
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock"
)

// ownFamily is the family of a tool for which nobody declares one: SOURCE.NAME.
// It follows from the tool's own source and whole name alone, and no two tools
// have the same:
//
//   - a dot in the source's name is spelled "~.", which no name of a source
//     holds, so the first dot that stands by itself parts source and name;
//   - the name stays as it is, slashes included;
//   - a tool of a list whose whole name is not of the form SOURCE/NAME follows
//     its source after "~/" instead of the dot.
func ownFamily(source, id string) string {
	of := strings.ReplaceAll(source, ".", "~.")
	if name, ok := strings.CutPrefix(id, source+"/"); ok {
		return of + "." + name
	}
	return of + "~/" + id
}

// spaceOf is the source whose names begin as a tool's whole name does: lists of
// rights, and people, take a tool for one of that source. Empty is none.
func spaceOf(id string) string {
	of, _, ok := strings.Cut(id, "/")
	if !ok {
		return ""
	}
	return of
}

// free refuses a new source under whose name tools of another one stand, which
// only a list can bring: they would pass for its own.
func (s *State) free(name string) error {
	if s.Source(name) != nil {
		return nil
	}
	space := name + "/"
	first, _ := slices.BinarySearchFunc(s.Tools, space, func(t *interlock.ToolRecord, space string) int { return strings.Compare(t.ID, space) })
	for _, t := range s.Tools[first:] {
		if !strings.HasPrefix(t.ID, space) {
			break
		}
		if t.Source != name {
			return &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonConflict, Stage: "registry",
				Public: fmt.Sprintf("%q of the source %q would pass for a tool of a source named %q. Choose another name, or take that source out first.", t.ID, t.Source, name)}
		}
	}
	return nil
}

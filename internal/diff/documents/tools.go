package documents

import (
	"bytes"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/diff"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/source/manifest"
)

// maxList bounds a list of tools, in bytes.
const maxList = 32 << 20

// Tools compares two lists of MCP tools: the answer to tools/list, its list
// alone, or one tool a line. Tools match by name.
func Tools(old, new []byte, opts Options) (Report, error) {
	before, err := readTools(old)
	if err != nil {
		return Report{}, fmt.Errorf("the old list: %w", err)
	}
	after, err := readTools(new)
	if err != nil {
		return Report{}, fmt.Errorf("the new list: %w", err)
	}
	return compare(before, after, opts)
}

// Operations compares two lists of operations, as two readings of one source
// give them. Operations match by name.
func Operations(old, new []interlock.Operation, opts Options) (Report, error) {
	return compare(entriesOf(old, "/operations"), entriesOf(new, "/operations"), opts)
}

// Manifests compares two manifests. Tools match by name. A tool that the text
// states wrongly counts as one that is not there.
func Manifests(old, new []byte, opts Options) (Report, error) {
	before, err := manifest.Read(old)
	if err != nil {
		return Report{}, err
	}
	after, err := manifest.Read(new)
	if err != nil {
		return Report{}, err
	}
	return compare(entriesOf(before.Operations, "/tools"), entriesOf(after.Operations, "/tools"), opts)
}

func entriesOf(ops []interlock.Operation, at string) []entry {
	out := make([]entry, len(ops))
	for i, op := range ops {
		out[i] = entryOf(op, rawjson.Join(at, fmt.Sprint(i)), "/input_schema", "/output_schema")
	}
	return out
}

// entryOf prepares one operation that stands at a place of a text.
func entryOf(op interlock.Operation, at, input, output string) entry {
	e := entry{name: op.Name, key: op.Name, pointer: at, side: diff.Of(op)}
	e.side.At = at
	for i := range e.side.Sections {
		s := &e.side.Sections[i]
		if s.At = at + output; s.Name == "input" {
			s.At = at + input
		}
	}
	sum, err := contract.Hash(op)
	if err != nil {
		e.err = err
		return e
	}
	e.digest = sum + string(op.State)
	return e
}

// readTools reads a list in any of its forms.
func readTools(text []byte) ([]entry, error) {
	if len(text) > maxList {
		return nil, invalidList("it has more than %d bytes", maxList)
	}
	list, at := text, ""
	for _, name := range []string{"result", "tools"} {
		if inner, ok := rawjson.Member(list, name); ok {
			list, at = inner, rawjson.Join(at, name)
		}
	}
	limits := rawjson.Limits{Bytes: maxList, Depth: 256}
	if rawjson.Check(text, limits) == nil && rawjson.KindOf(list) == rawjson.KindArray {
		var out []entry
		for i, one := range rawjson.Elements(list) {
			e, err := readTool(one, rawjson.Join(at, fmt.Sprint(i)))
			if err != nil {
				return nil, err
			}
			out = append(out, e)
		}
		return out, nil
	}
	return readLines(text, limits)
}

func readLines(text []byte, limits rawjson.Limits) ([]entry, error) {
	var out []entry
	for number, line := range bytes.Split(text, []byte{'\n'}) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		at := fmt.Sprintf("/%d", number+1)
		if err := rawjson.Check(line, limits); err != nil {
			return nil, invalidList("line %d is no JSON: %v", number+1, err)
		}
		e, err := readTool(line, at)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// readTool reads one tool. The annotations are taken at their word: they are
// all that a list says of effects.
func readTool(text []byte, at string) (entry, error) {
	op := interlock.Operation{}
	raw, _ := rawjson.Member(text, "name")
	name, ok := rawjson.String(raw)
	if !ok || name == "" {
		return entry{}, invalidList("the tool at %s has no name", at)
	}
	op.Name = name
	in, out := "inputSchema", "outputSchema"
	if _, snake := rawjson.Member(text, "input_schema"); snake {
		in, out = "input_schema", "output_schema"
	}
	op.InputSchema, _ = rawjson.Member(text, in)
	op.OutputSchema, _ = rawjson.Member(text, out)
	if notes, ok := rawjson.Member(text, "annotations"); ok {
		op.Effect, op.Idempotent = claimed(notes)
	}
	return entryOf(op, at, "/"+in, "/"+out), nil
}

// claimed reads what annotations say of effect and idempotency.
func claimed(notes []byte) (interlock.Effect, *bool) {
	hint := func(name string) *bool {
		raw, ok := rawjson.Member(notes, name)
		if !ok {
			return nil
		}
		yes := rawjson.KindOf(raw) == rawjson.KindTrue
		return &yes
	}
	effect := interlock.EffectUnknown
	readOnly, destructive := hint("readOnlyHint"), hint("destructiveHint")
	switch {
	case readOnly != nil && *readOnly:
		effect = interlock.EffectRead
	case destructive != nil && *destructive:
		effect = interlock.EffectDestructive
	case destructive != nil:
		effect = interlock.EffectWrite
	}
	return effect, hint("idempotentHint")
}

func invalidList(format string, args ...any) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonSourceInvalid, Stage: "diff",
		Public: "The list of tools cannot be read: " + fmt.Sprintf(format, args...) + "."}
}

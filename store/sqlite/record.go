package sqlite

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"

	"github.com/seed-ae386458/interlock"
)

// A tool is kept as one blob: the length of a JSON text, the text, and after it
// the raw JSON members of its operations, each under its own length. The JSON
// package would rewrite raw members on their way in (white space, "<") and scan
// them again on the way out; so framed they keep every byte and cost nothing.
// A length of zero means absent; any other is one more than the bytes that
// follow.

var errRecord = errors.New("a record of a tool is cut short or overlong")

// operations lists the operations of a tool.
func operations(tool *interlock.ToolRecord) []*interlock.Operation {
	ops := []*interlock.Operation{&tool.Operation}
	if tool.Waiting != nil {
		ops = append(ops, tool.Waiting)
	}
	for i := range tool.Past {
		if tool.Past[i].Stated != nil {
			ops = append(ops, tool.Past[i].Stated)
		}
	}
	return ops
}

// raws lists the raw members of a tool, in the order of their frames.
func raws(tool *interlock.ToolRecord) []*json.RawMessage {
	var list []*json.RawMessage
	for _, op := range operations(tool) {
		list = append(list, &op.InputSchema, &op.OutputSchema, &op.Annotations, &op.Binding)
		if op.Probing != nil {
			list = append(list, &op.Probing.Args)
		}
		for i := range op.Canaries {
			canary := &op.Canaries[i]
			list = append(list, &canary.Args, &canary.Expect.Result)
			if canary.Then != nil {
				list = append(list, &canary.Then.Args, &canary.Then.Expect.Result)
			}
		}
	}
	return list
}

// apart gives a tool whose raw members can be taken out without touching the
// one that it was made from.
func apart(tool interlock.ToolRecord) interlock.ToolRecord {
	if tool.Waiting != nil {
		waiting := *tool.Waiting
		tool.Waiting = &waiting
	}
	tool.Past = slices.Clone(tool.Past)
	for i, p := range tool.Past {
		if p.Stated != nil {
			stated := *p.Stated
			tool.Past[i].Stated = &stated
		}
	}
	for _, op := range operations(&tool) {
		op.Canaries = slices.Clone(op.Canaries)
		for i := range op.Canaries {
			if then := op.Canaries[i].Then; then != nil {
				read := *then
				op.Canaries[i].Then = &read
			}
		}
		if op.Probing != nil {
			probing := *op.Probing
			op.Probing = &probing
		}
	}
	return tool
}

// encodeTool gives the blob of a tool.
func encodeTool(tool interlock.ToolRecord) ([]byte, error) {
	tool = apart(tool)
	var frames []byte
	for _, raw := range raws(&tool) {
		frames = appendFrame(frames, *raw)
		*raw = nil
	}
	text, err := json.Marshal(tool)
	if err != nil {
		return nil, err
	}
	return append(appendFrame(make([]byte, 0, len(text)+len(frames)+4), text), frames...), nil
}

// decodeTool reads the blob of a tool. The raw members share its memory.
func decodeTool(blob []byte) (interlock.ToolRecord, error) {
	var tool interlock.ToolRecord
	text, rest, err := cutFrame(blob)
	if err != nil {
		return tool, err
	}
	if err := json.Unmarshal(text, &tool); err != nil {
		return tool, err
	}
	for _, raw := range raws(&tool) {
		if *raw, rest, err = cutFrame(rest); err != nil {
			return tool, err
		}
	}
	if len(rest) != 0 {
		return tool, errRecord
	}
	return tool, nil
}

func appendFrame(to, data []byte) []byte {
	if data == nil {
		return binary.AppendUvarint(to, 0)
	}
	return append(binary.AppendUvarint(to, uint64(len(data))+1), data...)
}

func cutFrame(blob []byte) (data, rest []byte, err error) {
	n, width := binary.Uvarint(blob)
	if width <= 0 || n > uint64(len(blob)-width)+1 {
		return nil, nil, errRecord
	}
	blob = blob[width:]
	if n == 0 {
		return nil, blob, nil
	}
	return blob[: n-1 : n-1], blob[n-1:], nil
}

package wire

import (
	"encoding/json"
	"fmt"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// EncodeResult writes the answer to a call as {"result", "receipt",
// "provenance"}, the result as it is spelled. With content it carries the
// tool's own content blocks behind them, for a process that shows them on.
func EncodeResult(r interlock.CallResult, content bool) ([]byte, error) {
	tail, err := Encode(struct {
		Receipt    interlock.Receipt    `json:"receipt"`
		Provenance interlock.Provenance `json:"provenance"`
	}{r.Receipt, r.Provenance})
	if err != nil {
		return nil, fmt.Errorf("encode result of %s: %w", r.Provenance.Tool, err)
	}
	result := r.Result
	if len(result) == 0 {
		result = json.RawMessage("null")
	}
	out := make([]byte, 0, len(result)+len(tail)+len(r.Content)+32)
	out = append(append(append(out, `{"result":`...), result...), ',')
	out = append(out, tail[1:]...)
	if content && len(r.Content) > 0 {
		out = append(append(out[:len(out)-1], `,"content":`...), r.Content...)
		out = append(out, '}')
	}
	return out, nil
}

// ReadResult reads what EncodeResult wrote; result and content are parts of
// body.
func ReadResult(body []byte) (interlock.CallResult, error) {
	var r interlock.CallResult
	if !json.Valid(body) {
		return r, fmt.Errorf("read result: not JSON%s", place(body))
	}
	raw := value{raw: body}
	err := raw.read(fields{
		"result":     func(v value) error { r.Result = v.raw; return nil },
		"receipt":    func(v value) error { return json.Unmarshal(v.raw, &r.Receipt) },
		"provenance": func(v value) error { return json.Unmarshal(v.raw, &r.Provenance) },
		"content":    func(v value) error { r.Content = v.raw; return nil },
	})
	if err != nil {
		return interlock.CallResult{}, fmt.Errorf("read result: %w", err)
	}
	return r, nil
}

// ReadResolution reads a resolution that another process wrote, typed refusal
// included; encoded again it is the same bytes.
func ReadResolution(body []byte) (interlock.Resolution, error) {
	type plain interlock.Resolution
	var r struct {
		plain
		Refusal json.RawMessage `json:"refusal"`
	}
	if err := json.Unmarshal(body, &r); err != nil {
		return interlock.Resolution{}, fmt.Errorf("read resolution: %w", err)
	}
	res := interlock.Resolution(r.plain)
	res.Refusal = readRefusal(r.Refusal)
	return res, nil
}

// readRefusal reads a typed refusal; one of a type that this version does not
// know is kept as it came. Null is none.
func readRefusal(raw json.RawMessage) interlock.Refusal {
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	var head relayed
	if json.Unmarshal(raw, &head) != nil || head.Kind == "" {
		return nil
	}
	if known := blank(head.Kind); known != nil && json.Unmarshal(raw, known) == nil {
		return known
	}
	head.raw = raw
	return &head
}

// blank makes an empty refusal of a type by its name on the wire.
func blank(kind string) interlock.Refusal {
	for _, r := range [...]interlock.Refusal{
		new(interlock.NoCompatibleContract), new(interlock.LowConfidenceMatch), new(interlock.NoMatch),
		new(interlock.ForbiddenNeed), new(interlock.AmbiguousNeed), new(interlock.MissingInput), new(interlock.OverBudget), new(interlock.DriftRejected),
	} {
		if r.Type() == kind {
			return r
		}
	}
	return nil
}

// relayed is a refusal of a type that this version does not know.
type relayed struct {
	Kind    string `json:"type"`
	Message string `json:"message"`
	raw     json.RawMessage
}

// Type is the name that came.
func (r *relayed) Type() string { return r.Kind }

// Error is the message that came.
func (r *relayed) Error() string { return r.Message }

// MarshalJSON writes the members that came, type and message apart.
func (r *relayed) MarshalJSON() ([]byte, error) {
	out := []byte{'{'}
	for name, raw := range rawjson.Members(r.raw) {
		if name == "type" || name == "message" {
			continue
		}
		quoted, err := Encode(name)
		if err != nil {
			return nil, err
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, quoted...), ':'), raw...)
	}
	return append(out, '}'), nil
}

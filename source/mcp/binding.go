package mcp

import "encoding/json"

// binding is the public form of where a call goes. It holds no secret: headers
// and environment stay in the configuration, as references.
type binding struct {
	Transport string   `json:"transport"` // "stdio" or "http"
	Command   []string `json:"command,omitempty"`
	Dir       string   `json:"dir,omitempty"`
	URL       string   `json:"url,omitempty"`
	Tool      string   `json:"tool"`
	Headers   []mirror `json:"headers,omitempty"` // arguments that a header repeats
}

func (b binding) encode() json.RawMessage {
	raw, _ := json.Marshal(b) // strings alone: always marshals
	return raw
}

// sameEndpoint tells whether b leads to the server that other leads to.
func (b binding) sameEndpoint(other binding) bool {
	if b.Transport != other.Transport || b.Dir != other.Dir || b.URL != other.URL || len(b.Command) != len(other.Command) {
		return false
	}
	for i := range b.Command {
		if b.Command[i] != other.Command[i] {
			return false
		}
	}
	return true
}

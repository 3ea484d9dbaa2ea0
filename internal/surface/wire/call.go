package wire

import (
	"encoding/json"

	"github.com/seed-ae386458/interlock"
)

// ReadCall reads a call. The arguments are a part of body, spelled as they
// came: repeated members and wrong types inside them are left for recheck,
// which names them, and null is not absent. Arguments left out are an empty
// object.
func ReadCall(body []byte) (interlock.CallRequest, error) {
	var c interlock.CallRequest
	known := offered(&c)
	known["tool"] = text(&c.Tool)
	known["insensitive"] = func(v value) error {
		c.Insensitive = string(v.raw) == "true"
		if !c.Insensitive && string(v.raw) != "false" {
			return Invalid("/insensitive", "Expected true or false.")
		}
		return nil
	}
	return readCall(body, &c, known)
}

// ReadOffered reads a call as a model makes it: by an offer alone, with nothing
// that is for people to say. Its refusals name no member beside those.
func ReadOffered(body []byte) (interlock.CallRequest, error) {
	var c interlock.CallRequest
	return readCall(body, &c, offered(&c))
}

// offered are the members of a call by an offer.
func offered(c *interlock.CallRequest) fields {
	return fields{
		"offer":    text(&c.Offer),
		"args":     func(v value) error { c.Args = v.raw; return nil },
		"approval": text(&c.Approval),
	}
}

func readCall(body []byte, c *interlock.CallRequest, known fields) (interlock.CallRequest, error) {
	v, err := open(body, MaxCall)
	if err != nil {
		return interlock.CallRequest{}, err
	}
	c.Args = json.RawMessage("{}")
	if err := v.read(known); err != nil {
		return interlock.CallRequest{}, err
	}
	return *c, checkCall(*c)
}

// checkCall asks for exactly one of offer and tool.
func checkCall(c interlock.CallRequest) error {
	switch {
	case c.Offer == "" && c.Tool == "":
		return Invalid("/offer", "A call repeats the offer of the tool, as it was given by resolve.")
	case c.Offer != "" && c.Tool != "":
		return Invalid("/tool", "A call names an offer or a tool, not both.")
	}
	return nil
}

// EncodeCall writes a call with its arguments as they are.
func EncodeCall(c interlock.CallRequest) ([]byte, error) {
	out := make([]byte, 0, len(c.Args)+len(c.Offer)+len(c.Tool)+len(c.Approval)+64)
	out = append(out, '{')
	for _, m := range [...]struct{ name, text string }{{"offer", c.Offer}, {"tool", c.Tool}, {"approval", c.Approval}} {
		if m.text == "" {
			continue
		}
		quoted, err := Encode(m.text)
		if err != nil {
			return nil, err
		}
		out = append(append(append(append(append(out, '"'), m.name...), `":`...), quoted...), ',')
	}
	if c.Insensitive {
		out = append(out, `"insensitive":true,`...)
	}
	out = append(out, `"args":`...)
	if len(c.Args) == 0 {
		return append(out, "{}}"...), nil
	}
	return append(append(out, c.Args...), '}'), nil
}

// maxNames bounds the tools that one request describes.
const maxNames = 20

// ReadNames reads {"tools": [names]}.
func ReadNames(body []byte) ([]string, error) {
	v, err := open(body, MaxEnvelope)
	if err != nil {
		return nil, err
	}
	var names []string
	if err := v.read(fields{"tools": list(&names, word)}); err != nil {
		return nil, err
	}
	if len(names) == 0 || len(names) > maxNames {
		return nil, Invalid("/tools", "Name 1 to %d tools.", maxNames)
	}
	return names, nil
}

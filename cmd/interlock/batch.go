package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/seed-ae386458/interlock/internal/contract"
	"github.com/seed-ae386458/interlock/internal/inclusion"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	semver "github.com/seed-ae386458/interlock/internal/version"
)

// diffPairs compares many pairs of schemas from a file.
type diffPairs struct {
	Batch     string `help:"JSON lines {id, old, new, draft}: two JSON Schemas each, answered in order." placeholder:"FILE" type:"path"`
	Direction string `help:"input: may old arguments go to new; output: may new results go to old callers." enum:"input,output" default:"input" placeholder:"SIDE"`
	Mode      string `help:"strict: as the schemas say; tool: as Interlock enforces them." enum:"strict,tool" default:"tool" placeholder:"MODE"`
}

// validateCmd checks values against schemas.
type validateCmd struct {
	Batch   string `required:"" help:"JSON lines {schema, instance, draft}, answered in order." placeholder:"FILE" type:"path"`
	Remotes string `help:"Folder that holds the documents of http://localhost:1234/; nothing is ever requested." placeholder:"DIR" type:"path"`
}

// rangeCmd answers questions about versions and ranges.
type rangeCmd struct {
	Match     rangeMatch     `cmd:"" help:"Does a range admit a version?"`
	Subset    rangeSubset    `cmd:"" help:"Does b admit every version that a admits?"`
	Intersect rangeIntersect `cmd:"" help:"Does a version satisfy both a and b?"`
	Compare   rangeCompare   `cmd:"" help:"Which of two versions comes first?"`
}

type (
	rangeMatch struct {
		Batch string `required:"" help:"JSON lines {range, version}." placeholder:"FILE" type:"path"`
	}
	rangeSubset struct {
		Batch string `required:"" help:"JSON lines {a, b}." placeholder:"FILE" type:"path"`
	}
	rangeIntersect struct {
		Batch string `required:"" help:"JSON lines {a, b}." placeholder:"FILE" type:"path"`
	}
	rangeCompare struct {
		Batch string `required:"" help:"JSON lines {a, b}." placeholder:"FILE" type:"path"`
	}
)

// Run answers a batch of pairs.
func (c diffPairs) Run(a *app) error {
	if c.Batch == "" {
		return usagef("diff needs --batch FILE")
	}
	return diffBatch(a, c.Batch, c.Direction, c.Mode)
}

// Run answers a batch of values.
func (c validateCmd) Run(a *app) error { return validateBatch(a, c.Batch, c.Remotes) }

// Run answers a batch of versions and ranges.
func (c rangeMatch) Run(a *app) error { return rangeBatch(a, c.Batch, matchLine) }

// Run answers a batch of pairs of ranges.
func (c rangeSubset) Run(a *app) error { return rangeBatch(a, c.Batch, subsetLine) }

// Run answers a batch of pairs of ranges.
func (c rangeIntersect) Run(a *app) error { return rangeBatch(a, c.Batch, intersectLine) }

// Run answers a batch of pairs of versions.
func (c rangeCompare) Run(a *app) error { return rangeBatch(a, c.Batch, compareLine) }

// batchError is what a line is answered with that could not be.
type batchError struct {
	Reason  string `json:"reason"`
	Pointer string `json:"pointer"`
	Message string `json:"message,omitempty"`
}

// maxBatchLine bounds one line of a batch, in bytes.
const maxBatchLine = 64 << 20

// eachLine answers every line of a file with one line, in order; blank lines
// are passed over. Members holds what could be read of a line, and err why the
// rest could not.
func eachLine(a *app, file string, answer func(members map[string]json.RawMessage, err *batchError) any) (err error) {
	f, err := os.Open(file)
	if err != nil {
		return usagef("cannot read the batch: %v", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in, out := bufio.NewReaderSize(f, 1<<16), bufio.NewWriter(a.out)
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	for {
		line, readErr := in.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			members, fault := splitLine(line)
			if err := errors.Join(enc.Encode(answer(members, fault)), out.Flush()); err != nil {
				return fmt.Errorf("write an answer: %w", err)
			}
		}
		if errors.Is(readErr, io.EOF) {
			return nil
		}
		if readErr != nil {
			return fmt.Errorf("read %s: %w", file, readErr)
		}
	}
}

// splitLine reads the members of one object as far as it is well-formed.
func splitLine(line []byte) (map[string]json.RawMessage, *batchError) {
	members := map[string]json.RawMessage{}
	bad := func(pointer, message string) (map[string]json.RawMessage, *batchError) {
		return members, &batchError{"not-json", pointer, message}
	}
	if len(line) > maxBatchLine {
		return members, &batchError{"too-large", "", fmt.Sprintf("a line has at most %d bytes", maxBatchLine)}
	}
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return bad("", "a line is one JSON object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return bad("", err.Error())
		}
		var text json.RawMessage
		if err := d.Decode(&text); err != nil {
			if at := fmt.Sprintf("/%v", name); writesNaN(line, err) {
				return members, &batchError{notANumber, at, "NaN or Infinity, which no JSON number is"}
			}
			if deep := tooDeep(line); deep != nil {
				return members, deep
			}
			return bad(fmt.Sprintf("/%v", name), err.Error())
		}
		members[fmt.Sprint(name)] = text
	}
	if _, err := d.Token(); err != nil {
		return bad("", err.Error())
	}
	return members, nil
}

// maxLineDepth bounds how deep a line may nest: what is nested deeper than a
// schema may be, the line around it not counted, is refused with its place.
const maxLineDepth = 1 + inclusion.MaxDepth

// tooDeep gives the answer to a line that nests too deep, nil where it does not.
func tooDeep(line []byte) *batchError {
	var fault *rawjson.Error
	err := rawjson.Check(line, rawjson.Limits{Bytes: maxBatchLine, Depth: maxLineDepth, Exponent: maxBatchLine})
	if !errors.As(err, &fault) || fault.Kind != rawjson.FaultDepth {
		return nil
	}
	return &batchError{"too-deep", fault.Pointer, fmt.Sprintf("a value is nested at most %d deep", inclusion.MaxDepth)}
}

// notANumber is the reason of a line in which NaN or Infinity stands, as some
// writers of JSON put it. Values of that kind do not exist, so such a schema is
// read far enough to say that nothing is decided.
const notANumber = "not-a-number"

// writesNaN reports whether text was refused at a NaN or an Infinity.
func writesNaN(text []byte, err error) bool {
	return strings.HasPrefix(err.Error(), "invalid character 'N'") && bytes.Contains(text, []byte("NaN")) ||
		strings.HasPrefix(err.Error(), "invalid character 'I'") && bytes.Contains(text, []byte("Infinity"))
}

// textOf reads a member that is a string.
func textOf(members map[string]json.RawMessage, name string) (string, *batchError) {
	var text *string
	if err := json.Unmarshal(members[name], &text); err != nil || text == nil {
		return "", &batchError{"not-a-string", "/" + name, fmt.Sprintf("the line needs a string %q", name)}
	}
	return *text, nil
}

// diffAnswer is the answer to one pair.
type diffAnswer struct {
	ID             json.RawMessage   `json:"id"`
	Verdict        inclusion.Verdict `json:"verdict,omitempty"`
	Witness        json.RawMessage   `json:"witness,omitempty"`
	WitnessOmitted bool              `json:"witness_omitted,omitempty"`
	Rules          []inclusion.Rule  `json:"rules,omitempty"`
	Stopped        *inclusion.Stop   `json:"stopped,omitempty"`
	Error          *batchError       `json:"error,omitempty"`
}

// diffBatch decides inclusion for every pair of a file.
func diffBatch(a *app, file, direction, mode string) error {
	return eachLine(a, file, func(members map[string]json.RawMessage, bad *batchError) any {
		if bad != nil && bad.Reason == notANumber {
			return diffAnswer{ID: members["id"], Verdict: inclusion.Undecided, Stopped: &inclusion.Stop{Pointer: bad.Pointer, Construct: bad.Message}}
		}
		out := diffAnswer{ID: members["id"], Error: bad}
		if out.ID == nil {
			out.ID = json.RawMessage("null")
		}
		if bad == nil {
			out.decide(members, direction, mode)
		}
		return out
	})
}

func (d *diffAnswer) decide(members map[string]json.RawMessage, direction, mode string) {
	old, updated := members["old"], members["new"]
	for _, name := range [...]string{"old", "new"} {
		if members[name] == nil {
			d.Error = &batchError{"missing", "/" + name, "a line holds the schemas old and new"}
			return
		}
	}
	var opts inclusion.Options
	if members["draft"] != nil {
		if opts.Draft, d.Error = textOf(members, "draft"); d.Error != nil {
			return
		}
	}
	small, big, sides := old, updated, [2]string{"/old", "/new"}
	if direction == "output" {
		small, big, sides = updated, old, [2]string{"/new", "/old"}
	}
	if mode == "tool" {
		opts.Mode = inclusion.ToolInput
		if direction == "output" {
			opts.Mode = inclusion.ToolOutput
		}
	}
	r, err := inclusion.Decide(small, big, opts)
	if err != nil {
		d.Error = faultOf(err, sides)
		return
	}
	d.Verdict, d.Witness, d.WitnessOmitted, d.Rules, d.Stopped = r.Verdict, r.Witness, r.WitnessOmitted, r.Rules, r.Stopped
}

// faultOf turns the fault of a schema into what a line shows.
func faultOf(err error, sides [2]string) *batchError {
	var fault *inclusion.Fault
	if !errors.As(err, &fault) {
		return &batchError{"internal", "", err.Error()}
	}
	side := sides[0]
	if fault.Larger {
		side = sides[1]
	}
	return &batchError{fault.Reason, side + fault.Pointer, fault.Message}
}

// validateBatch checks every value of a file against its schema.
func validateBatch(a *app, file, dir string) error {
	v := validation{remotes: remotesIn(dir)}
	return eachLine(a, file, func(members map[string]json.RawMessage, bad *batchError) any {
		if bad == nil {
			var valid bool
			if valid, bad = v.line(members); bad == nil {
				return map[string]bool{"valid": valid}
			}
		}
		return map[string]*batchError{"error": bad}
	})
}

// remotesIn gives the documents of http://localhost:1234/ from a folder.
func remotesIn(dir string) func(string) ([]byte, bool) {
	if dir == "" {
		return nil
	}
	return func(uri string) ([]byte, bool) {
		path, ok := strings.CutPrefix(uri, "http://localhost:1234/")
		if path = filepath.FromSlash(path); !ok || !filepath.IsLocal(path) {
			return nil, false
		}
		text, err := os.ReadFile(filepath.Join(dir, path)) //nolint:gosec // a local path inside the folder that was named
		return text, err == nil
	}
}

// validation keeps the verifier of the last schema: lines of one schema follow
// each other.
type validation struct {
	remotes  func(string) ([]byte, bool)
	schema   string
	draft    string
	verifier *contract.Verifier
	err      error
}

func (v *validation) line(members map[string]json.RawMessage) (bool, *batchError) {
	for _, name := range [...]string{"schema", "instance"} {
		if members[name] == nil {
			return false, &batchError{"missing", "/" + name, "a line holds a schema and an instance"}
		}
	}
	var draft string
	if members["draft"] != nil {
		var bad *batchError
		if draft, bad = textOf(members, "draft"); bad != nil {
			return false, bad
		}
	}
	if text := string(members["schema"]); v.verifier == nil || v.schema != text || v.draft != draft {
		v.schema, v.draft = text, draft
		v.verifier, v.err = contract.NewVerifier(members["schema"], contract.VerifierOptions{Draft: draft, Remotes: v.remotes})
	}
	var flaw *contract.SchemaError
	switch {
	case errors.As(v.err, &flaw):
		return false, &batchError{"not-a-schema", "/schema" + flaw.Pointer, flaw.Message}
	case v.err != nil:
		return false, &batchError{"unknown-dialect", "/draft", v.err.Error()}
	}
	valid, err := v.verifier.Valid(members["instance"])
	if err != nil {
		return false, &batchError{"not-checked", "/instance", err.Error()}
	}
	return valid, nil
}

// rangeBatch answers every line of a file.
func rangeBatch(a *app, file string, answer func(map[string]json.RawMessage) (any, *batchError)) error {
	return eachLine(a, file, func(members map[string]json.RawMessage, bad *batchError) any {
		if bad == nil {
			var out any
			if out, bad = answer(members); bad == nil {
				return out
			}
		}
		return map[string]*batchError{"error": bad}
	})
}

func rangeOf(members map[string]json.RawMessage, name string) (semver.Range, *batchError) {
	text, bad := textOf(members, name)
	if bad != nil {
		return semver.Range{}, bad
	}
	r, err := semver.ParseRange(text)
	if err != nil {
		return r, &batchError{"not-a-range", "/" + name, err.Error()}
	}
	return r, nil
}

func versionOf(members map[string]json.RawMessage, name string) (semver.Version, *batchError) {
	text, bad := textOf(members, name)
	if bad != nil {
		return semver.Version{}, bad
	}
	v, err := semver.Parse(text)
	if err != nil {
		return v, &batchError{"not-a-version", "/" + name, err.Error()}
	}
	return v, nil
}

func matchLine(members map[string]json.RawMessage) (any, *batchError) {
	r, bad := rangeOf(members, "range")
	if bad != nil {
		return nil, bad
	}
	v, bad := versionOf(members, "version")
	if bad != nil {
		return nil, bad
	}
	return map[string]bool{"match": r.Match(v)}, nil
}

func bothRanges(members map[string]json.RawMessage) (a, b semver.Range, bad *batchError) {
	if a, bad = rangeOf(members, "a"); bad == nil {
		b, bad = rangeOf(members, "b")
	}
	return a, b, bad
}

func subsetLine(members map[string]json.RawMessage) (any, *batchError) {
	a, b, bad := bothRanges(members)
	if bad != nil {
		return nil, bad
	}
	return map[string]bool{"subset": a.Subset(b)}, nil
}

func intersectLine(members map[string]json.RawMessage) (any, *batchError) {
	a, b, bad := bothRanges(members)
	if bad != nil {
		return nil, bad
	}
	return map[string]bool{"intersects": a.Intersects(b)}, nil
}

func compareLine(members map[string]json.RawMessage) (any, *batchError) {
	a, bad := versionOf(members, "a")
	if bad != nil {
		return nil, bad
	}
	b, bad := versionOf(members, "b")
	if bad != nil {
		return nil, bad
	}
	return map[string]int{"compare": semver.Compare(a, b)}, nil
}

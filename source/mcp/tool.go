package mcp

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
	"github.com/seed-ae386458/interlock/internal/version"
)

// toolLimits bounds one definition. Schemas nest deeper than arguments do.
var toolLimits = rawjson.Limits{Bytes: 4 << 20, Depth: 256}

// readTool reads one entry of a list of tools. Findings point into the entry;
// one that is dropped leaves the tool with at most its name.
func readTool(raw []byte, s *source, modern bool) (interlock.Operation, []interlock.Finding) {
	r := toolReader{source: s, modern: modern}
	if err := rawjson.Check(raw, toolLimits); err != nil {
		r.drop("", "the definition: %v", err)
		return r.op, r.findings
	}
	parts, err := pick(raw, "name", "title", "description", "inputSchema", "outputSchema", "annotations", "_meta")
	if err != nil {
		r.drop("", "the definition is %v", err)
		return r.op, r.findings
	}
	r.identify(parts[0], parts[1], parts[2])
	r.schemas(parts[3], parts[4])
	r.annotations(parts[5])
	r.version(parts[6])
	return r.op, r.findings
}

type toolReader struct {
	source   *source
	modern   bool
	op       interlock.Operation
	findings []interlock.Finding
}

func (r *toolReader) drop(pointer, format string, args ...any) {
	r.findings = append(r.findings, interlock.Finding{Pointer: pointer, Reason: fmt.Sprintf(format, args...), Dropped: true})
}

func (r *toolReader) note(pointer, format string, args ...any) {
	r.findings = append(r.findings, interlock.Finding{Pointer: pointer, Reason: fmt.Sprintf(format, args...)})
}

// identify reads what a tool is called, and how it is described.
func (r *toolReader) identify(name, title, description []byte) {
	var err error
	if r.op.Name, err = text(name); err != nil {
		r.drop("/name", "the name is %v", err)
	} else if r.op.Name == "" {
		r.drop("/name", "the tool has no name")
	}
	if !isNull(title) {
		if r.op.Title, err = text(title); err != nil {
			r.note("/title", "the title is %v and is left out", err)
		}
	}
	said := ""
	if !isNull(description) {
		if said, err = text(description); err != nil {
			r.note("/description", "the description is %v and is left out", err)
		}
	}
	r.op.Variants = []interlock.Variant{{ID: "default", Description: said}}
}

// schemas takes both schemas as the server wrote them.
func (r *toolReader) schemas(in, out []byte) {
	switch {
	case in == nil || isNull(in):
		r.drop("/inputSchema", "the tool has no input schema")
	case !isObject(in):
		r.drop("/inputSchema", "the input schema is not an object")
	case !takesObject(in):
		r.drop("/inputSchema/type", "the input schema describes no object, and arguments are always one")
	default:
		r.op.InputSchema = in
		r.bind(in)
	}
	switch {
	case out == nil || isNull(out):
	case !isObject(out):
		r.drop("/outputSchema", "the output schema is not an object")
	default:
		r.op.OutputSchema = out
	}
}

// takesObject tells whether a schema's own type, where it states one, allows
// an object.
func takesObject(schema []byte) bool {
	parts, err := pick(schema, "type")
	if err != nil || parts[0] == nil {
		return err == nil
	}
	if parts[0][0] != '[' {
		return string(parts[0]) == `"object"`
	}
	var types []string
	if json.Unmarshal(parts[0], &types) != nil {
		return false
	}
	for _, t := range types {
		if t == "object" {
			return true
		}
	}
	return false
}

// bind says where a call to the tool goes. Over HTTP in the newer era a tool
// with headers that cannot be sent is one that cannot be called.
func (r *toolReader) bind(schema []byte) {
	var repeated []mirror
	if r.modern && r.source.endpoint.URL != "" {
		var err error
		if repeated, err = mirrors(schema); err != nil {
			r.drop("/inputSchema", "the tool cannot be called: %v", err)
			return
		}
	}
	r.op.Binding = r.source.bind(r.op.Name, repeated)
}

// annotations records the server's own claims. They decide the effect only
// where the operator trusts this source with it.
func (r *toolReader) annotations(raw []byte) {
	r.op.Effect = interlock.EffectUnknown
	if raw == nil || isNull(raw) {
		return
	}
	r.op.Annotations = raw
	parts, err := pick(raw, "readOnlyHint", "destructiveHint", "idempotentHint", "title")
	if err != nil {
		r.note("/annotations", "the annotations are %v", err)
		return
	}
	if r.op.Title == "" {
		r.op.Title, _ = text(parts[3])
	}
	if r.source.cfg.Trust != interlock.TrustAnnotations {
		return
	}
	r.op.Effect = trusted(hint(parts[0]), hint(parts[1]))
	r.op.Idempotent = hint(parts[2])
}

// hint reads a boolean; anything else is no statement.
func hint(raw []byte) *bool {
	value := string(raw) == "true"
	if !value && string(raw) != "false" {
		return nil
	}
	return &value
}

// trusted is the effect that the two hints state. Where there is neither,
// nothing is stated.
func trusted(readOnly, destructive *bool) interlock.Effect {
	switch {
	case readOnly == nil && destructive == nil:
		return interlock.EffectUnknown
	case readOnly != nil && *readOnly:
		return interlock.EffectRead
	case destructive != nil && !*destructive:
		return interlock.EffectWrite
	}
	return interlock.EffectDestructive
}

// version reads the version that a tool's _meta states, under "version" or a
// name that ends in "/version". Two that differ state none.
func (r *toolReader) version(meta []byte) {
	if !isObject(meta) {
		return
	}
	for name, value := range rawjson.Members(meta) {
		if name != "version" && !strings.HasSuffix(name, "/version") {
			continue
		}
		pointer := rawjson.Join("/_meta", name)
		stated, err := text(value)
		if err == nil {
			_, err = strictVersion(stated)
		}
		switch {
		case err != nil:
			r.note(pointer, "the version %.80s is not MAJOR.MINOR.PATCH and is left out", value)
		case r.op.Version != "" && r.op.Version != stated:
			r.note(pointer, "the version %s contradicts %s; the first one counts", stated, r.op.Version)
		default:
			r.op.Version = stated
		}
	}
}

// strictVersion parses a version that is spelled without the liberties that
// npm allows around one.
func strictVersion(stated string) (version.Version, error) {
	v, err := version.Parse(stated)
	if err == nil && (stated[0] == 'v' || strings.TrimSpace(stated) != stated) {
		err = fmt.Errorf("version %q is not written strictly", stated)
	}
	return v, err
}

package policy

import (
	"slices"
	"strings"

	cedar "github.com/cedar-policy/cedar-go"

	"github.com/seed-ae386458/interlock"
)

// The types of entities.
const (
	typePrincipal = cedar.EntityType("Principal")
	typeRole      = cedar.EntityType("Role")
	typeTool      = cedar.EntityType("Tool")
	typeField     = cedar.EntityType("Field")
	typeRegistry  = cedar.EntityType("Registry")
	typeAction    = cedar.EntityType("Action")
)

// Facts are what policies may know of a tool.
type Facts struct {
	ID, Tenant, Source, Family, Version string
	Effect                              interlock.Effect
	State                               interlock.State
	Tags                                map[string]string
}

// Tool is a tool in the form that policies read. It never changes.
type Tool struct {
	facts  Facts
	tags   string // sorted, for keys of memory
	entity cedar.Entity
}

// NewTool prepares a tool.
func NewTool(f Facts) *Tool {
	tags := pairs(f.Tags)
	attrs := cedar.RecordMap{"tags": setOf(tags)}
	t := &Tool{facts: f, tags: strings.Join(tags, "\x00")}
	for _, name := range toolTexts {
		attrs[name] = cedar.String(t.text(string(name)))
	}
	t.entity = cedar.Entity{UID: cedar.NewEntityUID(typeTool, cedar.String(f.ID)), Attributes: cedar.NewRecord(attrs)}
	return t
}

// ID gives the tool's whole name.
func (t *Tool) ID() string { return t.facts.ID }

// toolTexts are the attributes of a tool that are strings.
var toolTexts = [...]cedar.String{"tenant", "source", "family", "version", "effect", "state"}

// text gives an attribute as text.
func (t *Tool) text(name string) string {
	switch name {
	case "tenant":
		return t.facts.Tenant
	case "source":
		return t.facts.Source
	case "family":
		return t.facts.Family
	case "version":
		return t.facts.Version
	case "effect":
		return string(t.facts.Effect)
	case "state":
		return string(t.facts.State)
	case "tags":
		return t.tags
	}
	return ""
}

// Field is one field of a tool: a place in its input or output, such as
// "output:/salary".
type Field struct {
	Tool       *Tool
	At         string
	SemanticID string
}

// text gives an attribute as text.
func (f Field) text(name string) string {
	switch name {
	case "tool":
		return f.Tool.facts.ID
	case "at":
		return f.At
	case "semantic_id":
		return f.SemanticID
	}
	return ""
}

func (f Field) uid() cedar.EntityUID {
	return cedar.NewEntityUID(typeField, cedar.String(f.Tool.facts.ID+"#"+f.At))
}

func (f Field) entity() cedar.Entity {
	return cedar.Entity{UID: f.uid(), Parents: cedar.NewEntityUIDSet(f.Tool.entity.UID), Attributes: cedar.NewRecord(cedar.RecordMap{
		"tool": cedar.String(f.Tool.facts.ID), "at": cedar.String(f.At), "semantic_id": cedar.String(f.SemanticID)})}
}

// principalOf is a principal in the form that policies read.
func principalOf(who interlock.Principal) cedar.Entity {
	roles, parents := make([]cedar.Value, len(who.Roles)), make([]cedar.EntityUID, len(who.Roles))
	for i, role := range who.Roles {
		roles[i], parents[i] = cedar.String(role), cedar.NewEntityUID(typeRole, cedar.String(role))
	}
	return cedar.Entity{UID: cedar.NewEntityUID(typePrincipal, cedar.String(who.Name)), Parents: cedar.NewEntityUIDSet(parents...),
		Attributes: cedar.NewRecord(cedar.RecordMap{"tenant": cedar.String(who.Tenant), "roles": cedar.NewSet(roles...), "attributes": setOf(pairs(who.Attributes))})}
}

// pairs writes a map as sorted "key=value".
func pairs(m map[string]string) []string {
	out := make([]string, 0, len(m))
	for k, v := range m {
		out = append(out, k+"="+v)
	}
	slices.Sort(out)
	return out
}

func setOf(texts []string) cedar.Set {
	set := make([]cedar.Value, len(texts))
	for i, t := range texts {
		set[i] = cedar.String(t)
	}
	return cedar.NewSet(set...)
}

// registry is the one resource of audit and administer.
func registry() cedar.Entity { return cedar.Entity{UID: cedar.NewEntityUID(typeRegistry, "registry")} }

// world is the two or three entities that one question is about.
type world struct{ who, resource, tool cedar.Entity }

// Get gives an entity by its id.
func (w *world) Get(uid cedar.EntityUID) (cedar.Entity, bool) {
	switch uid {
	case w.resource.UID:
		return w.resource, true
	case w.who.UID:
		return w.who, true
	case w.tool.UID:
		return w.tool, true
	}
	return cedar.Entity{}, false
}

package policy

import (
	_ "embed"
	"fmt"

	"github.com/cedar-policy/cedar-go/x/exp/schema"
	"github.com/cedar-policy/cedar-go/x/exp/schema/validate"
)

// schemaText is what policies may speak of.
//
//go:embed schema.cedarschema
var schemaText []byte

// starter is the set that `interlock policy init` writes.
//
//go:embed starter.cedar
var starter []byte

// Schema gives the Cedar schema that policies are validated against.
func Schema() string { return string(schemaText) }

// Starter gives a commented set to begin with.
func Starter() string { return string(starter) }

// validator holds policies to the schema.
func validator() (*validate.Validator, error) {
	var s schema.Schema
	if err := s.UnmarshalCedar(schemaText); err != nil {
		return nil, fmt.Errorf("policy schema: %w", err)
	}
	resolved, err := s.Resolve()
	if err != nil {
		return nil, fmt.Errorf("policy schema: %w", err)
	}
	return validate.New(resolved), nil
}

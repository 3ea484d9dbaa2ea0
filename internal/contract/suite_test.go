package contract

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/seed-ae386458/interlock"
)

// The required rows of the JSON Schema test suite, where a copy lies beside
// the checkout. Groups that refer to other documents are not run: nothing is
// loaded here.
func TestJSONSchemaSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for file, dialect := range map[string]string{
		"draft7-required.jsonl":       "http://json-schema.org/draft-07/schema#",
		"draft2019-09-required.jsonl": "https://json-schema.org/draft/2019-09/schema",
		"draft2020-12-required.jsonl": "https://json-schema.org/draft/2020-12/schema",
	} {
		t.Run(file, func(t *testing.T) {
			f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "compat", "jsonschema-suite", file))
			if err != nil {
				t.Skipf("the suite is not here: %v", err)
			}
			defer f.Close()
			ran, remote := 0, 0
			for lines := bufio.NewReader(f); ; {
				line, err := lines.ReadBytes('\n')
				if len(line) == 0 && err != nil {
					break
				}
				n, elsewhere := suiteGroup(t, line, dialect)
				ran += n
				remote += elsewhere
			}
			t.Logf("%d tests right, %d refer to other documents", ran, remote)
			if ran < 600 || remote > 80 {
				t.Errorf("%d ran, %d refer elsewhere", ran, remote)
			}
		})
	}
}

// suiteGroup runs one group: a schema with values that are valid or not.
func suiteGroup(t *testing.T, line []byte, dialect string) (ran, elsewhere int) {
	var group struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	if err := json.Unmarshal(line, &group); err != nil {
		t.Fatal(err)
	}
	schema := string(group.Schema)
	if n := must(t, schema); n.is(kindObject) && n.get("$schema") == nil {
		schema = `{"$schema":"` + dialect + `",` + schema[1:]
		schema = strings.Replace(schema, ",}", "}", 1)
	}
	op := operation("", schema)
	if findings := Check(op); findings != nil {
		if !strings.Contains(findings[0].Reason, "outside the schema") && !strings.Contains(findings[0].Reason, "unknown dialect") {
			t.Errorf("%s: %v", group.Description, findings)
		}
		return 0, len(group.Tests)
	}
	c, err := Compile(op)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range group.Tests {
		err := c.ValidateResult(tc.Data)
		if (err == nil) != tc.Valid {
			t.Errorf("%s, %s: valid %v, got %v", group.Description, tc.Description, tc.Valid, err)
		}
		if err != nil && interlock.ReasonOf(err) != interlock.ReasonResultInvalid {
			t.Errorf("%s, %s: %v", group.Description, tc.Description, err)
		}
		ran++
	}
	return ran, 0
}

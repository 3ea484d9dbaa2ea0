package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/seed-ae386458/interlock"
)

// globals are the flags of every command.
type globals struct {
	Store     string `help:"Path of the store." env:"INTERLOCK_STORE" placeholder:"PATH" group:"every"`
	Config    string `help:"Configuration file (YAML or JSON)." env:"INTERLOCK_CONFIG" placeholder:"FILE" group:"every"`
	Principal string `help:"Act as this token of the configuration." placeholder:"NAME" group:"every"`
	Claims    string `help:"Act as whom a token of the issuer with these claims would be of: a JSON object in a file." placeholder:"FILE" type:"path" group:"every"`
	JSON      bool   `name:"json" help:"Print JSON." group:"every"`
	Embedder  string `help:"Where vectors come from: builtin, none, or openai with the address of the configuration." env:"INTERLOCK_EMBEDDER" placeholder:"KIND" group:"every"`
	LogLevel  string `help:"Least level that is logged: debug, info, warn or error." env:"INTERLOCK_LOG_LEVEL" placeholder:"LEVEL" group:"every"`
}

// cli is the grammar of the command line.
type cli struct {
	globals

	Up        upCmd        `cmd:"" group:"serve" help:"Serve: MCP at /mcp, HTTP at /v1, and the local socket for the other commands."`
	Add       addCmd       `cmd:"" group:"serve" help:"Register a source, or publish it again under its name."`
	Remove    removeCmd    `cmd:"" group:"serve" help:"Take a source out, with its tools."`
	Sources   sourcesCmd   `cmd:"" group:"serve" help:"List the sources."`
	Tools     toolsCmd     `cmd:"" group:"serve" help:"List the tools."`
	Show      showCmd      `cmd:"" group:"serve" help:"Show one tool in full."`
	MCP       mcpCmd       `cmd:"" group:"serve" name:"mcp" help:"Serve MCP on standard input and output, for a client that starts its servers."`
	Doctor    doctorCmd    `cmd:"" group:"serve" help:"Check the store, the log, the configuration and the sources."`
	Resolve   resolveCmd   `cmd:"" group:"use" help:"Find the tools for a need, or an honest refusal."`
	Call      callCmd      `cmd:"" group:"use" help:"Call a tool by its offer or its name."`
	Approve   approveCmd   `cmd:"" group:"use" help:"Grant or refuse an approval that a call asked for; without an id, list them."`
	Console   consoleCmd   `cmd:"" group:"use" help:"Print a link by which a browser on this machine decides on approvals as the operator."`
	Lock      lockCmd      `cmd:"" group:"contracts" help:"Write the families that an agent uses, and the versions it gets, to interlock.lock."`
	Outdated  outdatedCmd  `cmd:"" group:"contracts" help:"List the newer versions of what is locked, and what stops each."`
	Why       whyCmd       `cmd:"" group:"contracts" help:"Explain why a version of a family was chosen, and what stopped each other one."`
	Preflight preflightCmd `cmd:"" group:"contracts" help:"Check everything that is locked without calling anything: 0 ready, 10 retry later, 11 ask an operator, 12 broken for good."`
	Diff      diffCmd      `cmd:"" group:"contracts" help:"Compare contracts: may the new one serve the callers of the old?"`
	Review    reviewCmd    `cmd:"" group:"contracts" help:"List the definitions that wait for a decision."`
	Accept    acceptCmd    `cmd:"" group:"contracts" help:"Accept the definition of a fingerprint."`
	Reject    rejectCmd    `cmd:"" group:"contracts" help:"Reject the definition of a fingerprint."`
	Range     rangeCmd     `cmd:"" group:"contracts" help:"Questions about versions and ranges, in npm's strict grammar."`
	Validate  validateCmd  `cmd:"" group:"contracts" help:"Check values against JSON Schemas."`
	Policy    policyCmd    `cmd:"" group:"policy" help:"Write, check, test and explain policies: who may see and do what."`
	Probe     probeCmd     `cmd:"" group:"behaviour" help:"Find out whether tools do what they document, by calls made for that."`
	Drift     driftCmd     `cmd:"" group:"behaviour" help:"How tools behave against what they document: verdicts, evidence, decisions."`
	Log       logCmd       `cmd:"" group:"record" help:"Read, verify, prove, witness and prune the log."`
	Keys      keysCmd      `cmd:"" group:"record" help:"The keys of the log and of offers."`
	Calibrate calibrateCmd `cmd:"" group:"measure" help:"Learn from a catalogue's own accepted matches."`
	Eval      evalCmd      `cmd:"" group:"measure" help:"Measure discovery on labelled requests."`
	Demo      demoCmd      `cmd:"" group:"measure" help:"Demonstrations that can be watched."`
	Version   versionCmd   `cmd:"" group:"other" help:"Print the version."`
	Help      helpCmd      `cmd:"" group:"other" help:"Show the help of a command."`
}

type upCmd struct {
	Listen    string        `help:"Address to listen on." env:"INTERLOCK_LISTEN" placeholder:"ADDR"`
	Sample    bool          `help:"Register sample sources that work without network."`
	SampleMCP string        `name:"sample-mcp" help:"Folder that holds installed reference MCP servers for the sample." placeholder:"DIR" type:"path"`
	Poll      time.Duration `help:"How often sources are read again; 0 never." placeholder:"DURATION" default:"-1s"`
}

type addCmd struct {
	MCP      addMCP      `cmd:"" name:"mcp" help:"An MCP server: a command after --, or an address."`
	OpenAPI  addDoc      `cmd:"" name:"openapi" help:"An OpenAPI document, from a file or an address."`
	Manifest addManifest `cmd:"" help:"A manifest that declares tools, families, versions, edges and meanings."`
	Tools    addTools    `cmd:"" help:"A list of tools with no live endpoint, one JSON object a line."`
}

type addMCP struct {
	Target []string          `arg:"" optional:"" name:"target" help:"Address of a streamable HTTP endpoint, or -- and the command to start."`
	Name   string            `help:"Name of the source." placeholder:"NAME"`
	Trust  string            `help:"annotations: the server's word on effects counts." placeholder:"WHAT"`
	Tenant string            `help:"Who owns the tools." placeholder:"NAME"`
	Env    map[string]string `help:"Environment of the command; a value may be a reference: env:NAME, file:PATH, command:… or keyring:…." placeholder:"NAME=VALUE"`
	Header map[string]string `help:"Header sent to the server; a value may be a reference: env:NAME, file:PATH, command:… or keyring:…." placeholder:"NAME=VALUE"`
}

type addDoc struct {
	Document   string            `arg:"" help:"File or address of the document."`
	Name       string            `help:"Name of the source." placeholder:"NAME"`
	BaseURL    string            `name:"base-url" help:"Where the service is; without it the document's own servers count, if they are public." placeholder:"URL"`
	Tenant     string            `help:"Who owns the tools." placeholder:"NAME"`
	Credential map[string]string `help:"Reference for a security scheme, by its name: SCHEME=env:NAME." placeholder:"SCHEME=REF"`
	Header     map[string]string `help:"Header sent with each call; a value may be a reference: env:NAME, file:PATH, command:… or keyring:…." placeholder:"NAME=VALUE"`
}

type addManifest struct{ addFile }

type addTools struct{ addFile }

// addFile is what is said of a source that is one file.
type addFile struct {
	File   string `arg:"" help:"The file."`
	Name   string `help:"Name of the source." placeholder:"NAME"`
	Tenant string `help:"Who owns the tools." placeholder:"NAME"`
}

type removeCmd struct {
	Name string `arg:"" help:"Name of the source."`
}

type sourcesCmd struct{}

type toolsCmd struct {
	Match string `arg:"" optional:"" help:"Only the tools whose name holds this text."`
}

type showCmd struct {
	Name string `arg:"" help:"Whole name of the tool, source/name."`
}

type resolveCmd struct {
	Need       string   `arg:"" optional:"" help:"What is needed, in any language; - reads it from standard input."`
	Context    []string `help:"What was said earlier, the oldest first; repeatable." sep:"none" placeholder:"TEXT"`
	Have       []string `help:"An input in hand, by name; repeatable." sep:"none" placeholder:"NAME"`
	Constraint []string `help:"Versions that are accepted of a family, in npm's range grammar; *=RANGE for every family not named." sep:"none" placeholder:"FAMILY=RANGE"`
	Want       []string `help:"A wanted output: SEMANTIC_ID or SEMANTIC_ID:UNIT; repeatable." sep:"none" placeholder:"FIELD"`
	Effect     []string `help:"An effect that is allowed: read, write, destructive; repeatable." placeholder:"EFFECT"`
	K          *int     `name:"k" help:"Candidates at most (5)." placeholder:"N"`
	Tokens     int      `help:"Tokens of the candidates at most." placeholder:"N"`
	Tokenizer  string   `help:"What counts tokens: o200k or cl100k (o200k)." placeholder:"NAME"`
	Bytes      int      `help:"Bytes of schema at most (32768)." placeholder:"N"`
	Calls      int      `help:"Calls that the complete set may take (8)." placeholder:"N"`
	Explain    bool     `help:"Say what each stage left, what decided, and what would change the answer."`
}

type callCmd struct {
	What        string `arg:"" optional:"" help:"An offer, or the whole name of a tool."`
	Args        string `help:"Arguments, a JSON object; @FILE reads them from a file, - from standard input." default:"{}" placeholder:"JSON"`
	Approval    string `help:"Id of a granted approval." placeholder:"ID"`
	Approve     bool   `help:"Give the operator's own leave for this one call; of a batch, for each of its calls by its own digest."`
	Insensitive bool   `help:"Nothing depends on how the tool behaves: a read goes out although the tool is rejected for drift, where the configuration allows it."`
	Batch       string `help:"JSON lines {id, tool, args}: calls by exact tool name, made in order, one answer a line: a result or an error. It ends with 0 once every line has its answer." placeholder:"FILE" type:"path"`
}

type consoleCmd struct{}

type approveCmd struct {
	ID     string `arg:"" optional:"" help:"Id of the approval."`
	Refuse bool   `help:"Refuse instead of granting."`
}

type doctorCmd struct{}

type mcpCmd struct{}

type versionCmd struct{}

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"Words of the command, such as add mcp."`
}

type demoCmd struct {
	Upgrade demoUpgrade `cmd:"" help:"A rolling upgrade under 90 tenants pinned to the old major."`
}

type demoUpgrade struct {
	Naive bool `help:"Run a resolver that filters after truncation beside it."`
}

// body writes the need as every face takes it.
func (c resolveCmd) need() (interlock.Need, error) {
	need := interlock.Need{Text: c.Need, Context: c.Context, Have: c.Have, Budget: interlock.Budget{Calls: c.Calls, SchemaBytes: c.Bytes, Tokens: c.Tokens, Tokenizer: c.Tokenizer}, Explain: c.Explain}
	if c.K != nil {
		if *c.K < 1 {
			return need, usagef("--k is at least 1")
		}
		need.K = *c.K
	}
	for _, text := range c.Constraint {
		family, rng, ok := strings.Cut(text, "=")
		if !ok || family == "" {
			return need, usagef("--constraint %q is not FAMILY=RANGE", text)
		}
		need.Constraints = append(need.Constraints, interlock.Constraint{Family: family, Range: rng})
	}
	for _, text := range c.Want {
		id, unit, _ := strings.Cut(text, ":")
		need.Want = append(need.Want, interlock.Want{SemanticID: id, Unit: unit})
	}
	for _, e := range c.Effect {
		need.Effects = append(need.Effects, interlock.Effect(e))
	}
	return need, nil
}

// usageError is a command line that cannot be carried out: exit code 2.
type usageError struct{ text string }

func (e *usageError) Error() string { return e.text }

func usagef(format string, args ...any) error { return &usageError{fmt.Sprintf(format, args...)} }

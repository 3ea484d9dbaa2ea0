package interlock_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/modfile"
)

const module = "github.com/seed-ae386458/interlock"

// line is the architecture: every package of the module in order, each with
// the one sentence that no other package's sentence covers. A package imports
// only packages that stand above it. To add one, put its row where the newest
// thing it may know of stands above it; to change the order, change it in a
// commit of its own that says why.
var line = []struct{ path, purpose string }{
	{".", "the vocabulary: plain data and small interfaces"},

	{"internal/version", "versions and npm ranges, and their algebra"},
	{"internal/rawjson", "JSON text byte for byte"},
	{"internal/parallel", "many things worked on at once, a panic raised where it was asked for"},
	{"internal/spelling", "the known name that a misspelled one stands for"},
	{"embedding/internal/kernel", "the arithmetic of vectors, the same bits on every processor"},
	{"embedding", "texts compared by their vectors"},
	{"embedding/usem3", "the embedded model, and the only place that links its file"},
	{"embedding/gist", "English words as short vectors"},
	{"embedding/lexicon", "Korean and Japanese words to English ones"},
	{"policy", "Cedar text to decisions with reasons"},
	{"receipt", "sealed records in the append-only log, and their verification"},
	{"internal/auth", "credentials to principals, principals to what they may see, secrets by reference"},
	{"internal/endpoint", "models behind HTTP addresses: vectors and reranking"},
	{"internal/contract", "what a tool promises: schemas, hashes, checks, compatible versions"},
	{"internal/inclusion/regular", "regular expressions as languages: what one admits and another does not"},
	{"internal/inclusion", "whether every value of one schema is a value of another, proved or refuted"},
	{"internal/diff/rule", "the vocabulary of change rules"},
	{"internal/diff/rules/array", "change rules about lists"},
	{"internal/diff/rules/choice", "change rules about combinations of schemas"},
	{"internal/diff/rules/meaning", "change rules about what values mean"},
	{"internal/diff/rules/object", "change rules about members of objects"},
	{"internal/diff/rules/promise", "change rules about what stands beside the schemas"},
	{"internal/diff/rules/value", "change rules about single values"},
	{"internal/diff/rules/web", "change rules about HTTP operations"},
	{"internal/diff", "what a newer contract does to the callers of an older one"},
	{"internal/vet", "what a definition says to a model: instructions, hidden text, look-alikes"},
	{"internal/drift", "what a tool documents against what it was seen to do"},
	{"internal/drift/probe", "what to ask of a tool, and what its answers show"},

	{"internal/registry", "publish, withdraw, generations"},
	{"internal/approval", "leave for one call: asked, granted, used once"},
	{"internal/offer", "what was disclosed, sealed into one short text"},
	{"internal/ucum", "units of measure, read and converted exactly"},
	{"internal/words", "what the words of a text say: terms, language, acts, values"},
	{"internal/index", "the search index: postings and vectors under a view"},

	{"internal/resolve/snapshot", "a registry frozen for one request"},
	{"internal/resolve/eligible", "what is visible, parted: compatible, denied, incompatible"},
	{"internal/resolve/discover", "a score for each tool inside its part"},
	{"internal/resolve/fit", "operation, inputs, outputs and effect held against the need"},
	{"internal/resolve/dispose", "the kind of answer, in the fixed order"},
	{"internal/resolve/disclose", "least schema inside the budget, with offers"},
	{"internal/resolve/explain", "how an answer came about, and what would change it"},
	{"internal/execute/recheck", "an offer proved against what is current: a clearance"},
	{"internal/execute/invoke", "one cleared call to its source"},
	{"internal/execute/validate", "an answer held against its output schema"},
	{"internal/execute/project", "a result cut to the members that may leave"},

	{"source/yamljson", "documents that people write, JSON or YAML, as one tree"},
	{"source/httpcall", "one HTTP request of a tool, its reply unchanged"},
	{"source/openapi", "OpenAPI documents as sources"},
	{"source/manifest", "manifests as sources: families, versions, edges, meaning"},
	{"source/toollist", "static tool lists as sources"},
	{"internal/diff/documents", "two documents of many contracts compared"},
	{"source/mcp", "MCP servers as sources"},
	{"store/sqlite", "a store in one file"},
	{"store/storetest", "the suite that every store passes"},

	{"router", "the order of the stages, and the front door of the library"},

	{"internal/surface/wire", "the JSON that every face shares"},
	{"internal/lock", "an agent's families as a file, held against what is there now"},
	{"internal/surface/surfacetest", "a small router in memory, for the tests of the faces"},
	{"internal/surface/httpapi", "the HTTP face"},
	{"internal/surface/mcpserver", "the MCP face"},
	{"internal/demo", "the sample service and the rolling upgrade that can be watched"},
	{"internal/driftlab", "services with faults that can be switched on, and what finds each"},
	{"internal/qualify", "what a run over labelled needs promised and found, with its decision"},
	{"internal/eval", "calibration and paired runs over labelled needs"},
	{"internal/opendata", "public tools and requests composed into catalogues and cases"},
	{"internal/train", "weights fitted to labelled needs, and how they do on what they did not see"},

	{"cmd/interlock", "flags, configuration, wiring, exit codes"},
	{"bench", "what is promised of speed and memory, measured beside its baseline"},
	{"scripts/opencases", "the case file of public requests, made anew for make"},
	{"scripts/genera", "what words are kinds of, made anew from WordNet"},
	{"scripts/train", "the weights that ship, made anew for make"},
	{"scripts/testreport", "one run of go test, read and counted for make"},
}

// pure names the packages without a world: same input, same output.
var pure = []string{
	".", "internal/version", "internal/rawjson", "internal/spelling", "embedding", "embedding/...", "policy",
	"internal/contract", "internal/inclusion/...", "internal/diff/...", "internal/vet", "internal/drift/...", "internal/offer", "internal/words", "internal/ucum", "internal/index",
	"internal/resolve/eligible", "internal/resolve/discover", "internal/resolve/fit",
	"internal/resolve/dispose", "internal/resolve/disclose", "internal/resolve/explain",
	"internal/execute/validate", "internal/execute/project", "internal/surface/wire", "internal/lock", "internal/qualify",
}

// ban keeps some imports out of some packages. A path that ends in /... stands
// for itself and everything below it; an empty in is every package.
type ban struct {
	imports    []string
	in, except []string
	why        string
}

var bans = []ban{
	{imports: []string{"net", "net/http/...", "os/...", "database/sql/...", "syscall", "log", "log/slog", "math/rand/...", "crypto/rand"},
		in: pure, why: "pure code has no network, disk, database, log or chance; they come in as arguments"},
	{imports: []string{"github.com/santhosh-tekuri/jsonschema/v6/..."},
		except: []string{"internal/contract"}, why: "one package knows the schema library and denies its loader"},
	{imports: []string{"github.com/go-jose/go-jose/v4/..."},
		except: []string{"internal/auth"}, why: "one package believes tokens"},
	{imports: []string{"github.com/modelcontextprotocol/go-sdk/..."},
		except: []string{"source/mcp", "internal/surface/mcpserver", "bench"}, why: "MCP has two edges, and the benchmark a server of its own"},
	{imports: []string{module + "/source/...", module + "/store/..."},
		in:  []string{"router", "internal/resolve/...", "internal/execute/...", "internal/registry", "internal/surface/..."},
		why: "sources and stores are joined to the router by cmd, by tests and by a library user's own main"},
	{imports: []string{module + "/internal/resolve/...", module + "/internal/execute/...", module + "/internal/registry", module + "/internal/index"},
		in: []string{"source/...", "store/..."}, why: "sources and stores know the vocabulary, not the road"},
	{imports: []string{module + "/embedding/usem3"},
		except: []string{"cmd/interlock", "internal/eval", "internal/demo", "bench", "scripts/train"}, why: "whoever plugs in another embedder links no model"},
	{imports: []string{"database/sql/...", "modernc.org/..."},
		except: []string{"store/sqlite"}, why: "one package speaks SQL to one driver"},
	{imports: []string{"os/exec"},
		except: []string{"source/mcp", "cmd/interlock", "bench"}, why: "children are started and reaped in one place"},
	{imports: []string{"log"}, except: []string{"cmd/interlock"}, why: "logging goes through a *slog.Logger that comes in"},
	{imports: []string{module + "/store/storetest", module + "/internal/surface/surfacetest"},
		in: []string{".", "router", "receipt", "internal/...", "source/...", "store/...", "cmd/..."}, why: "packages for tests are for tests"},
	{imports: []string{"unsafe", "C"},
		except: []string{"embedding/internal/kernel", "embedding/usem3", "source/mcp", "store/sqlite"}, why: "memory tricks stay in the vectors and at the system calls"},
	{imports: []string{"testing", "github.com/google/go-cmp/...", "pgregory.net/rapid", "github.com/rogpeppe/go-internal/..."},
		except: []string{"store/storetest", "internal/surface/surfacetest"}, why: "tests are not linked into the program"},
}

// useBan keeps single names of the standard library out of some packages.
type useBan struct {
	pkg        string
	names      []string
	in, except []string
	why        string
}

var useBans = []useBan{
	{pkg: "os", names: []string{"Getenv", "LookupEnv", "Environ", "ExpandEnv"}, except: []string{"cmd/interlock"},
		why: "only cmd reads the environment, and hands on what it found"},
	{pkg: "syscall", names: []string{"Getenv", "Environ"}, except: []string{"cmd/interlock"},
		why: "only cmd reads the environment, and hands on what it found"},
	{pkg: "time", names: []string{"Now", "Since", "Until", "After", "AfterFunc", "Sleep", "Tick", "NewTimer", "NewTicker"}, in: pure,
		why: "pure code reads no clock; the time is an argument"},
}

func TestImportsFollowTheLine(t *testing.T) {
	place := make(map[string]int, len(line))
	for i, row := range line {
		if _, twice := place[row.path]; twice {
			t.Errorf("%s stands in the line twice", row.path)
		}
		place[row.path] = i
	}
	found := make(map[string]bool)
	for _, p := range packages(t) {
		found[p.path] = true
		at, ok := place[p.path]
		if !ok {
			t.Errorf("%s is missing from the line in deps_test.go: give it a row with its purpose", p.path)
			continue
		}
		for _, imp := range p.imports() {
			if to, own := within(imp); own && place[to] >= at {
				t.Errorf("%s imports %s, which does not stand above it", p.path, to)
			}
		}
	}
	for _, row := range line {
		if !found[row.path] {
			t.Errorf("%s stands in the line and there is no such package: take its row out", row.path)
		}
	}
}

func TestBannedImports(t *testing.T) {
	for _, p := range packages(t) {
		for _, imp := range p.imports() {
			for _, b := range bans {
				if matches(b.imports, imp) && applies(p.path, b.in, b.except) {
					t.Errorf("%s imports %s: %s", p.path, imp, b.why)
				}
			}
		}
	}
}

func TestBannedUses(t *testing.T) {
	for _, p := range packages(t) {
		for _, f := range p.files {
			for _, b := range useBans {
				if !applies(p.path, b.in, b.except) {
					continue
				}
				for _, use := range f.uses(b.pkg) {
					if slices.Contains(b.names, use.name) {
						t.Errorf("%s:%d uses %s.%s: %s", f.path, use.line, b.pkg, use.name, b.why)
					}
				}
			}
		}
	}
}

// TestBansSee keeps the checks above from passing because they see nothing.
func TestBansSee(t *testing.T) {
	f := parse(t, "clock.go", "package p\nimport clock \"time\"\nvar f = clock.Now\nfunc g(clock T) { clock.Now() }\n")
	if got := fmt.Sprint(f.uses("time")); got != "[{Now 3}]" {
		t.Errorf("uses of time.Now: got %s, want the one on line 3", got)
	}
	for _, tc := range []struct {
		patterns []string
		path     string
		want     bool
	}{
		{[]string{"net/..."}, "net", true},
		{[]string{"net/..."}, "net/http", true},
		{[]string{"net/..."}, "network", false},
		{[]string{"."}, ".", true},
		{[]string{"os"}, "os/exec", false},
	} {
		if got := matches(tc.patterns, tc.path); got != tc.want {
			t.Errorf("matches(%q, %q) = %v, want %v", tc.patterns, tc.path, got, tc.want)
		}
	}
	if !applies("source/mcp", nil, []string{"cmd/interlock"}) || applies("cmd/interlock", nil, []string{"cmd/interlock"}) || applies("router", pure, nil) {
		t.Error("applies: a ban must reach every package but the excepted, or only those it names")
	}
}

// TestDependenciesAreNamed holds docs/dependencies.md to what is imported and
// to the versions that go.mod pins.
func TestDependenciesAreNamed(t *testing.T) {
	page := read(t, "docs/dependencies.md")
	mod, err := modfile.Parse("go.mod", []byte(read(t, "go.mod")), nil)
	if err != nil {
		t.Fatal(err)
	}
	direct := make(map[string]bool)
	for _, p := range packages(t) {
		for _, imp := range slices.Concat(p.imports(), p.testImports(t)) {
			for _, r := range mod.Require {
				if imp == r.Mod.Path || strings.HasPrefix(imp, r.Mod.Path+"/") {
					direct[r.Mod.Path] = true
				}
			}
		}
	}
	for _, r := range mod.Require {
		row := "| `" + r.Mod.Path + "` | " + r.Mod.Version + " |"
		if direct[r.Mod.Path] && !strings.Contains(page, row) {
			t.Errorf("docs/dependencies.md has no row that begins %s", row)
		}
		if !direct[r.Mod.Path] && strings.Contains(page, "| `"+r.Mod.Path+"` |") {
			t.Errorf("docs/dependencies.md has a row for %s, which nothing imports", r.Mod.Path)
		}
	}
}

// pkg is a package of the module with the files that are not tests, whatever
// platform they are for.
type pkg struct {
	path  string // relative to the module
	dir   string
	files []file
	tests []string
}

// packages reads every package of the module.
func packages(t *testing.T) []pkg {
	t.Helper()
	out, err := exec.Command("go", "list", "-e", "-json=ImportPath,Dir,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles", "./...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []pkg
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var l struct {
			ImportPath, Dir                                              string
			GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
		}
		if err := dec.Decode(&l); err != nil {
			t.Fatalf("go list: %v", err)
		}
		path, _ := within(l.ImportPath)
		p := pkg{path: path, dir: l.Dir, tests: slices.Concat(l.TestGoFiles, l.XTestGoFiles)}
		for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.IgnoredGoFiles) {
			if strings.HasSuffix(name, "_test.go") {
				p.tests = append(p.tests, name)
				continue
			}
			p.files = append(p.files, parse(t, filepath.Join(l.Dir, name), nil))
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatal("go list found no package")
	}
	return all
}

func (p pkg) imports() []string {
	var all []string
	for _, f := range p.files {
		for _, imp := range f.syntax.Imports {
			all = append(all, importPath(imp))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func (p pkg) testImports(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, name := range p.tests {
		for _, imp := range parse(t, filepath.Join(p.dir, name), nil).syntax.Imports {
			all = append(all, importPath(imp))
		}
	}
	return all
}

// file is one file of Go, parsed.
type file struct {
	path   string
	set    *token.FileSet
	syntax *ast.File
}

func parse(t *testing.T, path string, src any) file {
	t.Helper()
	set := token.NewFileSet()
	syntax, err := parser.ParseFile(set, path, src, 0)
	if err != nil {
		t.Fatal(err)
	}
	return file{path: path, set: set, syntax: syntax}
}

type use struct {
	name string
	line int
}

// uses gives every name that the file takes from the package of that path; a
// local variable that shadows the package is not it.
func (f file) uses(path string) []use {
	local := ""
	for _, imp := range f.syntax.Imports {
		if importPath(imp) != path {
			continue
		}
		if local = path[strings.LastIndex(path, "/")+1:]; imp.Name != nil {
			local = imp.Name.Name
		}
	}
	var all []use
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := sel.X.(*ast.Ident); ok && local != "" && id.Name == local && id.Obj == nil {
				all = append(all, use{sel.Sel.Name, f.set.Position(sel.Pos()).Line})
			}
		}
		return true
	})
	return all
}

func importPath(imp *ast.ImportSpec) string {
	path, _ := strconv.Unquote(imp.Path.Value)
	return path
}

// within gives an import path relative to the module; false for another's.
func within(path string) (string, bool) {
	if path == module {
		return ".", true
	}
	return strings.CutPrefix(path, module+"/")
}

func applies(path string, in, except []string) bool {
	return !matches(except, path) && (len(in) == 0 || matches(in, path))
}

func matches(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		root, below := strings.CutSuffix(p, "/...")
		return path == root || below && strings.HasPrefix(path, root+"/")
	})
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

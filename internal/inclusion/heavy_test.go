package inclusion

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// m is a JSON object in the making, and l a list.
type (
	m map[string]any
	l []any
)

// heavy is a pair of schemas built to be a lot of work.
type heavy struct {
	name     string
	old, new any
}

// each builds n members or items.
func eachOf(n int, f func(i int) any) l {
	out := make(l, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

func byName(n int, name string, f func(i int) any) m {
	out := m{}
	for i := range n {
		out[fmt.Sprint(name, i)] = f(i)
	}
	return out
}

func namesOf(n int, name string) l {
	return eachOf(n, func(i int) any { return fmt.Sprint(name, i) })
}

func upTo(k int) m { return m{"type": "string", "maxLength": k} }

func strs(k int) func(int) any { return func(i int) any { return upTo(i + k) } }

func obj(n, k int) m { return m{"type": "object", "properties": byName(n, "p", strs(k))} }

func with(a m, also m) m {
	out := m{}
	for k, v := range a {
		out[k] = v
	}
	for k, v := range also {
		out[k] = v
	}
	return out
}

func tagged(n, k int, keyword string) m {
	return m{keyword: eachOf(n, func(i int) any {
		return m{"type": "object", "required": l{"k"}, "properties": m{"k": m{"const": i}, "v": upTo(i + k)}}
	})}
}

func nest(d int, leaf any, f func(any) any) any {
	for range d {
		leaf = f(leaf)
	}
	return leaf
}

func tree(d, k int) any {
	if d == 0 {
		return upTo(k)
	}
	return m{"type": "object", "properties": m{"l": tree(d-1, k), "r": tree(d-1, k+1)}}
}

func heavies() []heavy {
	const N = 3000
	ref := func(i int) m { return m{"$ref": fmt.Sprint("#/$defs/n", i)} }
	big := strings.Repeat("x", 100_000)
	return []heavy{
		{"strings 5000", obj(5000, 5), obj(5000, 6)},
		{"required 5000", with(obj(5000, 5), m{"required": namesOf(5000, "p")}), with(obj(5000, 6), m{"required": namesOf(4999, "p")})},
		{"strings 20000", obj(20000, 5), obj(20000, 6)},
		{"anyOf objects 60", m{"anyOf": eachOf(60, func(i int) any { return obj(8, i) })}, m{"anyOf": eachOf(60, func(i int) any { return obj(8, i+1) })}},
		{"anyOf tagged 300", tagged(300, 0, "anyOf"), tagged(301, 1, "anyOf")},
		{"oneOf tagged 100", tagged(100, 0, "oneOf"), tagged(101, 1, "oneOf")},
		{"oneOf tagged 300", tagged(300, 0, "oneOf"), tagged(301, 1, "oneOf")},
		{"pattern backtrack", m{"type": "string", "pattern": "^(a|b)*a(a|b){14}$"}, m{"type": "string", "pattern": "^(a|b)*a(a|b){13}(a|b|c)$"}},
		{"pattern counted", m{"type": "string", "pattern": "^([a-z]{1,40}-){0,30}[0-9]{1,200}$"}, m{"type": "string", "pattern": "^([a-z]{1,41}-){0,30}[0-9]{1,200}$"}},
		{"pattern counted 1000", m{"type": "string", "pattern": "^[a-z]{1,1000}$"}, m{"type": "string", "pattern": "^[a-z0-9]{0,1000}$"}},
		{"pattern classes", m{"type": "string", "pattern": "^(\\p{L}|\\p{N}|[-_.]){1,200}$"}, m{"type": "string", "pattern": "^(\\p{L}|\\p{N}|[-_. ]){1,201}$"}},
		{"pattern alternatives 2000", m{"type": "string", "pattern": "^(" + join2(2000) + ")$"}, m{"type": "string", "pattern": "^(" + join2(2001) + ")$"}},
		{"pattern props 12", m{"type": "object", "patternProperties": byName12(0)}, m{"type": "object", "patternProperties": byName12(1)}},
		{"patternProps x props", m{"type": "object", "properties": byName(1000, "p", strs(5)), "patternProperties": pats(100, 5)}, m{"type": "object", "properties": byName(1000, "p", strs(6)), "patternProperties": pats(100, 6)}},
		{"enum 20000", m{"enum": namesOf(20000, "v")}, m{"enum": namesOf(20001, "v")}},
		{"enum 50000 numbers", m{"enum": eachOf(50000, func(i int) any { return i })}, m{"enum": eachOf(50001, func(i int) any { return i })}},
		{"enum x pattern", m{"enum": namesOf(20000, "v")}, m{"type": "string", "pattern": "^v[0-9]+$"}},
		{"enum objects 3000", m{"enum": eachOf(3000, func(i int) any { return m{"a": i, "b": l{i}} })}, m{"type": "object", "properties": m{"a": m{"type": "integer"}, "b": m{"items": m{"maximum": 3000}}}}},
		{"not enum objects", m{"type": "object"}, m{"not": m{"enum": eachOf(1000, func(i int) any { return m{"a": i, "b": l{i}} })}}},
		{"enum arrays big", m{"enum": eachOf(1000, func(i int) any { return eachOf(20, func(j int) any { return i*20 + j }) })}, m{"type": "array", "uniqueItems": true}},
		{"tree 10", tree(10, 5), tree(10, 6)},
		{"not required 18", m{"allOf": eachOf(18, func(i int) any { return m{"not": m{"required": l{fmt.Sprint("a", i), fmt.Sprint("b", i)}}} })}, m{"allOf": eachOf(18, func(i int) any {
			return m{"not": m{"required": l{fmt.Sprint("a", i), fmt.Sprint("b", i), fmt.Sprint("c", i)}}}
		})}},
		{"not required 1000", m{"allOf": eachOf(1000, func(i int) any { return m{"not": m{"required": l{fmt.Sprint("a", i), fmt.Sprint("b", i)}}} })}, m{"allOf": eachOf(1000, func(i int) any {
			return m{"not": m{"required": l{fmt.Sprint("a", i), fmt.Sprint("b", i), fmt.Sprint("c", i)}}}
		})}},
		{"multipleOf primes", m{"type": "integer", "multipleOf": 7919, "minimum": 0, "maximum": json.Number("1" + strings.Repeat("0", 30))}, m{"anyOf": eachOf(3, func(i int) any { return m{"multipleOf": []int{7919, 7907, 7901}[i]} })}},
		{"multipleOf lcm", m{"allOf": eachOf(500, func(i int) any { return m{"type": "integer", "multipleOf": 1000003 + 2*i} })}, m{"multipleOf": 1000003 + 2*501}},
		{"multipleOf lcm many", m{"allOf": eachOf(3000, func(i int) any {
			return m{"type": "number", "multipleOf": json.Number(fmt.Sprintf("1%s%d", strings.Repeat("0", 300), 2*i+1))}
		})}, m{"multipleOf": 7}},
		{"multipleOf not", m{"type": "integer"}, m{"anyOf": eachOf(200, func(i int) any { return m{"multipleOf": i + 2} })}},
		{"prefixItems", m{"type": "array", "minItems": N, "prefixItems": eachOf(N, strs(5))}, m{"type": "array", "minItems": N - 1, "prefixItems": eachOf(N, strs(6))}},
		{"prefixItems loose", m{"type": "array", "prefixItems": eachOf(N, strs(5))}, m{"type": "array", "prefixItems": eachOf(N, strs(6))}},
		{"dependentRequired", m{"type": "object", "dependentRequired": dep(N, "b")}, m{"type": "object", "dependentRequired": dep(N-1, "b")}},
		{"dependentRequired req", m{"type": "object", "required": namesOf(N, "a"), "dependentRequired": dep(N, "b")}, m{"type": "object", "required": namesOf(N, "b")}},
		{"dependentRequired chain", m{"type": "object", "required": l{"a0"}, "dependentRequired": chain(N)}, m{"type": "object", "required": l{fmt.Sprint("a", N)}}},
		{"anyOf required", m{"anyOf": eachOf(N, func(i int) any { return m{"required": l{fmt.Sprint("a", i)}} })}, m{"anyOf": eachOf(N+1, func(i int) any { return m{"required": l{fmt.Sprint("a", i)}} })}},
		{"allOf anyOf", m{"allOf": eachOf(500, func(i int) any {
			return m{"anyOf": l{m{"required": l{fmt.Sprint("a", i)}}, m{"required": l{fmt.Sprint("b", i)}}}}
		})}, m{"allOf": eachOf(500, func(i int) any {
			return m{"anyOf": l{m{"required": l{fmt.Sprint("a", i)}}, m{"required": l{fmt.Sprint("b", i)}}, m{"required": l{"c"}}}}
		})}},
		{"allOf anyOf consts", m{"allOf": eachOf(60, func(i int) any {
			return m{"properties": m{fmt.Sprint("p", i): m{"anyOf": eachOf(60, func(j int) any { return m{"const": j} })}}}
		})}, m{"allOf": eachOf(60, func(i int) any {
			return m{"properties": m{fmt.Sprint("p", i): m{"anyOf": eachOf(61, func(j int) any { return m{"const": j} })}}}
		})}},
		{"closed wide", m{"type": "object", "additionalProperties": false, "required": namesOf(N, "p"), "properties": byName(N, "p", func(int) any { return upTo(5) })}, m{"type": "object", "additionalProperties": false, "minProperties": N, "properties": byName(N, "p", func(int) any { return upTo(6) })}},
		{"closed wide min", m{"type": "object", "additionalProperties": false, "minProperties": N, "properties": byName(N, "p", strs(5))}, m{"type": "object", "additionalProperties": false, "required": namesOf(N, "p"), "properties": byName(N, "p", strs(6))}},
		{"contains consts", m{"type": "array", "allOf": eachOf(200, func(i int) any { return m{"contains": m{"const": i}} })}, m{"type": "array", "minItems": 200}},
		{"contains consts 10", m{"type": "array", "allOf": eachOf(10, func(i int) any { return m{"contains": m{"const": i}} })}, m{"type": "array", "minItems": 10}},
		{"minContains 1000", m{"type": "array", "contains": m{"type": "string"}, "minContains": 1000}, m{"type": "array", "minItems": 1000}},
		{"minContains 9", m{"type": "array", "contains": m{"type": "string"}, "minContains": 9}, m{"type": "array", "contains": m{"type": "integer"}, "minContains": 0, "maxContains": 9}},
		{"maxContains", m{"type": "array", "maxItems": 2000, "minItems": 2000}, m{"type": "array", "contains": m{"type": "integer"}, "maxContains": 900}},
		{"unevaluated allOf 1000", m{"allOf": eachOf(1000, func(i int) any { return m{"properties": m{fmt.Sprint("p", i): upTo(i)}} }), "unevaluatedProperties": false}, m{"properties": byName(1000, "p", strs(1)), "additionalProperties": false}},
		{"unevaluated nest", nest(60, m{"properties": m{"z": true}}, func(a any) any { return m{"allOf": l{a}, "unevaluatedProperties": false} }), m{"type": "object"}},
		{"unevaluated anyOf", m{"anyOf": eachOf(7, func(i int) any { return m{"properties": m{fmt.Sprint("p", i): upTo(i)}} }), "unevaluatedProperties": false}, m{"anyOf": eachOf(7, func(i int) any { return m{"properties": m{fmt.Sprint("p", i): upTo(i + 1)}} }), "unevaluatedProperties": false}},
		{"unevaluated wide anyOf", m{"anyOf": eachOf(7, func(i int) any { return m{"properties": byName(200, fmt.Sprint("p", i), strs(1))} }), "unevaluatedProperties": false}, m{"anyOf": eachOf(7, func(i int) any { return m{"properties": byName(200, fmt.Sprint("p", i), strs(2))} }), "unevaluatedProperties": false}},
		{"if chain", ifs(400), ifs(399)},
		{"if else chain", nest(60, true, func(a any) any {
			return m{"if": m{"required": l{fmt.Sprint("k", depthOf(a))}}, "then": m{"required": l{"v"}}, "else": a}
		}), m{"type": "object"}},
		{"if else chain 2", ifElse(100, 0), ifElse(100, 1)},
		{"oneOf consts 2000", m{"oneOf": eachOf(2000, func(i int) any { return m{"const": i} })}, m{"enum": eachOf(2001, func(i int) any { return i })}},
		{"oneOf consts both", m{"oneOf": eachOf(2000, func(i int) any { return m{"const": i} })}, m{"oneOf": eachOf(2001, func(i int) any { return m{"const": i} })}},
		{"oneOf consts titles", m{"oneOf": eachOf(2000, func(i int) any { return m{"const": fmt.Sprint("v", i), "title": "x"} })}, m{"oneOf": eachOf(2001, func(i int) any { return m{"const": fmt.Sprint("v", i), "title": "y"} })}},
		{"anyOf consts 5000", m{"anyOf": eachOf(5000, func(i int) any { return m{"const": i} })}, m{"anyOf": eachOf(5001, func(i int) any { return m{"const": i} })}},
		{"anyOf ranges 1000", m{"anyOf": eachOf(1000, func(i int) any { return m{"type": "number", "minimum": i * 2, "maximum": i*2 + 1} })}, m{"anyOf": eachOf(1000, func(i int) any { return m{"type": "number", "minimum": i * 2, "maximum": float64(i)*2 + 1.5} })}},
		{"oneOf ranges 300", m{"oneOf": eachOf(300, func(i int) any { return m{"type": "number", "minimum": i * 2, "maximum": i*2 + 1} })}, m{"oneOf": eachOf(300, func(i int) any { return m{"type": "number", "minimum": i * 2, "maximum": float64(i)*2 + 1.5} })}},
		{"anyOf patterns 200", m{"anyOf": eachOf(200, func(i int) any { return m{"type": "string", "pattern": fmt.Sprintf("^a%d.*b$", i)} })}, m{"anyOf": eachOf(200, func(i int) any { return m{"type": "string", "pattern": fmt.Sprintf("^a%d.*(b|c)$", i)} })}},
		{"propertyNames enum", m{"type": "object", "propertyNames": m{"enum": namesOf(N, "x")}}, m{"type": "object", "additionalProperties": false, "properties": byName(N, "x", func(int) any { return m{} })}},
		{"propertyNames anyOf", m{"type": "object", "propertyNames": m{"anyOf": eachOf(500, func(i int) any { return m{"const": fmt.Sprint("x", i)} })}}, m{"type": "object", "additionalProperties": false, "properties": byName(500, "x", func(int) any { return m{} })}},
		{"defs recursive 900", with(ref(0), m{"$defs": byName(900, "n", func(i int) any {
			return m{"type": "object", "properties": m{"l": ref((i + 1) % 900), "r": ref((i*7 + 3) % 900)}}
		})}), with(ref(0), m{"$defs": byName(900, "n", func(i int) any {
			return m{"type": "object", "properties": m{"l": ref((i + 1) % 900), "r": ref((i*7 + 3) % 900), "x": m{}}}
		})})},
		{"defs recursive unions", recUnion(40, 5), recUnion(40, 6)},
		{"defs recursive unions 100", recUnion(100, 5), recUnion(100, 6)},
		{"defs 9000", with(ref(0), m{"$defs": byName(4500, "n", strs(5))}), with(ref(0), m{"$defs": byName(4500, "n", strs(6))})},
		{"defs 20000", with(ref(0), m{"$defs": byName(20000, "n", strs(5))}), with(ref(0), m{"$defs": byName(20000, "n", strs(6))})},
		{"defs chain 4000", with(ref(0), m{"$defs": byName(4000, "n", func(i int) any {
			if i == 3999 {
				return upTo(5)
			}
			return ref(i + 1)
		})}), upTo(6)},
		{"minLength 10^9", m{"type": "string", "minLength": 1000000000}, m{"type": "string", "minLength": 1000000001}},
		{"minLength 10^9 pattern", m{"type": "string", "minLength": 1000000000, "pattern": "^a*$"}, m{"type": "string", "pattern": "^[ab]*$"}},
		{"minLength 50000", m{"type": "string", "minLength": 50000}, m{"type": "string", "minLength": 50001}},
		{"minLength 50000 pattern", m{"type": "string", "minLength": 50000, "pattern": "^[a-z]*$"}, m{"type": "string", "minLength": 50001}},
		{"maxLength 50000 pattern", m{"type": "string", "minLength": 10000, "maxLength": 50000, "pattern": "^[a-z]*$"}, m{"type": "string", "pattern": "^[a-z0-9]*$", "maxLength": 49999}},
		{"minItems 10^9", m{"type": "array", "minItems": 1000000000}, m{"type": "array", "minItems": 1000000001}},
		{"minItems 90000", m{"type": "array", "minItems": 90000, "items": obj(20, 3)}, m{"type": "array", "minItems": 90001}},
		{"minItems 2000 unique", m{"type": "array", "minItems": 140, "uniqueItems": true, "items": obj(20, 3)}, m{"type": "array", "minItems": 141}},
		{"minProperties 2000", m{"type": "object", "minProperties": 2000}, m{"type": "object", "minProperties": 2001}},
		{"minProperties 2000 pattern", m{"type": "object", "minProperties": 1900, "propertyNames": m{"pattern": "^[a-z]{1,4}$"}}, m{"type": "object", "minProperties": 1901}},
		{"unique big consts", m{"type": "array", "uniqueItems": true, "minItems": 100, "items": m{"enum": eachOf(100, func(i int) any { return m{"a": fmt.Sprint(i, big[:1000])} })}}, m{"type": "array", "minItems": 101}},
		{"unique pigeonhole", m{"type": "array", "uniqueItems": true, "minItems": 101, "items": m{"enum": namesOf(100, "v")}}, m{"type": "array", "minItems": 102}},
		{"unique prefix", m{"type": "array", "uniqueItems": true, "minItems": 100, "prefixItems": eachOf(100, func(i int) any { return m{"enum": namesOf(i+1, "v")} })}, m{"type": "array", "minItems": 101}},
		{"repeat", m{"type": "array", "minItems": 60, "prefixItems": eachOf(60, func(i int) any { return m{"const": i} })}, m{"uniqueItems": true}},
		{"repeat 1000", m{"type": "array", "minItems": 1000, "maxItems": 1000, "prefixItems": eachOf(1000, func(i int) any { return m{"const": i} })}, m{"uniqueItems": true}},
		{"dependentSchemas web", m{"type": "object", "dependentSchemas": byName(100, "a", func(i int) any { return m{"required": l{fmt.Sprint("a", (i*7+1)%100)}} })}, m{"type": "object", "dependentSchemas": byName(100, "a", func(i int) any {
			return m{"required": l{fmt.Sprint("a", (i*7+1)%100)}, "properties": m{"z": true, "y": upTo(4)}}
		})}},
		{"dependentSchemas 1000", m{"type": "object", "dependentSchemas": byName(1000, "a", func(i int) any { return m{"properties": m{"v": upTo(i)}} })}, m{"type": "object", "dependentSchemas": byName(1000, "a", func(i int) any { return m{"properties": m{"v": upTo(i + 1)}} })}},
		{"long names", m{"type": "object", "required": l{big + "a"}, "properties": byName(5, big, strs(5))}, m{"type": "object", "properties": byName(5, big, strs(6))}},
		{"long names closed", m{"type": "object", "additionalProperties": false, "properties": byName(5, big, strs(5)), "minProperties": 3}, m{"type": "object", "additionalProperties": false, "properties": byName(5, big, strs(6))}},
		{"long strings", m{"enum": eachOf(9, func(i int) any { return big + fmt.Sprint(i) })}, m{"enum": eachOf(8, func(i int) any { return big + fmt.Sprint(i) })}},
		{"long strings pattern", m{"enum": eachOf(9, func(i int) any { return big + fmt.Sprint(i) })}, m{"pattern": "^x*[0-8]$"}},
		{"deep 60", nest(60, upTo(5), func(a any) any { return m{"properties": m{"a": a}} }), nest(60, upTo(6), func(a any) any { return m{"properties": m{"a": a}} })},
		{"deep required 60", nest(60, upTo(5), func(a any) any { return m{"type": "object", "required": l{"a"}, "properties": m{"a": a}} }), nest(60, upTo(4), func(a any) any { return m{"type": "object", "required": l{"a"}, "properties": m{"a": a}} })},
		{"deep arrays anyOf", nest(8, upTo(5), func(a any) any {
			return m{"anyOf": l{m{"type": "array", "items": a, "minItems": 1}, m{"type": "object", "additionalProperties": a}}}
		}), nest(8, upTo(6), func(a any) any {
			return m{"anyOf": l{m{"type": "array", "items": a, "minItems": 1}, m{"type": "object", "additionalProperties": a}}}
		})},
		{"deep allOf 60", nest(60, upTo(5), func(a any) any { return m{"allOf": l{a, m{"minLength": 1}}} }), nest(60, upTo(6), func(a any) any { return m{"allOf": l{a, m{"minLength": 1}}} })},
		{"deep not 60", nest(60, upTo(5), func(a any) any { return m{"not": a} }), nest(60, upTo(6), func(a any) any { return m{"not": a} })},
		{"deep anyOf oneOf", nest(8, upTo(5), func(a any) any { return m{"oneOf": l{a, m{"type": "integer"}, a}} }), nest(8, upTo(6), func(a any) any { return m{"anyOf": l{a, m{"type": "integer"}}} })},
		{"allOf wide 3000", m{"allOf": eachOf(N, func(i int) any { return m{"properties": m{fmt.Sprint("p", i): upTo(i)}} })}, m{"allOf": eachOf(N, func(i int) any { return m{"properties": m{fmt.Sprint("p", i): upTo(i + 1)}} })}},
		{"allOf same prop", m{"allOf": eachOf(N, func(i int) any { return m{"properties": m{"p": upTo(i + 5)}} })}, m{"properties": m{"p": upTo(4)}}},
		{"sat 30", sat(30, 100, 1), false},
		{"sat 60", sat(60, 260, 2), m{"required": l{"nope"}}},
		{"pigeons", pigeons(7), false},
		{"nfa blowup many", m{"allOf": eachOf(6, func(i int) any { return m{"type": "string", "pattern": fmt.Sprintf("^(a|b)*a(a|b){%d}$", 6+i)} })}, m{"pattern": "^(a|b)*b(a|b){12}$"}},
		{"contains props", m{"type": "array", "items": obj(500, 5), "contains": with(obj(500, 3), m{"required": namesOf(500, "p")}), "minContains": 3}, m{"type": "array", "items": obj(500, 6), "contains": with(obj(500, 4), m{"required": namesOf(499, "p")}), "minContains": 3}},
		{"additional recursion", with(m{"additionalProperties": m{"$ref": "#"}, "properties": byName(1000, "p", func(int) any { return m{"$ref": "#"} })}, m{"type": "object"}), m{"type": "object", "additionalProperties": m{"$ref": "#"}, "properties": byName(999, "p", func(int) any { return m{"$ref": "#"} })}},
		{"numbers huge", m{"type": "number", "minimum": json.Number("1e900"), "multipleOf": json.Number("1e-900")}, m{"minimum": json.Number("1e901")}},
		{"numbers huge enum", m{"enum": eachOf(1000, func(i int) any { return json.Number(fmt.Sprintf("%de999", i+1)) })}, m{"maximum": json.Number("1000e999")}},
		{"numbers not enum", m{"type": "integer", "minimum": 0, "maximum": 19000}, m{"enum": eachOf(19000, func(i int) any { return i })}},
		{"numbers not multiple", m{"type": "integer", "minimum": 1, "maximum": 15000}, m{"anyOf": eachOf(100, func(i int) any { return m{"multipleOf": i + 2} })}},
	}
}

func join2(n int) string {
	var b []string
	for i := range n {
		b = append(b, fmt.Sprint("w", i))
	}
	return strings.Join(b, "|")
}
func byName12(k int) m {
	out := m{}
	for i := range 12 {
		out[fmt.Sprintf("^x%d.*%d", i, i)] = m{"type": "integer", "maximum": i + k}
	}
	return out
}
func pats(n, k int) m {
	out := m{}
	for i := range n {
		out[fmt.Sprintf("^p.*%d$", i)] = upTo(1000 + k)
	}
	return out
}
func dep(n int, b string) m { return byName(n, "a", func(i int) any { return l{fmt.Sprint(b, i)} }) }
func chain(n int) m         { return byName(n, "a", func(i int) any { return l{fmt.Sprint("a", i+1)} }) }
func ifs(n int) m {
	return m{"allOf": eachOf(n, func(i int) any {
		return m{"if": m{"properties": m{"k": m{"const": i}}, "required": l{"k"}}, "then": m{"required": l{fmt.Sprint("v", i)}}}
	})}
}
func ifElse(n, k int) any {
	var out any = m{"properties": m{"v": upTo(k + 5)}}
	for i := range n {
		out = m{"if": m{"properties": m{"k": m{"const": i}}, "required": l{"k"}}, "then": m{"properties": m{"v": upTo(i + k)}}, "else": out}
	}
	return out
}
func depthOf(a any) int {
	d := 0
	for {
		mm, ok := a.(m)
		if !ok {
			return d
		}
		a = mm["else"]
		d++
	}
}
func recUnion(n, k int) m {
	return m{"$ref": "#/$defs/e", "$defs": m{"e": m{"anyOf": eachOf(n, func(i int) any {
		return m{"type": "object", "required": l{"op"}, "properties": m{"op": m{"const": i}, "l": m{"$ref": "#/$defs/e"}, "r": m{"$ref": "#/$defs/e"}, "v": upTo(i + k)}}
	})}}}
}
func sat(vars, n, seed int) m {
	x := uint64(seed)
	rnd := func(k int) int { x = x*6364136223846793005 + 1442695040888963407; return int(x>>33) % k }
	return m{"type": "object", "allOf": eachOf(n, func(int) any {
		return m{"anyOf": eachOf(3, func(int) any {
			lit := m{"required": l{fmt.Sprint("x", rnd(vars))}}
			if rnd(2) == 0 {
				return m{"not": lit}
			}
			return lit
		})}
	})}
}
func pigeons(n int) m {
	var all l
	for i := range n + 1 {
		all = append(all, m{"anyOf": eachOf(n, func(j int) any { return m{"required": l{fmt.Sprintf("p%d_%d", i, j)}} })})
		for k := range i {
			for j := range n {
				all = append(all, m{"not": m{"required": l{fmt.Sprintf("p%d_%d", i, j), fmt.Sprintf("p%d_%d", k, j)}}})
			}
		}
	}
	return m{"type": "object", "allOf": all}
}

// TestHeavyShapes holds the steps of built shapes under the bound that ends a
// decision within a quarter of a second; what each took in time is shown by the
// benchmark. Every mode and both directions are asked with INTERLOCK_SUITES.
func TestHeavyShapes(t *testing.T) {
	modes := []Mode{Strict}
	if os.Getenv("INTERLOCK_SUITES") != "" {
		modes = []Mode{Strict, ToolInput, ToolOutput}
	}
	for _, h := range heavies() {
		for dir, pair := range h.pairs(t) {
			for _, mode := range modes {
				r, err := Decide(pair[0], pair[1], Options{Mode: mode})
				var fault *Fault
				switch {
				case err != nil && !errors.As(err, &fault):
					t.Errorf("%s, direction %d, mode %d: %v", h.name, dir, mode, err)
				case r.Steps > mostSteps:
					t.Errorf("%s, direction %d, mode %d: %d steps, want at most %d", h.name, dir, mode, r.Steps, mostSteps)
				case r.Verdict == Undecided && r.Stopped == nil:
					t.Errorf("%s, direction %d, mode %d: undecided without a construct", h.name, dir, mode)
				case mode == Strict && r.Verdict == Undecided && decided[h.name]:
					t.Errorf("%s, direction %d: undecided, by %q", h.name, dir, r.Stopped.Construct)
				}
			}
		}
	}
}

// mostSteps is the search's work and what may come after it.
const mostSteps = DefaultWork * 2

// decided names the shapes that are decided in both directions.
var decided = map[string]bool{
	"allOf anyOf consts":    true,
	"allOf same prop":       true,
	"allOf wide 3000":       true,
	"anyOf consts 5000":     true,
	"anyOf objects 60":      true,
	"anyOf required":        true,
	"anyOf tagged 300":      true,
	"contains props":        true,
	"deep 60":               true,
	"deep allOf 60":         true,
	"deep anyOf oneOf":      true,
	"deep arrays anyOf":     true,
	"deep not 60":           true,
	"deep required 60":      true,
	"defs 9000":             true,
	"defs chain 4000":       true,
	"dependentRequired":     true,
	"dependentSchemas 1000": true,
	"dependentSchemas web":  true,
	"enum 20000":            true,
	"enum 50000 numbers":    true,
	"enum arrays big":       true,
	"enum objects 3000":     true,
	"enum x pattern":        true,
	"if chain":              true,
	"if else chain":         true,
	"long names":            true,
	"long names closed":     true,
	"long strings":          true,
	"long strings pattern":  true,
	"maxContains":           true,
	"minItems 90000":        true,
	"minLength 50000":       true,
	"multipleOf not":        true,
	"multipleOf primes":     true,
	"nfa blowup many":       true,
	"not enum objects":      true,
	"not required 1000":     true,
	"not required 18":       true,
	"numbers huge":          true,
	"numbers huge enum":     true,
	"numbers not enum":      true,
	"numbers not multiple":  true,
	"oneOf consts 2000":     true,
	"oneOf consts both":     true,
	"oneOf consts titles":   true,
	"oneOf tagged 100":      true,
	"oneOf tagged 300":      true,
	"pattern classes":       true,
	"pattern counted 1000":  true,
	"propertyNames anyOf":   true,
	"propertyNames enum":    true,
	"repeat":                true,
	"strings 5000":          true,
	"tree 10":               true,
	"unevaluated anyOf":     true,
	"unevaluated nest":      true,
	"unique pigeonhole":     true,
}

func (h heavy) pairs(t testing.TB) [2][2][]byte {
	t.Helper()
	a, errA := json.Marshal(h.old)
	b, errB := json.Marshal(h.new)
	if err := errors.Join(errA, errB); err != nil {
		t.Fatal(err)
	}
	return [2][2][]byte{{a, b}, {b, a}}
}

// BenchmarkHeavyShapes measures each shape, the slower of its directions and
// modes standing for it in the metric worst-ms.
func BenchmarkHeavyShapes(b *testing.B) {
	for _, h := range heavies() {
		b.Run(h.name, func(b *testing.B) {
			pairs := h.pairs(b)
			for b.Loop() {
				worst := time.Duration(0)
				for _, pair := range pairs {
					for _, mode := range []Mode{Strict, ToolInput, ToolOutput} {
						start := time.Now()
						_, _ = Decide(pair[0], pair[1], Options{Mode: mode}) //nolint:errcheck // a fault is an answer, too
						worst = max(worst, time.Since(start))
					}
				}
				b.ReportMetric(float64(worst.Microseconds())/1000, "worst-ms")
			}
		})
	}
}

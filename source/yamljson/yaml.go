package yamljson

import (
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// reader turns YAML nodes into JSON nodes. size holds how many values an
// anchor stands for, so that every use of it counts in full.
type reader struct {
	limits Limits
	values int
	done   map[*yaml.Node]*Node
	size   map[*yaml.Node]int
	open   map[*yaml.Node]bool
	twice  []string
}

func parseYAML(text []byte, limits Limits) (*Document, error) {
	var root yaml.Node
	if err := yaml.Load(text, &root); err != nil {
		return nil, fmt.Errorf("neither JSON nor YAML: %w", err)
	}
	r := &reader{limits: limits, done: map[*yaml.Node]*Node{}, size: map[*yaml.Node]int{}, open: map[*yaml.Node]bool{}}
	node, err := r.node(&root, nil)
	if err != nil {
		return nil, err
	}
	return &Document{Root: node, Twice: r.twice}, nil
}

func (r *reader) count(n int) error {
	if r.values += n; r.values > r.limits.Values {
		return fmt.Errorf("%w: more than %d values, aliases counted as often as they are used", errLimit, r.limits.Values)
	}
	return nil
}

func (r *reader) node(y *yaml.Node, path []string) (*Node, error) {
	if len(path) > r.limits.Depth {
		return nil, fmt.Errorf("%w: nested deeper than %d", errLimit, r.limits.Depth)
	}
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) != 1 {
			return nil, errors.New("the document is empty")
		}
		return r.node(y.Content[0], path)
	case yaml.AliasNode:
		return r.alias(y, path)
	}
	if y.Anchor == "" {
		return r.plainNode(y, path)
	}
	before := r.values
	r.open[y] = true
	n, err := r.plainNode(y, path)
	delete(r.open, y)
	r.done[y], r.size[y] = n, r.values-before
	return n, err
}

func (r *reader) plainNode(y *yaml.Node, path []string) (*Node, error) {
	if err := r.count(1); err != nil {
		return nil, err
	}
	switch y.Kind {
	case yaml.MappingNode:
		return r.mapping(y, path)
	case yaml.SequenceNode:
		n := &Node{Kind: Array, Items: make([]*Node, 0, len(y.Content))}
		for i, item := range y.Content {
			value, err := r.node(item, append(path, fmt.Sprint(i)))
			if err != nil {
				return nil, err
			}
			n.Items = append(n.Items, value)
		}
		return n, nil
	case yaml.ScalarNode:
		return scalar(y), nil
	}
	return nil, fmt.Errorf("line %d: a YAML node of no known kind", y.Line)
}

func (r *reader) alias(y *yaml.Node, path []string) (*Node, error) {
	to := y.Alias
	if to == nil || r.open[to] {
		return nil, fmt.Errorf("line %d: the alias *%s stands inside its own anchor", y.Line, y.Value)
	}
	n, known := r.done[to]
	if !known {
		return r.node(to, path)
	}
	return n, r.count(r.size[to])
}

// scalar reads quoted text and text with its own tag as text, the rest by the
// core schema.
func scalar(y *yaml.Node) *Node {
	const quoted = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case y.Style&yaml.TaggedStyle != 0 && y.ShortTag() == "!!str", y.ShortTag() == "!!binary":
		return quotedNode(y.Value)
	case y.Style&yaml.TaggedStyle == 0 && y.Style&quoted != 0:
		return quotedNode(y.Value)
	}
	return plain(y.Value)
}

func (r *reader) mapping(y *yaml.Node, path []string) (*Node, error) {
	n := &Node{Kind: Object, Members: make([]Member, 0, len(y.Content)/2)}
	seen := seenNames{}
	var merges []*yaml.Node
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := y.Content[i], y.Content[i+1]
		if key.ShortTag() == "!!merge" {
			merges = append(merges, value)
			continue
		}
		name, err := keyName(key)
		if err != nil {
			return nil, err
		}
		child := append(path, name)
		v, err := r.node(value, child)
		if err != nil {
			return nil, err
		}
		if seen.again(n, name) {
			r.twice = append(r.twice, pointer(child))
			continue
		}
		n.Members = append(n.Members, Member{name, v})
	}
	for _, from := range merges {
		if err := r.merge(n, from, path); err != nil {
			return nil, err
		}
	}
	return n, nil
}

func keyName(key *yaml.Node) (string, error) {
	if key.Kind == yaml.AliasNode && key.Alias != nil {
		key = key.Alias
	}
	if key.Kind != yaml.ScalarNode {
		return "", fmt.Errorf("line %d: the name of a member is no plain text", key.Line)
	}
	return key.Value, nil
}

// merge adds to n the members of a "<<" that n lacks.
func (r *reader) merge(n *Node, from *yaml.Node, path []string) error {
	v, err := r.node(from, append(path, "<<"))
	if err != nil {
		return err
	}
	sources := []*Node{v}
	if v.Is(Array) {
		sources = v.Items
	}
	for _, s := range sources {
		if !s.Is(Object) {
			return fmt.Errorf("line %d: << takes a mapping or a list of mappings", from.Line)
		}
		for _, m := range s.Members {
			if n.Get(m.Name) == nil {
				n.Members = append(n.Members, m)
			}
		}
	}
	return nil
}

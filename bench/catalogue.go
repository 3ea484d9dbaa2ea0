package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// catalogue is a file of tools and needs that are asked of it, no two alike.
type catalogue struct {
	file  string
	tools int
	needs []string
	what  string // says where both come from
}

// seed fixes what is generated and the order of needs.
const seed = 7717

// catalogue writes the first n tools to a file: real ones where the data folder
// is there, generated ones otherwise.
func (b *bench) catalogue(n int) (catalogue, error) {
	c := catalogue{file: filepath.Join(b.dir, fmt.Sprintf("catalogue-%d.jsonl", n)), tools: n}
	rng := rand.New(rand.NewPCG(seed, 1))
	lines, err := firstLines(filepath.Join(b.opts.data, "tools.jsonl"), n)
	switch {
	case errors.Is(err, os.ErrNotExist):
		c.what = "generated tools and needs"
		lines, c.needs = generated(rng, n)
	case err != nil:
		return c, err
	default:
		c.what = "the first lines of tools.jsonl, and the requests of tasks.jsonl"
		if c.needs, err = requests(filepath.Join(b.opts.data, "tasks.jsonl"), rng); err != nil {
			return c, err
		}
	}
	return c, os.WriteFile(c.file, []byte(strings.Join(lines, "\n")+"\n"), 0o600)
}

// firstLines reads n lines of a file; fewer are an error.
func firstLines(path string, n int) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	r := bufio.NewReaderSize(f, 1<<20)
	var lines []string
	for len(lines) < n {
		line, err := r.ReadString('\n')
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if len(lines) < n {
		return nil, fmt.Errorf("%s has %d lines, %d are wanted", path, len(lines), n)
	}
	return lines, nil
}

// requests reads what people asked for, in every language there is, each text
// once and in an order of its own.
func requests(path string, rng *rand.Rand) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	var out []string
	seen := map[string]bool{}
	for dec := json.NewDecoder(f); ; {
		var row struct {
			Query string `json:"query"`
		}
		err := dec.Decode(&row)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if row.Query != "" && !seen[row.Query] {
			seen[row.Query] = true
			out = append(out, row.Query)
		}
	}
	rng.Shuffle(len(out), func(i, k int) { out[i], out[k] = out[k], out[i] })
	return out, nil
}

// generated makes tools of the shape of a large real catalogue: a description
// of about 110 characters, three parameters, half a kilobyte of schema. It makes
// as many needs, one in five in Korean or Japanese; up to 4,320 are all different.
func generated(rng *rand.Rand, n int) (lines, needs []string) {
	for i := range n {
		s := subject{verb: i % len(verbs), noun: i / len(verbs) % len(nouns), place: i / len(verbs) / len(nouns)}
		lines = append(lines, s.tool(rng))
		needs = append(needs, s.need(rng, i))
	}
	rng.Shuffle(n, func(i, k int) { needs[i], needs[k] = needs[k], needs[i] })
	return lines, needs
}

// subject is what one generated tool does to what, and where.
type subject struct{ verb, noun, place int }

func (s subject) words() (verb, noun, place string) {
	return verbs[s.verb][0], nouns[s.noun][0], places[s.place%len(places)]
}

func (s subject) tool(rng *rand.Rand) string {
	verb, noun, place := s.words()
	text := fmt.Sprintf("%s %s in the %s system.", strings.ToUpper(verb[:1])+verb[1:], noun, place)
	for range rng.IntN(6) {
		text += " " + phrases[rng.IntN(len(phrases))]
	}
	props, required := map[string]any{}, []string{}
	for k := range 1 + rng.IntN(5) {
		name := params[(rng.IntN(4)+k*3)%len(params)]
		props[name] = map[string]any{"type": "string", "description": fmt.Sprintf("The %s of the %s, as the %s system knows it", strings.ReplaceAll(name, "_", " "), noun, place)}
		if k == 0 {
			required = append(required, name)
		}
	}
	if rng.IntN(3) == 0 {
		props["order"] = map[string]any{"type": "string", "enum": []string{"ascending", "descending"}, "description": "Which of them come first"}
	}
	name := fmt.Sprintf("%s_%s_%d", verb, strings.ReplaceAll(noun, " ", "_"), s.place)
	line, _ := json.Marshal(map[string]any{"id": place + "/" + name, "name": name, "description": text, // maps of text always marshal
		"inputSchema": map[string]any{"type": "object", "properties": props, "required": required}})
	return string(line)
}

func (s subject) need(rng *rand.Rand, i int) string {
	verb, noun, place := s.words()
	id := 1000 + rng.IntN(9000)
	switch i % 10 {
	case 3:
		return fmt.Sprintf("%s에서 %d번 %s %s 주세요", place, id, nouns[s.noun][1], verbs[s.verb][1])
	case 7:
		return fmt.Sprintf("%sで番号%dの%sを%sください", place, id, nouns[s.noun][2], verbs[s.verb][2])
	}
	return fmt.Sprintf("please %s the %s with number %d that we keep in %s", verb, noun, id, place)
}

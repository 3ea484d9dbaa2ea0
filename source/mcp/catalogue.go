package mcp

import (
	"bytes"
	"context"
	"fmt"
	"slices"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// Catalogue reads every page of the server's list of tools.
func (s *source) Catalogue(ctx context.Context) (interlock.Catalogue, error) {
	l := listing{source: s, cursors: map[string]bool{}, names: map[string][]int{}}
	if err := l.pages(ctx); err != nil {
		return interlock.Catalogue{}, catalogueFailure(asFault(err), ctx.Err())
	}
	l.dropTwins()
	places := make([]string, len(l.places))
	for i, n := range l.places {
		places[i] = fmt.Sprintf("/tools/%d", n)
	}
	return interlock.Catalogue{Identity: l.server, Total: l.total, Operations: l.operations, Places: places, Findings: l.findings}, nil
}

// listing is a list of tools under way.
type listing struct {
	source     *source
	server     string
	modern     bool
	total      int
	operations []interlock.Operation
	places     []int // of operations, in the server's list
	findings   []interlock.Finding
	cursors    map[string]bool  // those followed
	names      map[string][]int // every place of a name
}

// pages reads page after page. A list that does not end is cut, with a finding;
// so is one whose later page the server refuses. A page that does not come at
// all fails the whole: a list that is short by accident would retire tools.
func (l *listing) pages(ctx context.Context) error {
	var cursor []byte
	for page := 1; ; page++ {
		if page > maxPages {
			l.cut("the list of tools goes on after %d pages; what follows is not read", maxPages)
			return nil
		}
		ans, err := l.page(ctx, cursor)
		if err != nil {
			return err
		}
		if ans.fail != nil {
			code, message := rpcError(ans.fail)
			if page == 1 && code != -32601 {
				return faultf(faultRefused, true, "the server refused to list its tools: %q (code %d)", message, code)
			}
			l.cut("page %d of the list of tools was refused: %q (code %d)", page, message, code)
			return nil
		}
		if cursor, err = l.read(ans.result); err != nil {
			return faultf(faultMalformed, true, "page %d of the list of tools: %w", page, err)
		}
		switch {
		case cursor == nil:
			return nil
		case l.cursors[string(cursor)]:
			l.cut("the cursor %.80s came a second time: the list of tools does not end; what follows is not read", cursor)
			return nil
		case l.total >= maxTools:
			l.cut("the list of tools has more than %d; what follows is not read", maxTools)
			return nil
		}
		l.cursors[string(cursor)] = true
	}
}

func (l *listing) page(ctx context.Context, cursor []byte) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, pageTimeout)
	defer cancel()
	ans, sess, err := l.source.send(ctx, true, func(sess *session) (request, error) { return sess.toolsList(cursor), nil })
	if sess != nil {
		l.server, l.modern = sess.server, sess.modern
	}
	return ans, err
}

// cut notes that the list is not read to its end.
func (l *listing) cut(format string, args ...any) {
	l.findings = append(l.findings, interlock.Finding{Pointer: "/tools", Reason: fmt.Sprintf(format, args...)})
}

// read takes one page apart and gives the cursor of the next, nil at the end.
func (l *listing) read(result []byte) ([]byte, error) {
	parts, err := pick(result, "tools", "nextCursor")
	if err != nil {
		return nil, err
	}
	if rawjson.KindOf(parts[0]) != rawjson.KindArray {
		return nil, fmt.Errorf("member \"tools\": %w", errNotArray)
	}
	for _, raw := range rawjson.Elements(parts[0]) {
		l.add(raw)
	}
	if cursor := parts[1]; cursor != nil && !isNull(cursor) && string(cursor) != `""` {
		if cursor[0] != '"' {
			return nil, fmt.Errorf("member \"nextCursor\" is not a string")
		}
		return cursor, nil
	}
	return nil, nil
}

// add reads one tool; what is wrong with it costs nothing else.
func (l *listing) add(raw []byte) {
	place := l.total
	l.total++
	tool, findings := readTool(bytes.Clone(raw), l.source, l.modern)
	dropped := false
	for _, f := range findings {
		f.Pointer = fmt.Sprintf("/tools/%d%s", place, f.Pointer)
		l.findings = append(l.findings, f)
		dropped = dropped || f.Dropped
	}
	if tool.Name != "" {
		l.names[tool.Name] = append(l.names[tool.Name], place)
	}
	if !dropped {
		l.operations = append(l.operations, tool)
		l.places = append(l.places, place)
	}
}

// dropTwins drops every tool whose name the server lists more than once: which
// of them a call would reach is the server's secret.
func (l *listing) dropTwins() {
	kept, stand := l.operations[:0], l.places[:0]
	for i, op := range l.operations {
		places := l.names[op.Name]
		if len(places) == 1 {
			kept, stand = append(kept, op), append(stand, places[0])
			continue
		}
		l.findings = append(l.findings, interlock.Finding{Pointer: fmt.Sprintf("/tools/%d", l.places[i]), Dropped: true,
			Reason: fmt.Sprintf("the server lists the name %q %d times; none of them is taken", op.Name, len(places))})
	}
	l.operations, l.places = slices.Clip(kept), stand
}

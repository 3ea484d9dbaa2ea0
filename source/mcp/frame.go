package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// maxFlood bounds the line that is read over in search of its end.
const maxFlood = 512 << 20

var errFlood = errors.New("a message does not end")

// frame is one line of a child's output. A line over the limit is read over;
// of it only the id remains, so that its call alone is lost.
type frame struct {
	line []byte
	over bool
	id   []byte // of a line over the limit: its top-level id, nil where it has none
}

// readFrame reads the next line that is not empty. The line is the caller's.
func readFrame(r *bufio.Reader, limit func() int64) (frame, error) {
	for {
		part, err := r.ReadSlice('\n')
		switch {
		case err == nil, err == io.EOF && len(part) > 0:
			if line := bytes.TrimSpace(part); len(line) > 0 {
				return frame{line: bytes.Clone(line)}, nil
			}
		case err == bufio.ErrBufferFull:
			return readLong(r, part, limit())
		default:
			return frame{}, err
		}
	}
}

// readLong reads on after the first part of a line that is longer than the
// reader's buffer.
func readLong(r *bufio.Reader, first []byte, limit int64) (frame, error) {
	line := append(make([]byte, 0, 4*len(first)), first...)
	for int64(len(line)) <= limit {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if err == nil {
			return frame{line: bytes.TrimSpace(line)}, nil
		}
		if err != bufio.ErrBufferFull {
			return frame{}, noEOF(err)
		}
	}
	var find idFinder
	find.feed(line)
	for read := len(line); ; {
		part, err := r.ReadSlice('\n')
		find.feed(part)
		if read += len(part); read > maxFlood {
			return frame{}, errFlood
		}
		if err == nil {
			return frame{over: true, id: find.id()}, nil
		}
		if err != bufio.ErrBufferFull {
			return frame{}, noEOF(err)
		}
	}
}

func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// idFinder finds the value of the member "id" of a JSON object that is fed to
// it in pieces, without keeping the object. It needs no valid JSON: what it
// finds in other text says nothing.
type idFinder struct {
	depth   int
	inText  bool
	escaped bool
	name    []byte // the string that ended last at depth 1, cut at maxID
	isID    bool   // the value under way at depth 1 is the id's
	value   []byte
}

// maxID bounds an id that is worth finding.
const maxID = 64

func (f *idFinder) feed(part []byte) {
	for _, b := range part {
		if f.inText {
			f.text(b)
			continue
		}
		switch b {
		case '"':
			f.inText = true
			if f.depth == 1 {
				f.name = f.name[:0]
			}
			f.keep(b)
		case '{', '[':
			f.depth++
		case '}', ']':
			f.depth--
			f.isID = false
		case ':':
			if f.depth == 1 {
				f.isID = string(f.name) == "id"
			}
		case ',':
			if f.depth == 1 {
				f.isID = false
			}
		case ' ', '\t', '\r', '\n':
		default:
			f.keep(b)
		}
	}
}

// text takes one byte inside a string.
func (f *idFinder) text(b byte) {
	f.keep(b)
	switch {
	case f.escaped:
		f.escaped = false
	case b == '\\':
		f.escaped = true
	case b == '"':
		f.inText = false
		return
	}
	if f.depth == 1 && len(f.name) < maxID {
		f.name = append(f.name, b)
	}
}

// keep collects the id's value.
func (f *idFinder) keep(b byte) {
	if f.isID && f.depth == 1 && len(f.value) < maxID {
		f.value = append(f.value, b)
	}
}

// id is what was found, nil if nothing.
func (f *idFinder) id() []byte { return f.value }

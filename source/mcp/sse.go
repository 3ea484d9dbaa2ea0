package mcp

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

var errTooLarge = errors.New("over the size limit")

// event is one server-sent event.
type event struct {
	id   string
	name string // empty means "message"
	data []byte
}

// events reads a stream of server-sent events whose lines end in LF or CRLF.
type events struct {
	r     *bufio.Reader
	limit int64         // bytes of one event's data at most
	id    string        // the last id seen, for resuming
	retry time.Duration // the pause that the server asks for before resuming
	line  []byte        // a line longer than r's buffer
}

// next gives the next event that has data; io.EOF after the last one. An event
// that the end of the stream cuts off is not given.
func (e *events) next() (event, error) {
	var ev event
	has := false
	for {
		line, err := e.readLine()
		if err != nil {
			return event{}, err
		}
		if len(line) == 0 {
			if has {
				return ev, nil
			}
			ev = event{}
			continue
		}
		name, value := splitField(line)
		switch string(name) {
		case "data":
			if has {
				ev.data = append(ev.data, '\n')
			}
			has = true
			ev.data = append(ev.data, value...)
			if int64(len(ev.data)) > e.limit {
				return event{}, errTooLarge
			}
		case "event":
			ev.name = string(value)
		case "id":
			ev.id = string(value)
			e.id = ev.id
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				e.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

// splitField parts "name: value"; a comment has an empty name.
func splitField(line []byte) (name, value []byte) {
	name, value, _ = bytes.Cut(line, []byte(":"))
	return name, bytes.TrimPrefix(value, []byte(" "))
}

// readLine gives a line without its end, valid until the next read.
func (e *events) readLine() ([]byte, error) {
	line, err := e.r.ReadSlice('\n')
	if err == bufio.ErrBufferFull {
		e.line = append(e.line[:0], line...)
		for err == bufio.ErrBufferFull {
			if int64(len(e.line)) > e.limit+64 {
				return nil, errTooLarge
			}
			line, err = e.r.ReadSlice('\n')
			e.line = append(e.line, line...)
		}
		line = e.line
	}
	if err != nil {
		if err == io.EOF && len(line) > 0 {
			return nil, io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return bytes.TrimSuffix(line[:len(line)-1], []byte("\r")), nil
}

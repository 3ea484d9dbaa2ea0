package httpcall

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// readAnswer reads a good answer as JSON. cut is a connection that broke on
// the way.
func readAnswer(resp *http.Response, b Binding, limit int64) (reply interlock.Reply, failed *interlock.Error, cut error) {
	body, failed, cut := readBody(resp, limit)
	if failed != nil || cut != nil {
		return interlock.Reply{}, failed, cut
	}
	if len(body) == 0 || b.Answer == AnswerJSON && len(bytes.TrimSpace(body)) == 0 {
		reply.Result = []byte("null")
		return reply, nil, nil
	}
	switch b.Answer {
	case AnswerText:
		if !utf8.Valid(body) {
			return interlock.Reply{}, malformed(errors.New("the text is not UTF-8")), nil
		}
		reply.Result, cut = interlock.Marshal(string(body))
	case AnswerBase64:
		reply.Result, cut = interlock.Marshal(base64.StdEncoding.EncodeToString(body))
	default:
		body = bytes.TrimPrefix(body, []byte("\ufeff"))
		if err := rawjson.Check(body, rawjson.Limits{Bytes: int(limit), Depth: interlock.MaxJSONDepth}); err != nil {
			return interlock.Reply{}, malformed(err), nil
		}
		reply.Result = bytes.TrimSpace(body)
	}
	if cut != nil {
		return interlock.Reply{}, malformed(cut), nil
	}
	return reply, nil, nil
}

// maxRefusal bounds what is read of an answer that is a failure.
const maxRefusal = 64 << 10

// refusal is what came with a failure: whatever of it is JSON and short enough
// is kept as the result, for whoever judges the source. It is never released.
func refusal(resp *http.Response) interlock.Reply {
	reply := interlock.Reply{Status: resp.StatusCode, Said: said(resp.Header)}
	body, failed, cut := readBody(resp, maxRefusal)
	body = bytes.TrimSpace(body)
	if failed == nil && cut == nil && rawjson.Check(body, rawjson.Limits{Bytes: maxRefusal, Depth: interlock.MaxJSONDepth}) == nil {
		reply.Result = body
	}
	return reply
}

// said picks what an answer says beside its body.
func said(h http.Header) map[string]string {
	out := make(map[string]string, 2)
	for _, name := range [...]string{"Content-Type", "Retry-After", "Deprecation", "Sunset"} {
		if value := h.Get(name); value != "" {
			out[strings.ToLower(name)] = value
		}
	}
	return out
}

func malformed(err error) *interlock.Error {
	return failure(interlock.CodeUpstream, interlock.ReasonResultMalformed, interlock.OutcomeFailed,
		"The source's answer is not one JSON value within the limits; its owner should be told.", err)
}

// readBody reads at most limit bytes, counted after any decompression.
func readBody(resp *http.Response, limit int64) ([]byte, *interlock.Error, error) {
	if resp.Request.Method == http.MethodHead {
		return nil, nil, nil
	}
	if resp.ContentLength > limit {
		return nil, tooLarge(limit), nil
	}
	var from io.Reader = resp.Body
	switch resp.Header.Get("Content-Encoding") {
	case "", "identity":
	case "gzip":
		z, err := gzip.NewReader(resp.Body)
		if errors.Is(err, io.EOF) {
			return nil, nil, nil
		}
		if err != nil {
			return nil, malformed(err), nil
		}
		defer z.Close()
		from = z
	default:
		return nil, malformed(errors.New("the answer is compressed in a way that was not asked for")), nil
	}
	body, err := io.ReadAll(io.LimitReader(from, limit+1))
	if int64(len(body)) > limit {
		return nil, tooLarge(limit), nil
	}
	if errors.Is(err, gzip.ErrHeader) || errors.Is(err, gzip.ErrChecksum) {
		return nil, malformed(err), nil
	}
	return body, nil, err
}

func tooLarge(limit int64) *interlock.Error {
	return failure(interlock.CodeTooLarge, interlock.ReasonResultTooLarge, interlock.OutcomeFailed,
		fmt.Sprintf("The source's answer is over the limit of %d bytes and was not released; ask for less.", limit), nil)
}

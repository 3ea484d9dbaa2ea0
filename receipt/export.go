package receipt

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"

	"github.com/seed-ae386458/interlock"
)

// exportFormat is the first thing that an export says.
const exportFormat = "interlock/log/1"

// header is the first line of an export, RFC 8785.
type header struct {
	Cosigned []string `json:"cosigned,omitempty"` // newest checkpoint that witnesses have signed
	Dropped  int64    `json:"dropped,omitempty"`  // entries that retention has dropped; the first line is the one after them
	Format   string   `json:"format"`
	Key      string   `json:"key"` // verifier key of the checkpoint at the end
	Origin   string   `json:"origin"`
	Peaks    []string `json:"peaks,omitempty"` // roots of the whole subtrees of what was dropped, base64, the largest first
}

// Export writes the whole log as one text: a line that names format, key and
// origin, a line of JSON an entry, and the signed checkpoint. What is queued is
// written into the log first.
func (l *Log) Export(ctx context.Context, w io.Writer) error {
	if err := l.settle(ctx); err != nil {
		return fmt.Errorf("export the log: %w", err)
	}
	head := *l.head.Load()
	signed, err := l.keys.sign(head)
	if err != nil {
		return fmt.Errorf("export the log: %w", err)
	}
	h, err := l.header(ctx, head)
	if err != nil {
		return fmt.Errorf("export the log: %w", err)
	}
	first, err := headerLine(h)
	if err != nil {
		return fmt.Errorf("export the log: %w", err)
	}
	out := bufio.NewWriterSize(w, 64<<10)
	_, _ = out.Write(first) // the writer keeps its first error for Flush
	err = eachEntry(ctx, l.store, h.Dropped, head.size, func(entry interlock.LogEntry) error {
		_, err := out.Write(appendLine(out.AvailableBuffer(), entry))
		return err
	})
	if err != nil {
		return fmt.Errorf("export the log: %w", err)
	}
	_, _ = out.WriteString(signed)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export the log: %w", err)
	}
	return nil
}

// header gives the first line of an export under a checkpoint.
func (l *Log) header(ctx context.Context, head checkpoint) (header, error) {
	h := header{Format: exportFormat, Key: l.keys.signers[0].public, Origin: l.keys.origin}
	var err error
	if h.Dropped, err = l.store.LogFloor(ctx); err != nil {
		return h, err
	}
	peaks, err := hashReader(ctx, l.store)(peakIndexes(h.Dropped))
	if err != nil {
		return h, err
	}
	for _, peak := range peaks {
		h.Peaks = append(h.Peaks, peak.String())
	}
	kept, err := l.store.LogWitnesses(ctx, 10)
	for _, w := range kept {
		if w.Size >= h.Dropped && w.Size <= head.size {
			h.Cosigned = []string{w.Text}
			break
		}
	}
	return h, err
}

func headerLine(h header) ([]byte, error) {
	line, err := json.Marshal(h) // members in order, and no letter that is escaped
	return append(line, '\n'), err
}

// appendLine writes the line of an entry: RFC 8785 with the members body,
// digest, index and type.
func appendLine(to []byte, entry interlock.LogEntry) []byte {
	to = append(append(to, `{"body":`...), entry.Body...)
	to = append(append(to, `,"digest":"`...), entry.Digest...)
	to = strconv.AppendInt(append(to, `","index":`...), entry.Index, 10)
	return append(append(append(to, `,"type":"`...), entry.Type...), "\"}\n"...)
}

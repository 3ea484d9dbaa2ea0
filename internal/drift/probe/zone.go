package probe

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock/internal/drift"
	"github.com/seed-ae386458/interlock/internal/rawjson"
)

// zoned holds instants that come back under their own name against what was
// sent: off by the same whole quarters of an hour each time, they are read or
// written in another zone.
func (t *trial) zoned(a *argument, values []json.RawMessage, seen []answer) {
	out := t.p.tool.output.members[a.name]
	if out == nil || out.format != "date-time" || len(seen) < 2 {
		return
	}
	var off time.Duration
	for i, x := range seen {
		back, _ := rawjson.Member(objectOr(x.result), a.name)
		sent, ok1 := instantOf(values[i])
		came, ok2 := instantOf(back)
		if !ok1 || !ok2 || i > 0 && came.Sub(sent) != off {
			return
		}
		off = came.Sub(sent)
	}
	pointer := "output:" + rawjson.Join("", a.name)
	switch {
	case off == 0:
		t.holds(drift.TimezoneOrLocaleShift, pointer, len(seen), "instants come back as they were sent")
	case off%(15*time.Minute) == 0 && off.Abs() <= 14*time.Hour:
		t.breaks(drift.TimezoneOrLocaleShift, pointer, len(seen), fmt.Sprintf("%d of %d instants come back off by %v", len(seen), len(seen), off))
	}
}

func instantOf(raw json.RawMessage) (time.Time, bool) {
	text, ok := rawjson.String(raw)
	if !ok {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	return at, err == nil
}

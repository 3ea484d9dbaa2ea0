package approval

import (
	"bytes"
	"sync"
	"time"
)

// What is kept of the arguments of calls that wait, so that whoever decides can
// read them. It stays in memory: the disk gets nothing but the digest.
const (
	maxHeldArgs = 64 << 10 // of one call; longer ones are not kept
	maxHeld     = 32 << 20 // of all
)

// held keeps the arguments of open approvals. Invariant: size is the sum of
// the lengths of args, and at most most.
type held struct {
	mu    sync.Mutex // guards what follows
	calls map[string]heldCall
	size  int
	most  int
}

type heldCall struct {
	of, contract string
	args         []byte
	asked, until time.Time
}

// put keeps the arguments of a call, in place of what was kept for its id.
// Where too much is kept, the oldest of whoever has most gives way, so that no
// caller takes the place of another.
func (h *held) put(id string, c Call, asked, until time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for old, x := range h.calls {
		if old == id || !asked.Before(x.until) {
			h.drop(old)
		}
	}
	if len(c.Args) > maxHeldArgs {
		return
	}
	h.calls[id] = heldCall{of: c.Principal, contract: c.Contract, args: bytes.Clone(c.Args), asked: asked, until: until}
	for h.size += len(c.Args); h.size > h.most; {
		h.drop(h.oldestOfMost())
	}
}

func (h *held) drop(id string) {
	h.size -= len(h.calls[id].args)
	delete(h.calls, id)
}

func (h *held) oldestOfMost() string {
	sizes, most := map[string]int{}, ""
	for _, x := range h.calls {
		if sizes[x.of] += len(x.args); most == "" || sizes[x.of] > sizes[most] {
			most = x.of
		}
	}
	oldest := ""
	for id, x := range h.calls {
		if x.of == most && (oldest == "" || x.asked.Before(h.calls[oldest].asked)) {
			oldest = id
		}
	}
	return oldest
}

// get gives the arguments that are kept for an id.
func (h *held) get(id string, now time.Time) (heldCall, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	x, ok := h.calls[id]
	return x, ok && now.Before(x.until)
}

// Held gives the arguments of the call that an approval is for, and the hash of
// the contract that they were checked against. They are kept until the approval
// is over, in this process alone: false where it was started since, or where
// they are longer than is kept. Asking again with the same call brings them back.
func (d *Desk) Held(id string) (args []byte, contract string, ok bool) {
	x, ok := d.held.get(id, d.opts.Clock())
	if !ok {
		return nil, "", false
	}
	return bytes.Clone(x.args), x.contract, true
}

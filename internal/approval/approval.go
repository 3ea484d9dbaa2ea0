// Package approval keeps leave for single calls: asked for, granted by a person,
// used once. An approval is bound to the digest of principal, tool, contract,
// binding and arguments, so it lets nothing else through; it expires. It
// refuses to be used twice, whoever races for it.
//
//	id, err := desk.Ask(ctx, call)           // the caller is told the id
//	_, err = desk.Decide(ctx, id, "eve", true) // by one with the right
//	err = desk.Use(ctx, id, call)            // once, just before the send
package approval

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/seed-ae386458/interlock"
)

// Store keeps approvals; interlock.Store is one.
type Store interface {
	PutApproval(ctx context.Context, a interlock.Approval) error
	Approval(ctx context.Context, id string) (interlock.Approval, error)
	Approvals(ctx context.Context) ([]interlock.Approval, error)
	OpenApprovals(ctx context.Context, principal string, at time.Time) ([]interlock.Approval, error)
	PruneApprovals(ctx context.Context, before time.Time) (int, error)
	MoveApproval(ctx context.Context, id string, from, to interlock.ApprovalState, by string) (bool, error)
}

// DefaultLife is how long an approval may be granted and used.
const DefaultLife = 10 * time.Minute

// Keep is how long an approval is kept after it is over, used and refused ones
// too; the log has its moves for ever. What is over is dropped when something is
// asked for, at most once in pruneEvery.
const (
	Keep       = 24 * time.Hour
	pruneEvery = time.Hour
)

// Options of a desk.
type Options struct {
	Clock  func() time.Time // required
	Random io.Reader        // nil: the system's
	Life   time.Duration    // 0: DefaultLife
}

// MaxOpen bounds the approvals of one principal that are asked for or granted
// and neither used nor over, so that no caller fills the store, or the eyes of
// whoever decides, by varying a call.
const MaxOpen = 100

// Desk asks for, grants and uses approvals.
type Desk struct {
	store  Store
	opts   Options
	held   *held
	mu     sync.Mutex // guards pruned
	pruned time.Time  // last
}

// NewDesk makes a desk over a store.
func NewDesk(store Store, opts Options) (*Desk, error) {
	if store == nil || opts.Clock == nil {
		return nil, errors.New("approval desk: a store and a clock are required")
	}
	if opts.Random == nil {
		opts.Random = rand.Reader
	}
	if opts.Life == 0 {
		opts.Life = DefaultLife
	}
	return &Desk{store: store, opts: opts, held: &held{calls: map[string]heldCall{}, most: maxHeld}}, nil
}

// Call is what an approval is for.
type Call struct {
	Principal, Tool, Contract, Binding string
	Effect                             interlock.Effect
	Args                               []byte
}

// Digest binds every part of the call.
func (c Call) Digest() string {
	h := sha256.New()
	h.Write([]byte("interlock/approval/1"))
	for _, part := range [][]byte{[]byte(c.Principal), []byte(c.Tool), []byte(c.Contract), []byte(c.Binding), c.Args} {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Ask gives the id of an open approval for the call; asking twice gives the
// same one.
func (d *Desk) Ask(ctx context.Context, c Call) (string, error) {
	now, digest := d.opts.Clock(), c.Digest()
	if err := d.prune(ctx, now); err != nil {
		return "", fmt.Errorf("ask approval: %w", err)
	}
	own, err := d.store.OpenApprovals(ctx, c.Principal, now)
	if err != nil {
		return "", fmt.Errorf("ask approval: %w", err)
	}
	for _, a := range own {
		if a.Digest == digest {
			d.held.put(a.ID, c, now, a.Expires)
			return a.ID, nil
		}
	}
	if len(own) >= MaxOpen {
		return "", refuse(fmt.Sprintf("%d of your calls wait for an approval or have one; nothing more is asked for until some are decided, used or over.", len(own)))
	}
	var raw [12]byte
	if _, err := io.ReadFull(d.opts.Random, raw[:]); err != nil {
		return "", fmt.Errorf("ask approval: %w", err)
	}
	a := interlock.Approval{ID: "a" + hex.EncodeToString(raw[:]), Digest: digest, Principal: c.Principal, Tool: c.Tool, Effect: c.Effect,
		State: interlock.ApprovalAsked, Asked: now.UTC(), Expires: now.Add(d.opts.Life).UTC()}
	if err := d.store.PutApproval(ctx, a); err != nil {
		return "", fmt.Errorf("ask approval: %w", err)
	}
	d.held.put(a.ID, c, now, a.Expires)
	return a.ID, nil
}

// prune drops what is long over, where it is time.
func (d *Desk) prune(ctx context.Context, now time.Time) error {
	d.mu.Lock()
	due := d.pruned.IsZero() || now.Sub(d.pruned) >= pruneEvery
	if due {
		d.pruned = now
	}
	d.mu.Unlock()
	if !due {
		return nil
	}
	_, err := d.store.PruneApprovals(ctx, now.Add(-Keep))
	return err
}

// Check reports whether the approval would let the call through now.
func (d *Desk) Check(ctx context.Context, id string, c Call) error {
	a, err := d.store.Approval(ctx, id)
	if interlock.ReasonOf(err) == interlock.ReasonNotFound {
		return refuse("The approval is not known.")
	}
	if err != nil {
		return fmt.Errorf("check approval: %w", err)
	}
	switch {
	case a.Digest != c.Digest():
		return refuse("The approval is for another call: another caller, tool or other arguments.")
	case !d.opts.Clock().Before(a.Expires):
		return refuse("The approval has expired; ask again by repeating the call without it.")
	case a.State == interlock.ApprovalUsed:
		return refuse("The approval is used; each serves one call.")
	case a.State == interlock.ApprovalAsked:
		return &interlock.Error{Code: interlock.CodeApproval, Reason: interlock.ReasonApprovalInvalid, Stage: "recheck", Approval: id,
			Public: "The approval still waits for a decision; have it granted, then repeat the call with it."}
	case a.State != interlock.ApprovalGranted:
		return refuse(fmt.Sprintf("The approval was %s; ask again by repeating the call without it.", a.State))
	}
	return nil
}

// Use spends a granted approval on its call: of racing callers one succeeds.
func (d *Desk) Use(ctx context.Context, id string, c Call) error {
	if err := d.Check(ctx, id, c); err != nil {
		return err
	}
	moved, err := d.store.MoveApproval(ctx, id, interlock.ApprovalGranted, interlock.ApprovalUsed, c.Principal)
	if err != nil {
		return fmt.Errorf("use approval: %w", err)
	}
	if !moved {
		return refuse("The approval is used; each serves one call.")
	}
	return nil
}

// Decide grants or refuses what was asked.
func (d *Desk) Decide(ctx context.Context, id, by string, grant bool) (interlock.Approval, error) {
	to := interlock.ApprovalRefused
	if grant {
		to = interlock.ApprovalGranted
	}
	a, err := d.store.Approval(ctx, id)
	if err != nil {
		return a, fmt.Errorf("decide approval: %w", err)
	}
	if !d.opts.Clock().Before(a.Expires) {
		return a, refuse("The approval has expired.")
	}
	moved, err := d.store.MoveApproval(ctx, id, interlock.ApprovalAsked, to, by)
	if err != nil {
		return a, fmt.Errorf("decide approval: %w", err)
	}
	if !moved {
		return a, refuse("The approval was decided already.")
	}
	return d.store.Approval(ctx, id)
}

// List gives every approval, the earliest asked first, and says which are over.
func (d *Desk) List(ctx context.Context) ([]interlock.Approval, error) {
	all, err := d.store.Approvals(ctx)
	if err != nil {
		return nil, fmt.Errorf("list approvals: %w", err)
	}
	now := d.opts.Clock()
	for i := range all {
		open := all[i].State == interlock.ApprovalAsked || all[i].State == interlock.ApprovalGranted
		all[i].Expired = open && !now.Before(all[i].Expires)
	}
	return all, nil
}

func refuse(public string) error {
	return &interlock.Error{Code: interlock.CodeApproval, Reason: interlock.ReasonApprovalInvalid, Stage: "recheck", Public: public}
}

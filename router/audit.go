package router

import (
	"context"

	"github.com/seed-ae386458/interlock/receipt"
)

// LogCheck checks the whole log where it lies: against itself, against what is
// kept outside the store, against what was given, and against the witnesses of
// the configuration.
func (r *Router) LogCheck(ctx context.Context, c receipt.Check) (receipt.Report, error) {
	c.Witness, c.Now = r.opts.Witnesses, r.opts.Clock()
	return r.log.Verify(ctx, c)
}

// LogCheckpoint gives the signed checkpoint of the log as it stands.
func (r *Router) LogCheckpoint(ctx context.Context) (string, error) { return r.log.Checkpoint(ctx) }

// LogProve gives the proof that an entry is in the log; it is named by its
// index, its digest or the id of its receipt.
func (r *Router) LogProve(ctx context.Context, entry string) (receipt.Proof, error) {
	index, err := r.find(ctx, entry)
	if err != nil {
		return receipt.Proof{}, err
	}
	return r.log.Prove(ctx, index)
}

func (r *Router) find(ctx context.Context, entry string) (int64, error) {
	if err := r.log.Flush(ctx); err != nil {
		return 0, err
	}
	return r.log.Find(ctx, entry)
}

// LogConsistency gives the proof that the log of newer entries grew out of that
// of older; zero for newer is the log as it stands.
func (r *Router) LogConsistency(ctx context.Context, older, newer int64) (receipt.Consistency, error) {
	if err := r.log.Flush(ctx); err != nil {
		return receipt.Consistency{}, err
	}
	return r.log.Consistency(ctx, older, newer)
}

// LogAttest states of an entry that it is in the log, as an in-toto statement.
func (r *Router) LogAttest(ctx context.Context, entry string) (receipt.Envelope, error) {
	index, err := r.find(ctx, entry)
	if err != nil {
		return receipt.Envelope{}, err
	}
	return r.log.Attest(ctx, index)
}

// LogTile gives one tile of the tree by its path.
func (r *Router) LogTile(ctx context.Context, path string) ([]byte, error) {
	return r.log.Tile(ctx, path)
}

// LogWitnessRequest gives what a witness is asked with who knows the log at old
// entries.
func (r *Router) LogWitnessRequest(ctx context.Context, old int64) (string, error) {
	return r.log.WitnessRequest(ctx, old)
}

// LogWitness keeps a checkpoint with the signatures of witnesses.
func (r *Router) LogWitness(ctx context.Context, text string) (receipt.WitnessKept, error) {
	return r.log.AddWitness(ctx, text, r.opts.Witnesses)
}

// LogWitnesses lists the checkpoints that witnesses have signed.
func (r *Router) LogWitnesses(ctx context.Context) ([]receipt.Witnessed, error) {
	return r.log.Witnesses(ctx, r.opts.Witnesses)
}

// LogPrune drops the entries before an index, and says so in the log as of a
// principal.
func (r *Router) LogPrune(ctx context.Context, before int64, principal, why string) (receipt.Pruned, error) {
	return r.log.Prune(ctx, before, principal, why, r.opts.Pruning)
}

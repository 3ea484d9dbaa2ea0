package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock"
)

const approvalColumns = `id, digest, principal, tool, effect, state, decided_by, asked, expires`

// PutApproval stores an approval under its id, safe on the disk. One that is
// there already stays as it is, in whatever state.
func (s *Store) PutApproval(ctx context.Context, a interlock.Approval) error {
	err := s.transact(ctx, func(ctx context.Context) error {
		_, err := s.writer.conn.ExecContext(ctx,
			`INSERT INTO approvals (`+approvalColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
			a.ID, a.Digest, a.Principal, a.Tool, string(a.Effect), string(a.State), a.By, timeText(a.Asked), timeText(a.Expires))
		return err
	})
	if err == nil {
		err = s.flush()
	}
	return s.failed("put approval", err)
}

// stepApprovals finds what a principal has open, and what is long over, without
// reading everything.
const stepApprovals = `
CREATE INDEX approvals_open ON approvals (principal, state, expires);
CREATE INDEX approvals_over ON approvals (expires);
`

// timeFormat has one width, so that texts sort as their times do.
const timeFormat = "2006-01-02T15:04:05.000000000Z07:00"

func timeText(t time.Time) string { return t.UTC().Format(timeFormat) }

// Approval reads one approval; ReasonNotFound where there is none.
func (s *Store) Approval(ctx context.Context, id string) (interlock.Approval, error) {
	if err := s.usable(ctx); err != nil {
		return interlock.Approval{}, s.failed("approval", err)
	}
	a, err := scanApproval(s.read.QueryRowContext(ctx, `SELECT `+approvalColumns+` FROM approvals WHERE id = ?`, id))
	if errors.Is(err, sql.ErrNoRows) {
		return interlock.Approval{}, noApproval()
	}
	return a, s.failed("approval", err)
}

func noApproval() error {
	return &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stage,
		Public: "There is no approval of that id. List the approvals that are asked for."}
}

// Approvals reads every approval, the earliest asked first.
func (s *Store) Approvals(ctx context.Context) ([]interlock.Approval, error) {
	return s.approvals(ctx, ``)
}

// OpenApprovals reads those of a principal that are asked for or granted and not
// over, the earliest asked first.
func (s *Store) OpenApprovals(ctx context.Context, principal string, at time.Time) ([]interlock.Approval, error) {
	return s.approvals(ctx, `WHERE principal = ? AND state IN ('asked', 'granted') AND expires > ?`, principal, timeText(at))
}

// PruneApprovals drops those that were over before a time.
func (s *Store) PruneApprovals(ctx context.Context, before time.Time) (int, error) {
	var n int64
	err := s.transact(ctx, func(ctx context.Context) error {
		done, err := s.writer.conn.ExecContext(ctx, `DELETE FROM approvals WHERE expires < ?`, timeText(before))
		if err == nil {
			n, err = done.RowsAffected()
		}
		return err
	})
	return int(n), s.failed("prune approvals", err)
}

func (s *Store) approvals(ctx context.Context, where string, args ...any) ([]interlock.Approval, error) {
	if err := s.usable(ctx); err != nil {
		return nil, s.failed("approvals", err)
	}
	rows, err := s.read.QueryContext(ctx, `SELECT `+approvalColumns+` FROM approvals `+where+` ORDER BY asked, id`, args...)
	if err != nil {
		return nil, s.failed("approvals", err)
	}
	defer rows.Close()
	var list []interlock.Approval
	for rows.Next() {
		a, err := scanApproval(rows)
		if err != nil {
			return nil, s.failed("approvals", err)
		}
		list = append(list, a)
	}
	return list, s.failed("approvals", rows.Err())
}

// scanApproval reads one row of approvalColumns.
func scanApproval(row interface{ Scan(...any) error }) (interlock.Approval, error) {
	var a interlock.Approval
	var asked, expires string
	if err := row.Scan(&a.ID, &a.Digest, &a.Principal, &a.Tool, &a.Effect, &a.State, &a.By, &asked, &expires); err != nil {
		return interlock.Approval{}, err
	}
	var err1, err2 error
	a.Asked, err1 = time.Parse(timeFormat, asked)
	a.Expires, err2 = time.Parse(timeFormat, expires)
	if err := errors.Join(err1, err2); err != nil {
		return interlock.Approval{}, corruptError("An approval of the store cannot be read. Restore a backup.", fmt.Errorf("approval %q: %w", a.ID, err))
	}
	return a, nil
}

// MoveApproval changes the state of an approval from one to another, once and
// safe on the disk: of racing callers one gets true. A by that is empty leaves
// the name that stands. The ends used and refused are never left.
func (s *Store) MoveApproval(ctx context.Context, id string, from, to interlock.ApprovalState, by string) (bool, error) {
	if from == to || from == interlock.ApprovalUsed || from == interlock.ApprovalRefused {
		return false, &interlock.Error{Code: interlock.CodeConflict, Reason: interlock.ReasonApprovalInvalid, Stage: stage,
			Public: fmt.Sprintf("An approval that is %s does not become %s. Ask for a new one.", from, to)}
	}
	moved := false
	err := s.transact(ctx, func(ctx context.Context) (err error) {
		moved, err = s.moveApproval(ctx, id, from, to, by)
		return err
	})
	if err == nil && moved {
		err = s.flush()
	}
	return moved && err == nil, s.failed("move approval", err)
}

func (s *Store) moveApproval(ctx context.Context, id string, from, to interlock.ApprovalState, by string) (bool, error) {
	done, err := s.writer.conn.ExecContext(ctx,
		`UPDATE approvals SET state = ?, decided_by = iif(? = '', decided_by, ?) WHERE id = ? AND state = ?`, string(to), by, by, id, string(from))
	if err != nil {
		return false, err
	}
	if n, err := done.RowsAffected(); err != nil || n == 1 {
		return n == 1, err
	}
	var known int
	if err := s.writer.conn.QueryRowContext(ctx, `SELECT count(*) FROM approvals WHERE id = ?`, id).Scan(&known); err != nil {
		return false, err
	}
	if known == 0 {
		return false, noApproval()
	}
	return false, nil
}

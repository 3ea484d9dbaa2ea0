package sqlite

import (
	"context"
	"database/sql"
	"maps"
	"slices"

	"github.com/seed-ae386458/interlock"
)

// Behavior reads what is kept of tools' behaviour, at one moment.
func (s *Store) Behavior(ctx context.Context) (interlock.BehaviorState, error) {
	state, err := s.behavior(ctx)
	if err != nil {
		return interlock.BehaviorState{}, s.failed("behavior", err)
	}
	return state, nil
}

func (s *Store) behavior(ctx context.Context) (interlock.BehaviorState, error) {
	state := interlock.BehaviorState{Tools: map[string][]byte{}}
	if err := s.usable(ctx); err != nil {
		return state, err
	}
	tx, err := s.read.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return state, err
	}
	defer tx.Rollback()
	if err := tx.QueryRowContext(ctx, `SELECT applied FROM behavior_head`).Scan(&state.Applied); err != nil {
		return state, err
	}
	rows, err := tx.QueryContext(ctx, `SELECT tool, state FROM behavior`)
	if err != nil {
		return state, err
	}
	defer rows.Close()
	for rows.Next() {
		var tool string
		var blob []byte
		if err := rows.Scan(&tool, &blob); err != nil {
			return state, err
		}
		state.Tools[tool] = blob
	}
	return state, rows.Err()
}

// PutBehavior keeps the state of some tools, and up to where in the log it
// stands.
func (s *Store) PutBehavior(ctx context.Context, change interlock.BehaviorState) error {
	var put, drop []string
	for _, tool := range slices.Sorted(maps.Keys(change.Tools)) {
		if change.Tools[tool] == nil {
			drop = append(drop, tool)
		} else {
			put = append(put, tool)
		}
	}
	return s.failed("put behavior", s.transact(ctx, func(ctx context.Context) error {
		if err := s.execEach(ctx, `DELETE FROM behavior WHERE tool = ?`, len(drop), func(i int) []any { return []any{drop[i]} }); err != nil {
			return err
		}
		err := s.execEach(ctx, `INSERT INTO behavior (tool, state) VALUES (?, ?) ON CONFLICT (tool) DO UPDATE SET state = excluded.state`,
			len(put), func(i int) []any { return []any{put[i], change.Tools[put[i]]} })
		if err != nil {
			return err
		}
		return s.execEach(ctx, `UPDATE behavior_head SET applied = ?`, 1, func(int) []any { return []any{change.Applied} })
	}))
}

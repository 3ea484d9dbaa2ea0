package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/seed-ae386458/interlock"
)

// stepPolicies makes the tables of policies: every set that was ever in force,
// by its digest, and the versions, in the order in which they were.
const stepPolicies = `
CREATE TABLE policy_sets (digest TEXT NOT NULL UNIQUE, files BLOB NOT NULL);
CREATE TABLE policy_versions (
	number INTEGER PRIMARY KEY, digest TEXT NOT NULL, by_whom TEXT NOT NULL, at TEXT NOT NULL, policies INTEGER NOT NULL, files BLOB NOT NULL);
`

// PutPolicies records that a set came into force, safe on the disk, with its
// text under its digest. Where it is the last one already nothing changes.
func (s *Store) PutPolicies(ctx context.Context, v interlock.PolicyVersion, files []interlock.PolicyFile) (last interlock.PolicyVersion, changed bool, err error) {
	text, err := json.Marshal(files)
	if err == nil {
		err = s.transact(ctx, func(ctx context.Context) (err error) {
			last, changed, err = s.putPolicies(ctx, v, text)
			return err
		})
	}
	if err == nil && changed {
		err = s.flush()
	}
	return last, changed && err == nil, s.failed("put policies", err)
}

func (s *Store) putPolicies(ctx context.Context, v interlock.PolicyVersion, text []byte) (interlock.PolicyVersion, bool, error) {
	last, err := scanPolicies(s.writer.conn.QueryRowContext(ctx, `SELECT `+policyColumns+` FROM policy_versions ORDER BY number DESC LIMIT 1`))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return last, false, err
	}
	if err == nil && last.Digest == v.Digest {
		return last, false, nil
	}
	v.Number = last.Number + 1
	names, err := json.Marshal(v.Files)
	if err != nil {
		return last, false, err
	}
	if _, err := s.writer.conn.ExecContext(ctx, `INSERT INTO policy_sets (digest, files) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING`, v.Digest, text); err != nil {
		return last, false, err
	}
	_, err = s.writer.conn.ExecContext(ctx, `INSERT INTO policy_versions (`+policyColumns+`) VALUES (?, ?, ?, ?, ?, ?)`,
		v.Number, v.Digest, v.By, timeText(v.At), v.Policies, names)
	return v, true, err
}

const policyColumns = `number, digest, by_whom, at, policies, files`

// PolicyVersions reads the versions, the first one first.
func (s *Store) PolicyVersions(ctx context.Context) ([]interlock.PolicyVersion, error) {
	if err := s.usable(ctx); err != nil {
		return nil, s.failed("policy versions", err)
	}
	rows, err := s.read.QueryContext(ctx, `SELECT `+policyColumns+` FROM policy_versions ORDER BY number`)
	if err != nil {
		return nil, s.failed("policy versions", err)
	}
	defer rows.Close()
	var list []interlock.PolicyVersion
	for rows.Next() {
		v, err := scanPolicies(rows)
		if err != nil {
			return nil, s.failed("policy versions", err)
		}
		list = append(list, v)
	}
	return list, s.failed("policy versions", rows.Err())
}

// scanPolicies reads one row of policyColumns.
func scanPolicies(row interface{ Scan(...any) error }) (v interlock.PolicyVersion, err error) {
	var at string
	var files []byte
	if err := row.Scan(&v.Number, &v.Digest, &v.By, &at, &v.Policies, &files); err != nil {
		return v, err
	}
	when, timeErr := time.Parse(timeFormat, at)
	v.At = when
	if err := errors.Join(timeErr, json.Unmarshal(files, &v.Files)); err != nil {
		return v, corruptError("A version of the policies cannot be read. Restore a backup.", fmt.Errorf("policy version %d: %w", v.Number, err))
	}
	return v, nil
}

// PolicySet reads the files of a set by its digest; ReasonNotFound where no set
// of that digest was ever in force.
func (s *Store) PolicySet(ctx context.Context, digest string) (files []interlock.PolicyFile, err error) {
	if err := s.usable(ctx); err != nil {
		return nil, s.failed("policy set", err)
	}
	var text []byte
	err = s.read.QueryRowContext(ctx, `SELECT files FROM policy_sets WHERE digest = ?`, digest).Scan(&text)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stage,
			Public: "No policies of that digest were ever in force here; `interlock policy list` shows those that were."}
	}
	if err == nil {
		if err = json.Unmarshal(text, &files); err != nil {
			err = corruptError("The policies of a digest cannot be read. Restore a backup.", fmt.Errorf("policy set %q: %w", digest, err))
		}
	}
	return files, s.failed("policy set", err)
}

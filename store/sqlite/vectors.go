package sqlite

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
)

// Vectors gives the stored vectors of the named embedder by their keys; absent
// ones are left out.
func (s *Store) Vectors(ctx context.Context, embedder string, keys []string) (map[string][]byte, error) {
	found, err := s.vectors(ctx, embedder, keys)
	if err != nil {
		return nil, s.failed("vectors", err)
	}
	return found, nil
}

func (s *Store) vectors(ctx context.Context, embedder string, keys []string) (map[string][]byte, error) {
	found := make(map[string][]byte, len(keys))
	if err := s.usable(ctx); err != nil || len(keys) == 0 {
		return found, err
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := s.read.QueryContext(ctx,
		`SELECT key, vector FROM vectors WHERE embedder = ? AND key IN (SELECT value FROM json_each(?))`, embedder, string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var vector []byte
		if err := rows.Scan(&key, &vector); err != nil {
			return nil, err
		}
		found[key] = vector
	}
	return found, rows.Err()
}

// PutVectors stores vectors under their keys. They can be made again, so it
// does not wait for the disk.
func (s *Store) PutVectors(ctx context.Context, embedder string, vectors map[string][]byte) error {
	keys := slices.Sorted(maps.Keys(vectors))
	return s.failed("put vectors", s.transact(ctx, func(ctx context.Context) error {
		return s.execEach(ctx,
			`INSERT INTO vectors (embedder, key, vector) VALUES (?, ?, ?) ON CONFLICT (embedder, key) DO UPDATE SET vector = excluded.vector`,
			len(keys), func(i int) []any { return []any{embedder, keys[i], notNil(vectors[keys[i]])} })
	}))
}

// notNil keeps an empty blob from becoming NULL.
func notNil(blob []byte) []byte {
	if blob == nil {
		return []byte{}
	}
	return blob
}

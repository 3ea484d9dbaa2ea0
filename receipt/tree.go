package receipt

import (
	"context"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/seed-ae386458/interlock"
)

// tileHeight is the height of tiles, as in the Go checksum database: a whole
// tile is 256 hashes.
const tileHeight = 8

// hashReader reads hashes of the tree of a store by their storage index: of
// entries that are kept from their rows, of those that were dropped from the
// tiles that retention left.
func hashReader(ctx context.Context, store interlock.LogStore) tlog.HashReaderFunc {
	return func(indexes []int64) ([]tlog.Hash, error) {
		for {
			floor, err := store.LogFloor(ctx)
			if err != nil {
				return nil, err
			}
			hashes, err := readSplit(ctx, store, floor, indexes)
			if err == nil {
				return hashes, nil
			}
			if now, again := store.LogFloor(ctx); again != nil || now == floor {
				return nil, err
			} // it was pruned between the two reads
		}
	}
}

func readSplit(ctx context.Context, store interlock.LogStore, floor int64, indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	var kept []int64
	tiles := tileCache{store: store, tiles: map[[2]int64][]byte{}}
	for i, index := range indexes {
		if completedBy(index) >= floor {
			kept = append(kept, index)
			continue
		}
		var err error
		if hashes[i], err = tiles.hash(ctx, index); err != nil {
			return nil, err
		}
	}
	rows, err := readHashes(ctx, store, kept)
	if err != nil {
		return nil, err
	}
	for i, index := range indexes {
		if completedBy(index) >= floor {
			hashes[i], rows = rows[0], rows[1:]
		}
	}
	return hashes, nil
}

// completedBy is the entry with which the hash of a storage index is complete.
func completedBy(index int64) int64 {
	level, n := tlog.SplitStoredHashIndex(index)
	return (n+1)<<level - 1
}

// tileCache reads each tile once.
type tileCache struct {
	store interlock.LogStore
	tiles map[[2]int64][]byte
}

func (c tileCache) hash(ctx context.Context, index int64) (tlog.Hash, error) {
	tile := tlog.TileForIndex(tileHeight, index)
	key := [2]int64{int64(tile.L), tile.N}
	data, ok := c.tiles[key]
	if !ok {
		var err error
		if data, err = c.store.LogTile(ctx, tile.L, tile.N); err != nil {
			return tlog.Hash{}, err
		}
		c.tiles[key] = data
	}
	if tile.W*tlog.HashSize > len(data) {
		return tlog.Hash{}, invalid(fmt.Sprintf("tile %s is cut off", tile.Path()))
	}
	return tlog.HashFromTile(tile, data, index)
}

// Tile gives one tile of the tree as it stands, by its path in the format of the
// Go checksum database: tile/8/LEVEL/N, with .p/WIDTH where it is not whole.
func (l *Log) Tile(ctx context.Context, path string) ([]byte, error) {
	tile, err := tlog.ParseTilePath(path)
	size := l.Size()
	if err != nil || tile.H != tileHeight || tile.L < 0 || tile.L > 7 || (tile.N<<tileHeight+int64(tile.W))<<(tile.L*tileHeight) > size {
		return nil, &interlock.Error{Code: interlock.CodeNotFound, Reason: interlock.ReasonNotFound, Stage: stage,
			Public: fmt.Sprintf("There is no tile %q of a log of %d entries. Tiles have height %d: tile/%[3]d/0/000.", path, size, tileHeight)}
	}
	data, err := tlog.ReadTileData(tile, hashReader(ctx, l.store))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	return data, nil
}

// TilePaths lists the tiles that a mirror of old entries lacks of a log of size,
// in the format of the Go checksum database.
func TilePaths(old, size int64) []string {
	var paths []string
	for _, tile := range tlog.NewTiles(tileHeight, old, size) {
		paths = append(paths, tile.Path())
	}
	return paths
}

// VerifyTiles checks that a mirror of tiles holds the tree that a checkpoint
// signs: every hash of every tile, from the leaves up. It reads each tile once
// and gives the number of tiles.
func VerifyTiles(signed string, trusted []string, read func(path string) ([]byte, error)) (int64, error) {
	verifiers, err := parseVerifiers(trusted)
	if err != nil {
		return 0, invalid(err.Error())
	}
	head, err := openHeld(signed, verifiers)
	if err != nil {
		return 0, err
	}
	grown := newTileCheck(head.size, func(tile tlog.Tile) ([]byte, error) { return read(tile.Path()) })
	right, err := grown.run()
	if err != nil {
		return 0, err
	}
	if right.root() != head.root {
		return 0, invalid("the tiles do not make the tree that the checkpoint signs")
	}
	return grown.read, nil
}

// tileCheck grows a tree from the tiles of its leaves and holds the tiles above
// them against it, one tile a level in memory.
type tileCheck struct {
	size  int64
	fetch func(tlog.Tile) ([]byte, error)
	at    map[int]int64  // level: number of the tile that is held
	data  map[int][]byte // level: its hashes
	read  int64
}

func newTileCheck(size int64, fetch func(tlog.Tile) ([]byte, error)) *tileCheck {
	return &tileCheck{size: size, fetch: fetch, at: map[int]int64{}, data: map[int][]byte{}}
}

// tile gives the hashes of a tile at the width that it has in a tree of size.
func (c *tileCheck) tile(level int, n int64) ([]byte, error) {
	if at, ok := c.at[level]; ok && at == n {
		return c.data[level], nil
	}
	width := min(1<<tileHeight, c.size>>(level*tileHeight)-n<<tileHeight)
	tile := tlog.Tile{H: tileHeight, L: level, N: n, W: int(width)}
	data, err := c.fetch(tile)
	if err != nil {
		var known *interlock.Error
		if errors.As(err, &known) {
			return nil, err
		}
		return nil, invalid(fmt.Sprintf("%s cannot be read: %v", tile.Path(), err))
	}
	if len(data) != tile.W*tlog.HashSize {
		return nil, invalid(fmt.Sprintf("%s has %d bytes, not %d", tile.Path(), len(data), tile.W*tlog.HashSize))
	}
	c.at[level], c.data[level] = n, data
	c.read++
	return data, nil
}

// run gives the edge of the tree that the tiles make.
func (c *tileCheck) run() (edge, error) {
	var right edge
	var grown [][tlog.HashSize]byte
	for right.size < c.size {
		leaves, err := c.tile(0, right.size>>tileHeight)
		if err != nil {
			return right, err
		}
		for ; len(leaves) > 0; leaves = leaves[tlog.HashSize:] {
			grown = right.add(tlog.Hash(leaves[:tlog.HashSize]), grown[:0])
			if err := c.above(right.size-1, grown); err != nil {
				return right, err
			}
		}
	}
	return right, nil
}

// above compares the hashes that a leaf completes with those in higher tiles.
func (c *tileCheck) above(leaf int64, grown [][tlog.HashSize]byte) error {
	for level := tileHeight; level < len(grown); level += tileHeight {
		n := leaf >> level
		data, err := c.tile(level/tileHeight, n>>tileHeight)
		if err != nil {
			return err
		}
		at := (n & (1<<tileHeight - 1)) * tlog.HashSize
		if tlog.Hash(data[at:at+tlog.HashSize]) != grown[level] {
			return invalid(fmt.Sprintf("hash %d of level %d is not that of the tiles below it", n, level))
		}
	}
	return nil
}

package router

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/seed-ae386458/interlock/internal/resolve/discover"
)

// teaching holds the scorer that a calibration makes, and makes it beside
// everything else: its needs want their vectors first.
type teaching struct {
	scorer atomic.Pointer[discover.Scorer] // nil: none, or not made yet

	mu    sync.Mutex // guards what follows
	stop  context.CancelFunc
	ended chan struct{} // closed when the making has ended
	tried chan struct{} // closed when it was done, or could not be for now
}

// openCalibration takes the configured calibration.
func (r *Router) openCalibration(context.Context) error { return r.Calibrate(r.opts.Calibration) }

// Calibrate takes what calibrate wrote in the place of what was taken before;
// empty is nothing. One that is malformed or was made for another scorer is
// refused, and the one before stays. It is in force once the needs in it have
// their vectors; until then nothing is.
func (r *Router) Calibrate(text []byte) error {
	if len(text) == 0 {
		r.taught.close()
		r.taught.scorer.Store(nil)
		return nil
	}
	cal, digest, err := discover.ReadCalibration(text)
	if err != nil {
		return err
	}
	if r.opts.Embedder == nil {
		return errors.New("calibration: it needs an embedder, because precedents are told by meaning")
	}
	if _, err := r.scorer.Calibrated(cal, digest, make([][]float32, len(cal.Matches))); err != nil {
		return err
	}
	if now := r.taught.scorer.Load(); now != nil && now.Name == discover.CalibratedName(cal.Scorer, digest) {
		return nil
	}
	r.taught.close()
	r.taught.scorer.Store(nil)
	r.taught.begin(func(ctx context.Context) error {
		vectors, err := r.needsOf(ctx, cal.Matches)
		if err != nil {
			r.opts.Logger.Error("the calibration is not in force yet: its needs have no vectors", "err", err)
			return err
		}
		scorer, err := r.scorer.Calibrated(cal, digest, vectors)
		if err == nil {
			r.taught.scorer.Store(&scorer)
		}
		return err
	})
	return nil
}

// begin makes until it succeeds, ever more rarely, or is closed.
func (t *teaching) begin(attempt func(context.Context) error) {
	ctx, stop := context.WithCancel(context.Background())
	ended, tried := make(chan struct{}), make(chan struct{})
	t.mu.Lock()
	t.stop, t.ended, t.tried = stop, ended, tried
	t.mu.Unlock()
	go func() {
		defer close(ended)
		once := sync.OnceFunc(func() { close(tried) })
		defer once()
		for pause := time.Second; ctx.Err() == nil && attempt(ctx) != nil; pause = min(2*pause, time.Minute) {
			once()
			select {
			case <-ctx.Done():
			case <-time.After(pause):
			}
		}
	}()
}

func (t *teaching) close() {
	t.mu.Lock()
	stop, ended := t.stop, t.ended
	t.mu.Unlock()
	if stop != nil {
		stop()
		<-ended
	}
}

func (t *teaching) settled(ctx context.Context) error {
	t.mu.Lock()
	tried := t.tried
	t.mu.Unlock()
	if tried == nil {
		return nil
	}
	select {
	case <-tried:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// together is how many needs of a calibration get their vectors at once.
const together = 128

// needsOf gives the vectors of the needs of matches: from the store, where they
// are kept by hash, or made.
func (r *Router) needsOf(ctx context.Context, matches []discover.Match) ([][]float32, error) {
	keys := make([]string, len(matches))
	for i, m := range matches {
		sum := sha256.Sum256([]byte("interlock/need/1\x00" + m.Query))
		keys[i] = hex.EncodeToString(sum[:])
	}
	name := r.opts.Embedder.Name()
	known, err := r.opts.Store.Vectors(ctx, name, keys)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(matches))
	var left []int
	for i, key := range keys {
		if out[i] = floats(known[key]); out[i] == nil {
			left = append(left, i)
		}
	}
	for len(left) > 0 {
		some := left[:min(together, len(left))]
		left = left[len(some):]
		texts := make([]string, len(some))
		for j, i := range some {
			texts[j] = matches[i].Query
		}
		made, err := r.opts.Embedder.Embed(ctx, texts)
		if err != nil {
			return nil, err
		}
		fresh := map[string][]byte{}
		for j, i := range some {
			out[i] = made[j]
			fresh[keys[i]] = bits(made[j])
		}
		if err := r.opts.Store.PutVectors(ctx, name, fresh); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// bits and floats write and read a vector as it is.
func bits(v []float32) []byte {
	out := make([]byte, 0, 4*len(v))
	for _, x := range v {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(x))
	}
	return out
}

func floats(b []byte) []float32 {
	if len(b) == 0 || len(b)%4 != 0 {
		return nil
	}
	out := make([]float32, len(b)/4)
	for i := range out {
		out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return out
}

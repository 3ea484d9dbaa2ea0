package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"time"

	"github.com/seed-ae386458/interlock"
)

// configEvery is how often a running server looks whether its configuration is
// another now.
const configEvery = time.Second

// watchConfig reads the configuration again on SIGHUP, and when the file has
// changed, until the context ends. What it says is taken over whole; a file that
// cannot be is refused with its reason, and the one before stays in force.
func (u *server) watchConfig(ctx context.Context, sources *configured) {
	path := u.app.configPath()
	if path == "" {
		return
	}
	hup := make(chan os.Signal, 1)
	signal.Notify(hup, syscall.SIGHUP)
	defer signal.Stop(hup)
	ticker := time.NewTicker(configEvery)
	defer ticker.Stop()
	seen := u.conf.Load().sum
	for {
		why := "The file has changed"
		select {
		case <-ctx.Done():
			return
		case <-hup:
			why = "SIGHUP"
		case <-ticker.C:
		}
		text, err := os.ReadFile(path)
		if why != "SIGHUP" && (err != nil || sha256.Sum256(text) == seen) {
			continue // a file that is being replaced may be away for a moment
		}
		seen = sha256.Sum256(text)
		if err := u.reload(ctx, why, path, sources); err != nil && ctx.Err() == nil {
			u.app.logger.Error("the configuration is not taken over; the one before stays in force", "err", err)
		}
	}
}

// reload takes a configuration over. Everything that can fail is done before
// anything is changed. Policies come first: nobody who is new comes in under
// those before.
func (u *server) reload(ctx context.Context, why, path string, sources *configured) error {
	next, err := loadConfig(path)
	if err != nil {
		return err
	}
	if fixed := u.conf.Load().fixed(next); len(fixed) > 0 {
		return configError("%s: %s cannot change while the server runs; put it back, or start the server again", filepath.Base(path), strings.Join(fixed, ", "))
	}
	guard, err := u.app.authenticator(next)
	if err != nil {
		return err
	}
	if guard.Open() != u.session.guard.Open() {
		return configError("%s: auth cannot change between the single-user mode and tokens while the server runs; start it again", filepath.Base(path))
	}
	policies, err := next.policySet()
	if err != nil {
		return err
	}
	calibration, err := next.calibration()
	if err != nil {
		return err
	}
	if err := u.session.local.Calibrate(calibration); err != nil {
		return configError("%v", err)
	}
	u.swapping.Lock()
	u.swapPolicies(ctx, policies)
	u.session.guard.Swap(guard)
	u.conf.Store(&next)
	u.swapping.Unlock()
	added, changed, removed := sources.apply(ctx, next)
	return tell(u.app.out, "%s: the configuration is taken over: %d sources added, %d changed, %d removed; %d tokens.\n", why, added, changed, removed, len(next.Auth.Tokens))
}

// fixed names what a running server cannot change and another configuration
// would.
func (c config) fixed(next config) []string {
	var out []string
	for _, each := range []struct {
		key       string
		was, will any
	}{
		{"listen", c.Listen, next.Listen}, {"store", c.Store, next.Store}, {"tls", c.TLS, next.TLS}, {"embedder", c.Embedder, next.Embedder}, {"reranker", c.Reranker, next.Reranker}, {"glossary", c.Glossary, next.Glossary},
		{"log", c.Log, next.Log}, {"poll", c.Poll, next.Poll}, {"auth.mode", c.Auth.Mode, next.Auth.Mode}, {"auth.jwt", c.Auth.JWT != nil, next.Auth.JWT != nil},
	} {
		if !reflect.DeepEqual(each.was, each.will) {
			out = append(out, each.key)
		}
	}
	return out
}

// configured are the sources that the configuration names. One goroutine at a
// time uses it.
type configured struct {
	*server
	held map[string]*named // by what names each in the file
}

// named is one of them, registered or on the way to it.
type named struct {
	cfg  interlock.SourceConfig
	stop context.CancelFunc
	done chan struct{} // closed once it is registered or given up
	name string        // it is registered under; set before done is closed
}

func newConfigured(u *server) *configured { return &configured{u, map[string]*named{}} }

// key names a source within the file: a manifest may leave its name to itself.
func key(cfg interlock.SourceConfig) string {
	if cfg.Name != "" {
		return cfg.Name
	}
	return "file " + cfg.File
}

// apply registers what a configuration names and withdraws what one before
// named and this one does not. Sources that others registered are theirs.
func (c *configured) apply(ctx context.Context, next config) (added, changed, removed int) {
	want := map[string]interlock.SourceConfig{}
	for _, s := range next.Sources {
		cfg := next.source(s)
		want[key(cfg)] = cfg
	}
	for k, h := range c.held {
		if _, stays := want[k]; !stays {
			removed++
			c.withdraw(ctx, k, h)
		}
	}
	for k, cfg := range want {
		h := c.held[k]
		switch {
		case h == nil:
			added++
		case reflect.DeepEqual(h.cfg, cfg):
			continue
		default:
			changed++
			h.stop()
			<-h.done
		}
		c.held[k] = c.hold(ctx, cfg)
	}
	return added, changed, removed
}

// hold registers a source, for as long as that takes.
func (c *configured) hold(ctx context.Context, cfg interlock.SourceConfig) *named {
	h := &named{cfg: cfg, done: make(chan struct{})}
	ctx, h.stop = context.WithCancel(ctx)
	c.work.Go(func() {
		defer close(h.done)
		defer h.stop()
		h.name = c.publish(ctx, cfg)
	})
	return h
}

// withdraw takes a source out.
func (c *configured) withdraw(ctx context.Context, k string, h *named) {
	h.stop()
	<-h.done
	delete(c.held, k)
	name := h.name
	if name == "" {
		name = h.cfg.Name // it may be registered from an earlier start
	}
	if name == "" {
		return
	}
	if err := c.session.local.Remove(ctx, interlock.Local(), name); err != nil && interlock.ReasonOf(err) != interlock.ReasonNotFound {
		c.app.logger.Error("a source that the configuration no longer names cannot be withdrawn", "source", name, "err", fmt.Errorf("reload: %w", err))
	}
}

// Package parallel works on many things at once. It promises that each thing is
// worked on once, that all work is over when a call returns, and that a panic
// of any of it is raised where the call was made: there it meets whoever answers
// for the request, while in a goroutine of its own it would end the process.
//
//	parallel.Each(len(tools), 64, func(from, to int) { … })
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Each has n things worked on in stretches of at most chunk of them, on all
// processors where there are several stretches. Which stretch is worked on
// where and when is open; none overlap. The caller is one of those who work: he
// would only wait, and be woken late.
func Each(n, chunk int, work func(from, to int)) {
	var next atomic.Int64
	var group Group
	take := func() {
		for from := int(next.Add(int64(chunk))) - chunk; from < n && !group.broken(); from = int(next.Add(int64(chunk))) - chunk {
			work(from, min(from+chunk, n))
		}
	}
	for range min((n+chunk-1)/chunk, runtime.GOMAXPROCS(0)) - 1 {
		group.Go(take)
	}
	group.Wait(take)
}

// Group is goroutines that somebody waits for. The zero value is ready.
type Group struct {
	wait  sync.WaitGroup
	first atomic.Pointer[Panic]
}

// Go begins one.
func (g *Group) Go(work func()) { g.wait.Go(func() { g.try(work) }) }

// Wait does the caller's own part, which may be nil, waits for all others, and
// raises the first panic of any as a *Panic.
func (g *Group) Wait(own func()) {
	if own != nil {
		g.try(own)
	}
	g.wait.Wait()
	if p := g.first.Load(); p != nil {
		panic(p)
	}
}

func (g *Group) broken() bool { return g.first.Load() != nil }

func (g *Group) try(work func()) {
	defer func() {
		if cause := recover(); cause != nil {
			g.first.CompareAndSwap(nil, panicked(cause))
		}
	}()
	work()
}

// Caught gives a panic as an error, for work that nobody waits for and that
// goes on with the next thing: one bad thing must not keep it from all others.
func Caught(work func() error) (err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = panicked(cause)
		}
	}()
	return work()
}

func panicked(cause any) *Panic {
	if p, ok := cause.(*Panic); ok {
		return p // the first stack tells
	}
	return &Panic{Cause: cause, Stack: string(debug.Stack())}
}

// Panic is what went wrong in a goroutine.
type Panic struct {
	Cause any
	Stack string // of the goroutine that it went wrong in
}

// Error says what and where, for the operator.
func (p *Panic) Error() string { return fmt.Sprintf("panic: %v\n%s", p.Cause, p.Stack) }

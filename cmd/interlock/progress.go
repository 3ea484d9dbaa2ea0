package main

import (
	"fmt"
	"strings"
	"time"
)

// progress draws a bar on a terminal while long work runs; elsewhere it is
// silent.
func (a *app) progress(what string) func(done, total int) {
	if !terminal(a.err) {
		return nil
	}
	var last time.Time
	return func(done, total int) {
		if total < 50 || (done < total && time.Since(last) < 100*time.Millisecond) {
			return
		}
		last = time.Now()
		const width = 30
		full := width * done / total
		fmt.Fprintf(a.err, "\r%s [%s%s] %d/%d", what, strings.Repeat("#", full), strings.Repeat(".", width-full), done, total)
		if done == total {
			fmt.Fprint(a.err, "\r\x1b[K")
		}
	}
}

// counts is progress for long counts; a total that is not known is 0.
func (a *app) counts(what string) func(done, total int64) {
	draw := a.progress(what)
	if draw == nil {
		return nil
	}
	var last time.Time
	return func(done, total int64) {
		if total > 0 {
			draw(int(done), int(total))
			return
		}
		if time.Since(last) >= 100*time.Millisecond {
			last = time.Now()
			fmt.Fprintf(a.err, "\r%s %d\x1b[K", what, done)
		}
	}
}

package main

import (
	"bytes"
	"crypto/sha256"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// noise tells how quiet the machine was: the same fixed work and the same short
// sleep, timed again and again between the measurements, and what else the
// processor was busy with meanwhile.
type noise struct {
	work, late times
	before     usage
}

// noiseReport is what a reader has to know of the machine.
type noiseReport struct {
	Processor string  `json:"processor"`
	Cores     int     `json:"cores"`
	Go        string  `json:"go"`
	Platform  string  `json:"platform"`
	Load      string  `json:"load_average,omitempty"`
	WorkMS    float64 `json:"fixed_work_median_ms"`
	Spread    float64 `json:"fixed_work_p90_over_p10"`
	LateUS    float64 `json:"wake_late_p90_us"` // how late a sleeper wakes
	Others    float64 `json:"others_pct"`       // processor time that went to other programs or machines
}

// Each sample is fixedRuns pieces of work of fixedBytes hashed.
const (
	fixedRuns  = 40
	fixedBytes = 1 << 20
)

func (n *noise) begin() { n.before = readUsage() }

// sample times the fixed work and the sleep; it takes a tenth of a second on a
// quiet machine.
func (n *noise) sample() {
	block := make([]byte, fixedBytes)
	for range fixedRuns {
		start := time.Now()
		block[0] = sha256.Sum256(block)[0]
		n.work = append(n.work, time.Since(start))
		start = time.Now()
		time.Sleep(time.Millisecond)
		n.late = append(n.late, time.Since(start)-time.Millisecond)
	}
}

func (n *noise) end() noiseReport {
	return noiseReport{
		Processor: processor(), Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Load: loadAverage(), WorkMS: rounded(millis(n.work.median())), LateUS: rounded(micros(n.late.quantile(0.9))),
		Spread: rounded(ratio(millis(n.work.quantile(0.9)), millis(n.work.quantile(0.1)))), Others: rounded(readUsage().others(n.before)),
	}
}

// usage is processor time so far, in ticks: of the machine, of that what was
// busy, and of that what this program and its ended children took.
type usage struct{ all, busy, own uint64 }

func readUsage() usage {
	var u usage
	if text, err := os.ReadFile("/proc/stat"); err == nil { // Linux alone has it
		u.all, u.busy = parseMachine(text)
	}
	if text, err := os.ReadFile("/proc/self/stat"); err == nil {
		u.own = parseOwn(text)
	}
	return u
}

// others gives the share of the time since a reading that went to others, in
// percent.
func (u usage) others(before usage) float64 {
	busy, own := float64(u.busy)-float64(before.busy), float64(u.own)-float64(before.own)
	return 100 * ratio(max(busy-own, 0), float64(u.all)-float64(before.all))
}

// parseMachine reads the first line of /proc/stat: user, nice, system, idle,
// iowait, irq, softirq, steal. What follows is counted in them already.
func parseMachine(text []byte) (all, busy uint64) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, 0
	}
	ticks, ok := sums(fields[1:9])
	if !ok {
		return 0, 0
	}
	idle, _ := sums(fields[4:6])
	return ticks, ticks - idle
}

// parseOwn reads /proc/self/stat: after the name in brackets the 12th to 15th
// fields are the user and system time of the process and of its children that
// have ended.
func parseOwn(text []byte) uint64 {
	_, rest, ok := strings.Cut(string(text[bytes.LastIndexByte(text, ')')+1:]), " ")
	fields := strings.Fields(rest)
	if !ok || len(fields) < 15 {
		return 0
	}
	ticks, _ := sums(fields[11:15])
	return ticks
}

// sums adds numbers up; false where one is none.
func sums(fields []string) (uint64, bool) {
	var sum uint64
	for _, field := range fields {
		n, err := strconv.ParseUint(field, 10, 48)
		if err != nil {
			return 0, false
		}
		sum += n
	}
	return sum, true
}

func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 3 {
		return ""
	}
	return strings.Join(fields[:3], " ")
}

func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return runtime.GOARCH
}

// flushes times the disk's own flush: a small append, synced, n times, beside
// the stores that are measured.
func flushes(dir string, n int) (times, error) {
	f, err := os.Create(filepath.Join(dir, "flush"))
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // nothing is read back
	var out times
	entry := bytes.Repeat([]byte("x"), 512)
	for range n {
		start := time.Now()
		if _, err := f.Write(entry); err != nil {
			return nil, err
		}
		if err := f.Sync(); err != nil {
			return nil, err
		}
		out = append(out, time.Since(start))
	}
	return out, nil
}

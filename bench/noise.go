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

// noise tells how even the machine was: the same fixed work, timed again and
// again between the measurements, and what the system says of other load.
type noise struct {
	work  times
	steal stealTime
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
	StealPct  float64 `json:"stolen_pct"` // processor time that the host gave to others
}

// Each sample is fixedRuns pieces of work of fixedBytes hashed.
const (
	fixedRuns  = 40
	fixedBytes = 1 << 20
)

func (n *noise) begin() { n.steal = readSteal() }

// sample times the fixed work; a fifth of a second on a quiet machine at most.
func (n *noise) sample() {
	block := make([]byte, fixedBytes)
	for range fixedRuns {
		start := time.Now()
		block[0] = sha256.Sum256(block)[0]
		n.work = append(n.work, time.Since(start))
	}
}

func (n *noise) end() noiseReport {
	return noiseReport{
		Processor: processor(), Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH,
		Load: loadAverage(), WorkMS: millis(n.work.median()), StealPct: readSteal().since(n.steal),
		Spread: ratio(millis(n.work.quantile(0.9)), millis(n.work.quantile(0.1))),
	}
}

// stealTime is the processor time since the start of the machine, in ticks.
type stealTime struct{ stolen, all float64 }

func readSteal() stealTime {
	text, err := os.ReadFile("/proc/stat") // Linux alone has it
	if err != nil {
		return stealTime{}
	}
	return parseSteal(text)
}

// parseSteal reads the first line of /proc/stat: user, nice, system, idle,
// iowait, irq, softirq, steal; what follows is counted in them already.
func parseSteal(text []byte) stealTime {
	var s stealTime
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := strings.Fields(string(line))
	if len(fields) < 9 || fields[0] != "cpu" {
		return s
	}
	for i, field := range fields[1:9] {
		ticks, err := strconv.ParseUint(field, 10, 48)
		if err != nil {
			return stealTime{}
		}
		s.all += float64(ticks)
		if i == 7 {
			s.stolen = float64(ticks)
		}
	}
	return s
}

// since gives the share stolen between two readings, in percent.
func (s stealTime) since(before stealTime) float64 {
	return 100 * ratio(s.stolen-before.stolen, s.all-before.all)
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

// Package demo holds what a newcomer plays with before he has sources of his
// own: a small real HTTP service with two families in several versions, the
// manifest that declares it, and the rolling upgrade that can be watched. It
// promises to listen on loopback alone and to need no network.
package demo

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

//go:embed sample.yaml upgrade-2.3.0.yaml upgrade-3.0.0.yaml
var manifests embed.FS

// Service is the sample service on one loopback address.
type Service struct {
	URL    string
	server *http.Server
	done   chan struct{}
	mu     sync.Mutex // guards hits
	hits   map[string]int
}

// Start serves the sample service on addr; "127.0.0.1:0" takes a free port.
func Start(addr string) (*Service, error) {
	lis, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("sample service: %w", err)
	}
	if ip := lis.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
		return nil, errors.Join(fmt.Errorf("sample service: %s is not on loopback", addr), lis.Close())
	}
	s := &Service{URL: "http://" + lis.Addr().String(), hits: map[string]int{}, done: make(chan struct{})}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v2/extract", s.counted(extractV2))
	mux.HandleFunc("POST /v3/extract", s.counted(extractV3))
	mux.HandleFunc("GET /v1/weather", s.counted(weather("Cel")))
	mux.HandleFunc("GET /v2/weather", s.counted(weather("K")))
	s.server = &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(lis) // ends with Close
	}()
	return s, nil
}

// Close stops the service and waits for it.
func (s *Service) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = s.server.Close()
	}
	<-s.done
	return err
}

// Hits counts the requests that a path has had.
func (s *Service) Hits(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hits[path]
}

func (s *Service) counted(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		s.hits[r.URL.Path]++
		s.mu.Unlock()
		next(w, r)
	}
}

// Manifest gives an embedded manifest with the service's address in place.
func (s *Service) Manifest(name string) ([]byte, error) { return ManifestFor(name, s.URL) }

// ManifestFor gives an embedded manifest for a service at url.
func ManifestFor(name, url string) ([]byte, error) {
	raw, err := manifests.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("sample manifest: %w", err)
	}
	return []byte(strings.ReplaceAll(string(raw), "http://sample.invalid", url)), nil
}

// read finds "name: value" lines of a document.
func read(document string) map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(document) {
		if name, value, ok := strings.Cut(line, ":"); ok {
			out[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(value)
		}
	}
	return out
}

func extractV2(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Document string   `json:"document"`
		Fields   []string `json:"fields"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
		fail(w, http.StatusBadRequest, "fields is a list of names in this version")
		return
	}
	found, values := read(in.Document), map[string]string{}
	missing := []string{}
	for _, f := range in.Fields {
		if v, ok := found[strings.ToLower(f)]; ok {
			values[f] = v
		} else {
			missing = append(missing, f)
		}
	}
	answer(w, map[string]any{"values": values, "missing": missing, "characters": len([]rune(in.Document)), "served_by": "extract 2"})
}

func extractV3(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Document string `json:"document"`
		Fields   map[string]struct {
			Type string `json:"type"`
		} `json:"fields"`
	}
	if err := json.NewDecoder(http.MaxBytesReader(w, r.Body, 1<<20)).Decode(&in); err != nil {
		fail(w, http.StatusBadRequest, "TypeError: fields is a map of names to specifications in this version")
		return
	}
	found, result := read(in.Document), map[string]any{}
	warnings := []string{}
	names := make([]string, 0, len(in.Fields))
	for name := range in.Fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if v, ok := found[strings.ToLower(name)]; ok {
			result[name] = v
		} else {
			warnings = append(warnings, "no field "+name)
		}
	}
	answer(w, map[string]any{"result": result, "warnings": warnings})
}

// cities are a few places: latitude in degrees, mean temperature in °C, and the
// half of its yearly swing.
var cities = map[string][3]float64{
	"seoul": {37.6, 12.8, 14.5}, "busan": {35.2, 15.0, 11.5}, "tokyo": {35.7, 15.8, 10.8}, "osaka": {34.7, 17.1, 11.3},
	"london": {51.5, 11.6, 6.8}, "paris": {48.9, 12.4, 7.9}, "new york": {40.7, 13.1, 12.4}, "sydney": {-33.9, 18.2, -5.3},
}

// weather serves the climate normal of a day of the year: a sine through the
// yearly mean, coldest in the middle of January in the north.
func weather(unit string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		city, ok := cities[strings.ToLower(r.URL.Query().Get("city"))]
		if !ok {
			fail(w, http.StatusNotFound, "no such city")
			return
		}
		day := 15.0
		if text := r.URL.Query().Get("date"); text != "" {
			t, err := time.Parse(time.DateOnly, text)
			if err != nil {
				fail(w, http.StatusBadRequest, "date is written 2026-01-31")
				return
			}
			day = float64(t.YearDay())
		}
		degrees := city[1] - city[2]*math.Cos(2*math.Pi*(day-15)/365)
		out := map[string]any{"city": r.URL.Query().Get("city"), "unit": unit}
		if unit == "K" {
			degrees += 273.15
		}
		out["temperature"] = math.Round(degrees*10) / 10
		answer(w, out)
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // the caller went away: nobody to tell
}

func fail(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": text})
}

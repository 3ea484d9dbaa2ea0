// Package web holds the rules about what an HTTP operation promises beyond its
// schemas: statuses, media types, headers and security, one a file. They find
// nothing where a side is no HTTP operation.
package web

import (
	"slices"
	"strings"

	"github.com/seed-ae386458/interlock/internal/diff/rule"
)

func answer(c *rule.Contract, status string) *rule.Answer {
	for i := range c.Web.Answers {
		if c.Web.Answers[i].Status == status {
			return &c.Web.Answers[i]
		}
	}
	return nil
}

func header(c *rule.Contract, like rule.Header) *rule.Header {
	for i, h := range c.Web.Headers {
		if h.Status == like.Status && strings.EqualFold(h.Name, like.Name) {
			return &c.Web.Headers[i]
		}
	}
	return nil
}

// answerMedia reports the media types of answers that here has and there has
// not, for statuses that both have.
func answerMedia(here, there, old, new *rule.Contract, what string) []rule.Hit {
	if old.Web == nil || new.Web == nil {
		return nil
	}
	var out []rule.Hit
	for _, a := range here.Web.Answers {
		other := answer(there, a.Status)
		if other == nil || len(a.Media) == 0 && len(other.Media) == 0 {
			continue
		}
		for _, m := range a.Media {
			if !covered(other.Media, m) {
				out = append(out, rule.Hit{Old: answer(old, a.Status).Pointer, New: answer(new, a.Status).Pointer,
					What: m + " " + what, Direction: rule.Output})
			}
		}
	}
	return out
}

// covered reports whether a list of media types has one, spelled alike or with
// a wildcard.
func covered(list []string, media string) bool {
	return slices.ContainsFunc(list, func(m string) bool {
		kind, wild := strings.CutSuffix(m, "*")
		return strings.EqualFold(m, media) || wild && strings.HasPrefix(media, strings.TrimSuffix(kind, "*/"))
	})
}

// bodyMedia reports the media types of the request that here has and there has
// not, where both have a body at all.
func bodyMedia(here, there, old, new *rule.Contract, what string) []rule.Hit {
	if old.Web == nil || new.Web == nil || len(there.Web.Bodies) == 0 {
		return nil
	}
	var out []rule.Hit
	for _, m := range here.Web.Bodies {
		if !covered(there.Web.Bodies, m) {
			out = append(out, rule.Hit{Old: old.Web.Pointer, New: new.Web.Pointer, What: "a body of " + m + " " + what, Direction: rule.Input})
		}
	}
	return out
}

// streams reports the streams whose items here types and there does not.
func streams(here, there *rule.Contract, what string) []rule.Hit {
	if here.Web == nil || there.Web == nil {
		return nil
	}
	var out []rule.Hit
	for _, s := range here.Web.Streams {
		same := func(o rule.Stream) bool { return o.Name == s.Name && o.Direction == s.Direction && o.Typed != s.Typed }
		if s.Typed && slices.ContainsFunc(there.Web.Streams, same) {
			out = append(out, rule.Hit{Old: s.Pointer, New: s.Pointer, What: s.Name + ": " + what, Direction: s.Direction})
		}
	}
	return out
}

// ways lists the ways to prove who calls; no security is one way, with nothing.
func ways(c *rule.Contract) [][]rule.Scheme {
	if len(c.Web.Security) == 0 {
		return [][]rule.Scheme{nil}
	}
	return c.Web.Security
}

// served reports whether what one way holds is enough for any of others.
func served(way []rule.Scheme, others [][]rule.Scheme) bool {
	return slices.ContainsFunc(others, func(other []rule.Scheme) bool {
		for _, want := range other {
			if !slices.ContainsFunc(way, func(have rule.Scheme) bool {
				return have.Name == want.Name && have.Stated == want.Stated && holds(have.Scopes, want.Scopes)
			}) {
				return false
			}
		}
		return true
	})
}

func holds(have, want []string) bool {
	for _, s := range want {
		if !slices.Contains(have, s) {
			return false
		}
	}
	return true
}

func spell(way []rule.Scheme) string {
	if len(way) == 0 {
		return "no credential"
	}
	var out []string
	for _, s := range way {
		text := s.Name
		if len(s.Scopes) > 0 {
			text += " (" + strings.Join(s.Scopes, ", ") + ")"
		}
		out = append(out, text)
	}
	return strings.Join(out, " and ")
}

package qualify

import (
	"fmt"
	"html"
	"html/template"
	"math"
	"strings"
)

// plot draws one chart as SVG. Colours are classes, so that the page decides
// what they are in the light and in the dark.
type plot struct {
	out           strings.Builder
	width, height float64
}

func newPlot(title string, width, height float64) *plot {
	p := &plot{width: width, height: height}
	fmt.Fprintf(&p.out, `<svg viewBox="0 0 %.0f %.0f" role="img" aria-label="%s"><title>%s</title>`, width, height, html.EscapeString(title), html.EscapeString(title))
	return p
}

func (p *plot) done() template.HTML {
	p.out.WriteString("</svg>")
	return template.HTML(p.out.String()) // made here: every text in it went through text
}

func (p *plot) line(class string, x1, y1, x2, y2 float64) {
	fmt.Fprintf(&p.out, `<line class="%s" x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f"/>`, class, x1, y1, x2, y2)
}

func (p *plot) rect(class string, x, y, w, h float64) {
	fmt.Fprintf(&p.out, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f"/>`, class, x, y, max(0, w), max(0, h))
}

func (p *plot) dot(class string, x, y, r float64, says string) {
	fmt.Fprintf(&p.out, `<circle class="%s" cx="%.1f" cy="%.1f" r="%.1f"><title>%s</title></circle>`, class, x, y, r, html.EscapeString(says))
}

// text is anchored at start, middle or end.
func (p *plot) text(class, anchor string, x, y float64, says string) {
	fmt.Fprintf(&p.out, `<text class="%s" text-anchor="%s" x="%.1f" y="%.1f">%s</text>`, class, anchor, x, y, html.EscapeString(says))
}

func (p *plot) path(class string, points [][2]float64) {
	p.out.WriteString(`<polyline class="` + class + `" points="`)
	for i, at := range points {
		if i > 0 {
			p.out.WriteByte(' ')
		}
		fmt.Fprintf(&p.out, "%.1f,%.1f", at[0], at[1])
	}
	p.out.WriteString(`"/>`)
}

// legend names the arms along the top.
func (p *plot) legend(names []string, x, y float64) {
	for _, name := range names {
		p.rect("fill "+name, x, y-9, 11, 11)
		p.text("label", "start", x+15, y, name)
		x += 30 + 6.6*float64(len(name))
	}
}

// square is a chart whose two axes run from 0 to 1.
type square struct {
	*plot
	left, top, side float64
}

func newSquare(title, across, up string) square {
	s := square{newPlot(title, 460, 440), 62, 36, 340}
	for i := range 6 {
		v := float64(i) / 5
		s.line("grid", s.x(v), s.y(0), s.x(v), s.y(1))
		s.line("grid", s.x(0), s.y(v), s.x(1), s.y(v))
		s.text("label", "middle", s.x(v), s.y(0)+18, fmt.Sprintf("%.1f", v))
		s.text("label", "end", s.x(0)-8, s.y(v)+4, fmt.Sprintf("%.1f", v))
	}
	s.text("label", "middle", s.x(0.5), s.y(0)+40, across)
	s.text("label", "start", 6, 14, up)
	return s
}

func (s square) x(v float64) float64 { return s.left + v*s.side }
func (s square) y(v float64) float64 { return s.top + (1-v)*s.side }

// reliabilityPlot holds what was said against what was so.
func (r Record) reliabilityPlot() template.HTML {
	s := newSquare("Reliability of "+r.Reliability.Arm, "probability said", "share that was served")
	s.line("diagonal", s.x(0), s.y(0), s.x(1), s.y(1))
	most := 1
	for _, b := range r.Reliability.Bins {
		most = max(most, b.N)
	}
	for _, b := range r.Reliability.Bins {
		height := 0.25 * float64(b.N) / float64(most)
		s.rect("count", s.x(b.Said)-8, s.y(height), 16, s.y(0)-s.y(height))
	}
	for _, b := range r.Reliability.Bins {
		s.line("whisker "+r.Reliability.Arm, s.x(b.Said), s.y(b.Low), s.x(b.Said), s.y(b.High))
		s.dot("fill "+r.Reliability.Arm, s.x(b.Said), s.y(b.Value), 5, fmt.Sprintf("said %.2f, was %.2f (%.2f to %.2f), %d cases", b.Said, b.Value, b.Low, b.High, b.N))
	}
	return s.done()
}

// curvePlot shows what accepting more costs, arm by arm.
func (r Record) curvePlot() template.HTML {
	s := newSquare("False accept against false refusal", "served needs refused", "needs that nothing serves, accepted")
	point := r.Plan.Point
	s.rect("target", s.x(0), s.y(point.FalseAccept), s.x(point.FalseRefusal)-s.x(0), s.y(0)-s.y(point.FalseAccept))
	var names []string
	for _, c := range r.Curves {
		if c.None == 0 {
			continue
		}
		names = append(names, c.Arm)
		var points [][2]float64
		for _, at := range c.Points {
			points = append(points, [2]float64{s.x(at.FalseRefusal), s.y(at.FalseAccept)})
		}
		s.path("stroke "+c.Arm, points)
	}
	if c := r.all(r.Plan.Candidate); c != nil {
		refused, accepted := c.Figures["false_refusal"], c.Figures["false_accept"]
		if refused.N > 0 && accepted.N > 0 {
			s.dot("fill "+r.Plan.Candidate, s.x(refused.Value), s.y(accepted.Value), 7, fmt.Sprintf("%s at its own line: %.1f %% refused, %.1f %% accepted", r.Plan.Candidate, 100*refused.Value, 100*accepted.Value))
		}
	}
	s.legend(names, s.x(0)+8, s.y(1)-8)
	return s.done()
}

// forestPlot shows the paired differences in the primary measure.
func (r Record) forestPlot() template.HTML {
	var rows []Paired
	for _, d := range r.Paired {
		if d.Measure == r.Plan.Primary && (d.Against == r.Plan.Baseline || d.By == "all") {
			rows = append(rows, d)
		}
	}
	p := newPlot("Paired differences in "+r.Plan.Primary, 800, 60+24*float64(len(rows)))
	reach := 0.1
	for _, d := range rows {
		reach = max(reach, math.Abs(d.Low), math.Abs(d.High))
	}
	reach = math.Ceil(reach*10) / 10
	at := func(v float64) float64 { return 310 + 300*(v+reach)/(2*reach) }
	bottom := p.height - 34
	for i := -2; i <= 2; i++ {
		v := reach * float64(i) / 2
		p.line("grid", at(v), 8, at(v), bottom)
		p.text("label", "middle", at(v), bottom+18, fmt.Sprintf("%+.0f", 100*v))
	}
	p.line("zero", at(0), 8, at(0), bottom)
	p.line("margin", at(r.Plan.Margin), 8, at(r.Plan.Margin), bottom)
	for i, d := range rows {
		y := 22 + 24*float64(i)
		p.text("label", "end", 300, y+4, fmt.Sprintf("against %s, %s (n %d)", d.Against, d.Name, d.N))
		p.line("whisker "+r.Plan.Candidate, at(d.Low), y, at(d.High), y)
		p.dot("fill "+r.Plan.Candidate, at(d.Effect), y, 5, d.Name)
		p.text("label", "start", 622, y+4, fmt.Sprintf("%+.1f (%+.1f to %+.1f)", 100*d.Effect, 100*d.Low, 100*d.High))
	}
	p.text("label", "middle", at(0), p.height-2, "points")
	return p.done()
}

// languagePlot shows the required tools disclosed, by language of need and of
// tools.
func (r Record) languagePlot() template.HTML {
	var pairs, ordering []string
	of := map[[2]string]Figure{}
	for _, c := range r.Cells {
		f, ok := c.Figures["recall"]
		if c.By != "pair" || !ok || c.Arm == Full || c.Arm == Oracle {
			continue
		}
		if len(pairs) == 0 || pairs[len(pairs)-1] != c.Name {
			pairs = append(pairs, c.Name)
		}
		of[[2]string{c.Name, c.Arm}] = f
	}
	for _, arm := range r.Plan.Arms {
		if arm != Full {
			ordering = append(ordering, arm)
		}
	}
	row := 14*float64(len(ordering)) + 14
	p := newPlot("Required tools disclosed, by language", 760, 70+row*float64(len(pairs)))
	at := func(v float64) float64 { return 170 + 560*v }
	bottom := p.height - 30
	for i := range 6 {
		v := float64(i) / 5
		p.line("grid", at(v), 30, at(v), bottom)
		p.text("label", "middle", at(v), bottom+18, fmt.Sprintf("%.0f %%", 100*v))
	}
	p.legend(ordering, 170, 18)
	for i, pair := range pairs {
		y := 44 + row*float64(i)
		need, tools, _ := strings.Cut(pair, ">")
		p.text("label", "end", 160, y+row/2-8, fmt.Sprintf("%s over %s tools", need, tools))
		p.text("faint", "end", 160, y+row/2+6, fmt.Sprintf("n %d", of[[2]string{pair, r.Plan.Candidate}].N))
		for k, arm := range ordering {
			f, ok := of[[2]string{pair, arm}]
			if !ok {
				continue
			}
			h := y + 14*float64(k)
			p.line("whisker "+arm, at(f.Low), h, at(f.High), h)
			p.dot("fill "+arm, at(f.Value), h, 4.5, fmt.Sprintf("%s: %.1f %% (%.1f to %.1f), n %d", arm, 100*f.Value, 100*f.Low, 100*f.High, f.N))
		}
	}
	return p.done()
}

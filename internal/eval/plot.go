package eval

import (
	"fmt"
	"strings"
)

// Plot draws what was said against what was so, as SVG: one dot a tenth of the
// probability, as large as it has requests.
func (r Confirmation) Plot(title string) string {
	const size, margin = 320.0, 46.0
	at := func(x, y float64) (float64, float64) { return margin + x*size, margin + (1-y)*size }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="11">`+"\n", size+2*margin, size+2*margin)
	fmt.Fprintf(&b, `<rect width="100%%" height="100%%" fill="#fff"/><text x="%g" y="20" font-size="13">%s</text>`+"\n", margin, escapeXML(title))
	x0, y0 := at(0, 0)
	x1, y1 := at(1, 1)
	fmt.Fprintf(&b, `<path d="M%g %gH%gV%gH%gZ" fill="none" stroke="#999"/><path d="M%g %gL%g %g" stroke="#999" stroke-dasharray="4 4"/>`+"\n", x0, y0, x1, y1, x0, x0, y0, x1, y1)
	for i := 0; i <= 10; i += 2 {
		v := float64(i) / 10
		x, _ := at(v, 0)
		_, y := at(0, v)
		fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">%.1f</text><text x="%g" y="%g" text-anchor="end">%.1f</text>`+"\n", x, y0+16, v, x0-6, y+4, v)
	}
	fmt.Fprintf(&b, `<text x="%g" y="%g" text-anchor="middle">probability that the need is served</text>`+"\n", margin+size/2, y0+34)
	fmt.Fprintf(&b, `<text transform="translate(14 %g) rotate(-90)" text-anchor="middle">share that was served</text>`+"\n", margin+size/2)
	most := 1
	for _, bin := range r.Bins {
		most = max(most, bin.Requests)
	}
	for _, bin := range r.Bins {
		x, y := at(bin.Said, bin.Found)
		fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#2a6f97" fill-opacity="0.7"><title>%d requests: said %.2f, found %.2f</title></circle>`+"\n",
			x, y, 3+9*float64(bin.Requests)/float64(most), bin.Requests, bin.Said, bin.Found)
	}
	x, _ := at(r.Point, 0)
	fmt.Fprintf(&b, `<path d="M%.1f %gV%g" stroke="#c1121f"/><text x="%.1f" y="%g" fill="#c1121f">from here on served</text>`+"\n</svg>\n", x, y0, y1, x+4, y1+12)
	return b.String()
}

func escapeXML(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

package kernel

// Lanes are the eight partial sums of a float sum: value i goes to lane i mod 8.
type Lanes [8]float32

func (l *Lanes) sum(x []float32) {
	for len(x) >= 8 {
		for j, v := range x[:8] {
			l[j] += v
		}
		x = x[8:]
	}
	for j, v := range x {
		l[j] += v
	}
}

func (l *Lanes) sumSquares(x []float32, mean float32) {
	for len(x) >= 8 {
		for j, v := range x[:8] {
			d := v - mean
			l[j] += float32(d * d)
		}
		x = x[8:]
	}
	for j, v := range x {
		d := v - mean
		l[j] += float32(d * d)
	}
}

// total adds the lanes up, always in this order.
func (l *Lanes) total() float32 {
	return ((l[0] + l[4]) + (l[2] + l[6])) + ((l[1] + l[5]) + (l[3] + l[7]))
}

// Product returns Σ a[i]·b[i] over the shorter length, in the fixed order.
func Product(a, b []float32) float32 {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	var l Lanes
	for i, v := range a {
		l[i&7] += float32(v * b[i])
	}
	return l.total()
}

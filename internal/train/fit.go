package train

import (
	"errors"
	"math"

	"github.com/seed-ae386458/interlock/internal/resolve/dispose"
)

const (
	pull      = 3.0 // towards no weight, for signals in units of their spread
	rounds    = 25
	tolerance = 1e-7
)

// logistic fits weighed rows by Newton's method. It is the same on every
// machine to the digits that are kept.
func logistic(x [][]float64, served []bool, weight []float64) (dispose.Linear, error) {
	if len(x) == 0 {
		return dispose.Linear{}, errors.New("no rows to learn from")
	}
	n := len(x[0])
	mean, spread := moments(x, weight)
	z := make([]float64, n+1)
	b := make([]float64, n+1)
	for range rounds {
		gradient := make([]float64, n+1)
		curve := make([][]float64, n+1)
		for i := range curve {
			curve[i] = make([]float64, n+1)
			curve[i][i] = pull
			gradient[i] = -float64(pull * b[i])
		}
		curve[n][n], gradient[n] = 1e-6, 0
		for r, row := range x {
			for i := range n {
				z[i] = (row[i] - mean[i]) / spread[i]
			}
			z[n] = 1
			p := 1 / (1 + math.Exp(-dot(z, b)))
			miss := -p
			if served[r] {
				miss = 1 - p
			}
			bend := float64(weight[r]*p*(1-p)) + 1e-9
			for i, a := range z {
				gradient[i] += float64(weight[r] * miss * a)
				for j := range i + 1 {
					curve[i][j] += float64(bend * a * z[j])
				}
			}
		}
		step, err := solve(curve, gradient)
		if err != nil {
			return dispose.Linear{}, err
		}
		most := 0.0
		for i, s := range step {
			b[i] += s
			most = max(most, math.Abs(s))
		}
		if most < tolerance {
			break
		}
	}
	out := dispose.Linear{Weights: make([]float64, n), Bias: b[n]}
	for i := range n {
		out.Weights[i] = b[i] / spread[i]
		out.Bias -= float64(out.Weights[i] * mean[i])
	}
	return out, nil
}

func dot(a, b []float64) float64 {
	sum := 0.0
	for i, x := range a {
		sum += float64(x * b[i])
	}
	return sum
}

// moments gives mean and spread of each signal; a signal that never changes has
// a spread of 1.
func moments(x [][]float64, weight []float64) (mean, spread []float64) {
	n := len(x[0])
	mean, spread = make([]float64, n), make([]float64, n)
	all := 0.0
	for _, w := range weight {
		all += w
	}
	for r, row := range x {
		for i, v := range row {
			mean[i] += float64(weight[r] * v / all)
		}
	}
	for r, row := range x {
		for i, v := range row {
			spread[i] += float64(weight[r] * (v - mean[i]) * (v - mean[i]) / all)
		}
	}
	for i, v := range spread {
		if spread[i] = math.Sqrt(v); spread[i] < 1e-9 {
			spread[i] = 1
		}
	}
	return mean, spread
}

// solve solves a symmetric positive system given by its lower triangle, by
// Cholesky's method.
func solve(a [][]float64, y []float64) ([]float64, error) {
	n := len(y)
	for i := range n {
		for j := range i + 1 {
			sum := a[i][j]
			for k := range j {
				sum -= float64(a[i][k] * a[j][k])
			}
			switch {
			case i != j:
				a[i][j] = sum / a[j][j]
			case sum <= 0:
				return nil, errors.New("the signals depend on each other")
			default:
				a[i][i] = math.Sqrt(sum)
			}
		}
	}
	x := make([]float64, n)
	for i := range n {
		x[i] = y[i]
		for k := range i {
			x[i] -= float64(a[i][k] * x[k])
		}
		x[i] /= a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		for k := i + 1; k < n; k++ {
			x[i] -= float64(a[k][i] * x[k])
		}
		x[i] /= a[i][i]
	}
	return x, nil
}

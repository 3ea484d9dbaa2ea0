// Package array holds the rules about lists, one a file.
package array

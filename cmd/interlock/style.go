package main

import (
	"cmp"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

// style colours text where it goes to a terminal that wants colour.
type style struct{ on bool }

// style gives the style of an output.
func (a *app) style(w io.Writer) style {
	return style{terminal(w) && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"}
}

// terminal reports whether an output is a terminal.
func terminal(w any) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// paint colours text, which it makes safe first.
func (s style) paint(code, text string) safe {
	clean := plain(text)
	if !s.on {
		return clean
	}
	return "\x1b[" + safe(code) + "m" + clean + "\x1b[0m"
}

func (s style) red(text string) safe    { return s.paint("31", text) }
func (s style) green(text string) safe  { return s.paint("32", text) }
func (s style) yellow(text string) safe { return s.paint("33", text) }
func (s style) dim(text string) safe    { return s.paint("2", text) }
func (s style) bold(text string) safe   { return s.paint("1", text) }

// table prints rows of plain cells in columns; an empty one is a dash, so that
// columns can be counted.
func table(w io.Writer, head []string, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, row := range append([][]string{head}, rows...) {
		for i, cell := range row {
			row[i] = string(plain(cmp.Or(cell, "-")))
		}
		if _, err := io.WriteString(t, strings.Join(row, "\t")+"\n"); err != nil {
			return err
		}
	}
	return t.Flush()
}

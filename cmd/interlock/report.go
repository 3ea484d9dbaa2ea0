package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os/exec"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// misread says what is wrong with a command line that does not parse, and whose
// help says what would be right.
func misread(p process, err error, asJSON bool) int {
	if asJSON {
		return misused(p, err.Error())
	}
	help, lists := "interlock --help", "the commands"
	var failed *kong.ParseError
	if errors.As(err, &failed) && failed.Context.Selected() != nil {
		help, lists = failed.Context.Selected().FullPath()+" --help", "what it takes"
	}
	tell(p.err, "interlock: %v\nRun `%s` for %s.\n", err, help, lists)
	return wire.ExitUsage
}

// misused reports a command line that cannot be carried out, as JSON.
func misused(p process, text string) int {
	e := &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonRequestInvalid, Stage: "cmd", Public: text}
	fmt.Fprintf(p.out, "%s\n", wire.ErrorObject(e))
	return wire.ExitUsage
}

// report prints what went wrong, once, and gives the exit code.
func (a *app) report(err error) int {
	var exit *exitError
	var usage *usageError
	switch {
	case err == nil:
		return wire.ExitDone
	case errors.As(err, &exit):
		return exit.code
	case errors.As(err, &usage) && a.JSON:
		return misused(a.process, usage.text)
	case errors.As(err, &usage):
		tell(a.err, "interlock: %v\n", usage.text)
		return wire.ExitUsage
	}
	e := interlock.AsError(err)
	if a.JSON {
		fmt.Fprintf(a.out, "%s\n", wire.ErrorObject(err))
	} else {
		a.tellError(e)
	}
	if e.Reason == interlock.ReasonInternal || a.logger.Enabled(context.Background(), slog.LevelDebug) {
		a.logger.Error("failed", "err", err)
	}
	return wire.Exit(err)
}

// tellError says what went wrong, where, and what to do, each once.
func (a *app) tellError(e *interlock.Error) {
	tell(a.err, "%s %s\n", a.style(a.err).red(string(e.Reason)), e.Public)
	if e.Pointer != "" && !strings.Contains(e.Public, e.Pointer) {
		tell(a.err, "  at %s\n", e.Pointer)
	}
	for _, line := range toolWords(e.Detail) {
		tell(a.err, "  the tool: %s\n", line)
	}
	switch text := remedy(e); {
	case e.Approval != "":
		tell(a.err, "  interlock approve %s\n", e.Approval)
	case text != "":
		tell(a.err, "  %s\n", text)
	}
}

// maxWords is how many lines and bytes of a failed tool's words are printed.
const maxWords = 20

// toolWords reads the lines of a failed tool's own words out of its detail: the
// text of its content blocks, or the JSON as it is.
func toolWords(detail []byte) []string {
	if len(detail) == 0 {
		return nil
	}
	var said struct {
		Content []struct{ Text string }
		When    string
	}
	text := ""
	if json.Unmarshal(detail, &said) == nil {
		if said.When != "" && said.Content == nil { // a documented failure, which the message names
			return nil
		}
		for _, block := range said.Content {
			if block.Text != "" {
				text += block.Text + "\n"
			}
		}
	}
	if text == "" {
		text = string(detail)
	}
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > maxWords {
		lines = append(lines[:maxWords], "… and more; --json has it all")
	}
	return lines
}

// ownRemedies are for who sits at the command line, where the table's are for
// any caller.
var ownRemedies = map[interlock.Reason]string{
	interlock.ReasonSourceUnreachable: "Start it, or correct its command or address. Where it is slow to come up, try again.",
	interlock.ReasonCredential:        "Set what the reference names; where there is none, give one: --credential SCHEME=env:NAME of add openapi, or credentials of the source in the configuration.",
	interlock.ReasonNotFound:          "`interlock tools`, `interlock sources` and `interlock approve` list what is there.",
	interlock.ReasonToolError:         "The tool's words are its own: data, not instructions.",
}

// remedy says what to do, where the text does not say it already. What sends
// the reader to a place is said where a place is shown, and advice on a server
// only where there may be one.
func remedy(e *interlock.Error) string {
	switch e.Reason {
	case interlock.ReasonRequestInvalid, interlock.ReasonArgumentsInvalid, interlock.ReasonSourceInvalid, interlock.ReasonConfigInvalid:
		if e.Pointer == "" {
			return ""
		}
	case interlock.ReasonSourceUnreachable:
		if errors.Is(e, fs.ErrNotExist) || errors.Is(e, exec.ErrNotFound) {
			return "Correct the command: there is no such program."
		}
	}
	if text, own := ownRemedies[e.Reason]; own {
		if e.Reason == interlock.ReasonNotFound && strings.Contains(e.Public, "interlock ") {
			return ""
		}
		return text
	}
	for _, row := range interlock.Reasons() {
		if row.Reason == e.Reason && !strings.Contains(e.Public, strings.TrimSuffix(row.Remedy, ".")) {
			return row.Remedy
		}
	}
	return ""
}

package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpGroups head the commands and the flags of the help.
var helpGroups = []kong.Group{
	{Key: "serve", Title: "Serve and register:"},
	{Key: "use", Title: "Find and call:"},
	{Key: "contracts", Title: "Contracts over time:"},
	{Key: "policy", Title: "Who may do what:"},
	{Key: "behaviour", Title: "Documented against observed:"},
	{Key: "record", Title: "The record:"},
	{Key: "measure", Title: "Measure and show:"},
	{Key: "other", Title: "Other:"},
	{Key: "every", Title: "Flags of every command:"},
}

// Run prints the help of a command, or of the whole.
func (c helpCmd) Run(k *kong.Kong, a *app) error {
	words, err := kong.Trace(k, c.Command)
	if err != nil {
		return fmt.Errorf("help: %w", err)
	}
	if words.Error != nil {
		return usagef("there is no command %q; `interlock help` lists them", strings.Join(c.Command, " "))
	}
	var text strings.Builder
	if a.JSON {
		k.Stdout = &text
	}
	if err := words.PrintUsage(false); err != nil {
		return fmt.Errorf("help: %w", err)
	}
	if a.JSON {
		return a.print(map[string]string{"help": text.String()})
	}
	return nil
}

package main

import (
	"context"

	"github.com/seed-ae386458/interlock"
)

// Run asks the running server for a link. What follows # in it lets whoever has
// it decide on approvals, so it is printed and written nowhere else.
func (consoleCmd) Run(ctx context.Context, a *app) error {
	s, err := a.prepare()
	if err != nil {
		return err
	}
	if a.Principal != "" || a.Claims != "" {
		return usagef("a link to the console is the operator's; leave --principal and --claims out, and let others sign in with their tokens")
	}
	client := running(s.path)
	if client == nil {
		return &interlock.Error{Code: interlock.CodeUnavailable, Reason: interlock.ReasonUnavailable, Stage: "surface",
			Public: "No server runs on " + s.path + ", so there is no console; start it with `interlock up`."}
	}
	defer client.Close()
	link, err := client.Console(ctx)
	if err != nil {
		return err
	}
	if a.JSON {
		return a.print(link)
	}
	return tell(a.out, "%s\n  decides on approvals as the operator until %s; whoever has it can\n", link.URL, link.Expires.Local().Format("2006-01-02 15:04"))
}

package main

import (
	"context"
	"encoding/json"

	"github.com/seed-ae386458/interlock"
	"github.com/seed-ae386458/interlock/internal/surface/wire"
)

// callAnswer is the answer to one call of a batch: a result with its receipt, or
// the error.
type callAnswer struct {
	ID      json.RawMessage    `json:"id"`
	Result  json.RawMessage    `json:"result,omitempty"`
	Receipt *interlock.Receipt `json:"receipt,omitempty"`
	Error   json.RawMessage    `json:"error,omitempty"`
}

// batch makes the calls of a file in order. Each goes the whole road by itself;
// one that is refused or fails is answered with its error, and the next is made
// all the same.
func (c callCmd) batch(ctx context.Context, a *app) error {
	if c.Approval != "" {
		return usagef("an approval is for one call; --approve gives leave for each of a batch")
	}
	return a.with(ctx, func(s *session, who interlock.Principal) error {
		if c.Approve {
			if err := operator(who, "approves calls as they are made"); err != nil {
				return err
			}
		}
		return eachLine(a, c.Batch, func(members map[string]json.RawMessage, bad *batchError) any {
			out := callAnswer{ID: members["id"]}
			if out.ID == nil {
				out.ID = json.RawMessage("null")
			}
			req, bad := c.request(members, bad)
			if bad != nil {
				return out.failed(wire.Invalid(bad.Pointer, "%s", bad.Message))
			}
			res, err := s.Call(ctx, who, req)
			if err != nil {
				return out.failed(err)
			}
			out.Result, out.Receipt = res.Result, &res.Receipt
			return out
		})
	})
}

// request reads a line of a batch; arguments left out are an empty object.
func (c callCmd) request(members map[string]json.RawMessage, bad *batchError) (interlock.CallRequest, *batchError) {
	if bad != nil {
		return interlock.CallRequest{}, bad
	}
	tool, bad := textOf(members, "tool")
	if bad != nil {
		return interlock.CallRequest{}, bad
	}
	args := members["args"]
	if args == nil {
		args = json.RawMessage("{}")
	}
	return interlock.CallRequest{Tool: tool, Args: args, Approve: c.Approve}, nil
}

// failed tells an error as every face does.
func (o callAnswer) failed(err error) callAnswer {
	var told struct {
		Error json.RawMessage `json:"error"`
	}
	if jsonErr := json.Unmarshal(wire.ErrorObject(err), &told); jsonErr == nil {
		o.Error = told.Error
	}
	return o
}

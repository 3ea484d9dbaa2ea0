package drift

import "github.com/seed-ae386458/interlock"

// Class says whose doing an outcome is. Only ClassContract says anything of the
// tool's behaviour.
type Class string

// The classes, in the order in which they are tried.
const (
	ClassTransport Class = "transport"  // not sent, no answer, cut off
	ClassAuth      Class = "auth"       // a credential was not accepted
	ClassRateLimit Class = "rate_limit" // asked to come back later
	ClassGateway   Class = "gateway"    // something between here and the tool answered
	ClassOutage    Class = "outage"     // the tool is down, and says so
	ClassCaller    Class = "caller"     // the arguments break the documented input
	ClassContract  Class = "contract"   // the tool answered as it does
)

// Observation is what one exchange says, complete in itself: member `observed`
// of the body of a call's entry. It holds no argument and no result in the
// clear, but for numbers whose meaning is judged and tokens of closed lists.
type Observation struct {
	Class      Class  `json:"class"`
	Documented string `json:"documented"` // first 16 digits of the fingerprint it was held against
	Failed     bool   `json:"failed,omitempty"`
	Status     int    `json:"status,omitempty"`
	Case       string `json:"case,omitempty"` // the documented failure that it is
	Code       string `json:"code,omitempty"` // the failure's own, where it is a token
	Form       string `json:"form,omitempty"` // names of a failure's members
	Retry      string `json:"retry,omitempty"`
	Empty      bool   `json:"empty,omitempty"`
	Unreadable bool   `json:"unreadable,omitempty"`
	Refuses    bool   `json:"refuses,omitempty"` // the failure speaks of the arguments
	Outside    bool   `json:"outside,omitempty"` // the arguments break the documented input
	Probe      string `json:"probe,omitempty"`

	Args string `json:"args,omitempty"` // keyed tag of the arguments
	Core string `json:"core,omitempty"` // keyed tag of the required members of the result
	Mood string `json:"mood,omitempty"` // keyed tag of its booleans and enumerations

	Shape      map[string]string `json:"shape,omitempty"` // types by place: "s", "i18s2"
	Signs      []Sign            `json:"signs,omitempty"`
	Echoes     []Echo            `json:"echoes,omitempty"`
	Marks      map[string]string `json:"marks,omitempty"`    // numbers with a unit, by place
	Revision   string            `json:"revision,omitempty"` // what only a write moves
	RevisionAt string            `json:"revision_at,omitempty"`
	List       *List             `json:"list,omitempty"`
	Waits      map[string]int64  `json:"waits,omitempty"` // lengths of time asked for, in µs, by place
	Shown      []Proved          `json:"shown,omitempty"`

	Took int64 `json:"took_us"`
	Size int   `json:"size"`
}

// Sign is one contradiction that a single exchange shows.
type Sign struct {
	Kind Kind   `json:"kind"`
	At   string `json:"at"`            // output:/state, input:/days, error:404
	Doc  string `json:"doc,omitempty"` // what is documented
	Saw  string `json:"saw"`           // what came
}

// Echo is how an output repeats an input.
type Echo struct {
	In  string `json:"in"`
	Out string `json:"out"`
	// As is same, a known factor ("1/1000"), swapped, rounded, folded, above or
	// below.
	As      string `json:"as"`
	Omitted bool   `json:"omitted,omitempty"` // held against the documented default
	Tag     string `json:"tag,omitempty"`     // of an output that is above or below
	Asked   string `json:"asked,omitempty"`   // tag of the input, where the output is not the same
	With    string `json:"with,omitempty"`    // of swapped: the other input
	Mixed   bool   `json:"mixed,omitempty"`   // of same: the text could have been folded
}

// List is how long a list was, and how long it had to be.
type List struct {
	At      string `json:"at"`
	By      string `json:"by"`
	Limit   int64  `json:"limit"`             // asked for, or the documented default; -1: neither
	Omitted bool   `json:"omitted,omitempty"` // the documented default stands in for the argument
	Count   int64  `json:"count"`
	Total   int64  `json:"total"` // -1: not told
	More    bool   `json:"more,omitempty"`
	Moved   bool   `json:"moved,omitempty"` // an argument moves along the list
}

// Proved is what a probe showed, with its confidence as text: the log holds no
// fractions.
type Proved struct {
	Kind       Kind   `json:"kind"`
	Pointer    string `json:"pointer"`
	Holds      bool   `json:"holds,omitempty"`
	Says       string `json:"says"`
	Trials     int    `json:"trials"`
	Confidence string `json:"confidence,omitempty"`
}

// Exchanges that failed are told apart by what the failure is.
const (
	outcomeOK    = "ok"
	outcomeEmpty = "empty"
)

// outcome is the word that exchanges are counted under: ok, empty, a documented
// case, or what an undocumented failure calls itself.
func (o *Observation) outcome() string {
	switch {
	case !o.Failed && o.Empty:
		return outcomeEmpty
	case !o.Failed:
		return outcomeOK
	case o.Case != "":
		return "error " + o.Case
	}
	return "undocumented " + o.failure()
}

// failure names an undocumented failure by its status, or by its code.
func (o *Observation) failure() string {
	if o.Status != 0 {
		return itoa(o.Status)
	}
	if o.Code != "" {
		return o.Code
	}
	return "failure"
}

// reads reports whether an effect is enforced as a read.
func reads(e interlock.Effect) bool { return e.Enforced() == interlock.EffectRead }

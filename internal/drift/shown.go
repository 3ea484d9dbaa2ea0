package drift

// The reasons for which a probe is made: the first word of Exchange.Probe. What
// follows after a colon is the place of the argument that the probe is about:
// "outside:/days".
const (
	ProbeWithin   = "within"   // every argument is inside the documentation: success is due, or a failure that is documented
	ProbeAbsent   = "absent"   // well formed, and names what does not exist: the documented not_found is due
	ProbeOutside  = "outside"  // one argument is outside the documentation: the documented invalid_argument is due
	ProbeLevel    = "level"    // like the probe before, with another value of one argument
	ProbeOmitted  = "omitted"  // an argument with a documented default is left out
	ProbeDefault  = "default"  // the same call with that default written out
	ProbeRepeat   = "repeat"   // the same read again, at once
	ProbeRelation = "relation" // one of a group of calls whose answers have to fit together
	ProbeNobody   = "nobody"   // without any credential: a documented refusal is due
	ProbeReadBack = "readback" // of what another tool of the source wrote
	ProbeCanary   = "canary"   // an owner's call with what he expects of it
)

// Shown is what the exchanges of a probe, taken together, say of one kind. It is
// concluded by package probe, which sees the answers side by side, and goes with
// the exchange that completed it. One that is not Holds is a divergence as it
// stands: the trials behind it are as many as the kind needs.
type Shown struct {
	Kind    Kind   `json:"kind"`
	Pointer string `json:"pointer"` // input:/limit, output:/items
	Holds   bool   `json:"holds,omitempty"`
	// Says is the evidence in words and numbers; it holds no text of an answer.
	Says       string  `json:"says"`
	Trials     int     `json:"trials"`               // exchanges that it rests on
	Confidence float64 `json:"confidence,omitempty"` // in (0,1]
}

package rule

// Narrowing fills the verdicts of a change after which fewer values fit.
func Narrowing(r Rule) Rule {
	r.In, r.Out = Same(Proof), Same(OK)
	return r
}

// Widening fills the verdicts of a change after which more values fit.
func Widening(r Rule) Rule {
	r.In, r.Out = Same(OK), Same(Proof)
	return r
}

// Replacing fills the verdicts of a change after which other values fit.
func Replacing(r Rule) Rule {
	r.In, r.Out = Same(Proof), Same(Proof)
	return r
}

// Promise fills the verdicts of a change of what is promised beside the
// schemas: always a break, or never.
func Promise(v Verdict, r Rule) Rule {
	r.In, r.Out = Same(v), Same(v)
	r.HarmOut = r.HarmIn
	return r
}

// The remedies that many rules share.
const (
	RemedyMajor   = "Publish it as a new major version, and keep the old one until its callers have moved."
	RemedyInput   = "Accept what was accepted before, or publish it as a new major version."
	RemedyOutput  = "Return only what was promised before, or publish it as a new major version."
	RemedyNothing = "Nothing to do."
)

package vet

// class is what a term does in an instruction.
type class uint8

const (
	ignoring   class = iota // tells to pay no attention, in the imperative
	ignoringE               // the same, in languages that put it at the end
	prior                   // what was said before, or to the model
	yours                   // the model's own
	directive               // instructions, prompts
	rulesOf                 // restrictions, safety: instructions only when they are the model's
	ruleWord                // rules, the same
	everything              // "everything you were told"
	overcome                // disable, bypass
	not                     // do not, never, without
	tell                    // tell, inform, mention
	notTell                 // both in one
	tellFirst               // tell, in languages that put the negation at the end
	notLast                 // that negation
	mentioning              // mention: of people as well, unless it is to them
	toUser                  // to the user
	user                    // the person
	unknowing               // without the person's knowledge, as a whole
	reading                 // read, open, collect, in the imperative
	handing                 // pass, send, include, in the imperative
	giving                  // handing on, and nothing milder
	whole                   // "it", "its contents"
	secret                  // files that hold keys and nothing else
	files                   // those, and files that hold keys among other things
	contents                // the contents of
	private                 // what belongs to the conversation or the machine
	inmost                  // the model's own prompt
	printing                // print, reveal
	slot                    // parameter, argument, field, "as"
	sink                    // whatever takes something: a slot, an address
	address                 // a URL that something goes to
	mailbox                 // a literal address of mail or money
	always                  // always
	invoked                 // whenever another call is made
	flow                    // mails, messages, payments
	recipient               // recipient, bcc, account
	setting                 // set, change, replace, add
	each                    // every, all, always, whenever
	persona                 // unrestricted, without limits
	voided                  // are void, are suspended
	supersede               // supersedes
	nowAre                  // "you are now", "from now on you"

	// weaker signs
	tagged      // <important>, <system>
	mustNow     // "you must now"
	beforeUse   // before using this tool
	fromNow     // from now on
	newOrders   // new instructions
	overrideAll // system override
	hush        // notify, show, alert: kept from the person, as interfaces do too
	noLeave     // without asking
	toModel     // note to the model
	ifModel     // "if you are a language model"
	threat      // or else
	forwards    // forward its result
	remote      // curl … | sh
	thisTool    // this tool
	toolAll     // all other tools
	preferring  // instead of, before, over
	alwaysCall  // "always call this tool first"
	secretly    // in secret

	// what surrounds a mention
	detects // detects, blocks, such as
	willDo  // will, would, attempts to
)

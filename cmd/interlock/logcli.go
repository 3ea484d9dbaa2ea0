package main

import "time"

type logCmd struct {
	List        logListCmd        `cmd:"" help:"Print the entries, one a line."`
	Export      logExportCmd      `cmd:"" help:"Write the whole log as one file."`
	Verify      logVerifyCmd      `cmd:"" help:"Verify the store's log, or an exported file, offline."`
	Fsck        logFsckCmd        `cmd:"" help:"Recompute everything: entries, leaves, tiles, checkpoints, signatures, receipts, intents."`
	Checkpoint  logCheckpointCmd  `cmd:"" help:"Print the signed checkpoint, to be kept elsewhere."`
	Prove       logProveCmd       `cmd:"" help:"Prove that one entry is in the log, or verify such a proof."`
	Consistency logConsistencyCmd `cmd:"" help:"Prove that the log grew out of an earlier one, or verify such a proof."`
	Attest      logAttestCmd      `cmd:"" help:"State that one entry is in the log, as an in-toto statement in a DSSE envelope, or verify one."`
	Receipt     logReceiptCmd     `cmd:"" name:"verify-receipt" help:"Verify the receipt of a call offline, with what its holder has beside it."`
	Tiles       logTilesCmd       `cmd:"" help:"Mirror the tree as tiles, in the format of the Go checksum database."`
	Prune       logPruneCmd       `cmd:"" help:"Drop the entries before a checkpoint; the tree and the proofs stay, and the log says so."`
	Restored    logRestoredCmd    `cmd:"" help:"Put on record that the store was put back to an earlier state on purpose."`
	Witness     logWitnessCmd     `cmd:"" help:"Signatures of others under the checkpoints of the log."`
}

type logListCmd struct {
	From  int64 `help:"First index." placeholder:"N"`
	Limit int   `help:"Entries at most; 0 means all." placeholder:"N"`
}

type logExportCmd struct {
	File string `arg:"" help:"File to write." type:"path"`
}

type logVerifyCmd struct {
	File       string   `arg:"" optional:"" help:"Exported file." type:"path"`
	Key        string   `help:"Verifier key that the file must be signed with." placeholder:"KEY"`
	Checkpoint []string `help:"A checkpoint that was kept elsewhere; the log must have grown out of it. Repeatable." placeholder:"FILE" type:"path" sep:"none"`
}

type logFsckCmd struct {
	Tiles      string   `help:"Check a mirror of tiles against its checkpoint instead." placeholder:"DIR" type:"path"`
	Key        string   `help:"Verifier key that the mirror must be signed with." placeholder:"KEY"`
	Checkpoint []string `help:"A checkpoint that was kept elsewhere; the log must have grown out of it. Repeatable." placeholder:"FILE" type:"path" sep:"none"`
}

type logCheckpointCmd struct {
	File string `arg:"" optional:"" help:"File to write; standard output without it." type:"path"`
}

// proofFlags are those of a command that makes a proof or verifies one.
type proofFlags struct {
	Verify string `help:"Verify the one in this file, offline; - reads standard input." placeholder:"FILE"`
	Key    string `help:"Verifier key that it must be signed with." placeholder:"KEY"`
}

type logProveCmd struct {
	Entry string `arg:"" optional:"" help:"Index of the entry, its digest, or the id of a receipt."`
	proofFlags
}

type logConsistencyCmd struct {
	Old *int64 `arg:"" optional:"" help:"Entries of the earlier log."`
	New int64  `arg:"" optional:"" help:"Entries of the later one; without it, the log as it stands."`
	proofFlags
}

type logAttestCmd struct {
	Entry string `arg:"" optional:"" help:"Index of the entry, its digest, or the id of a receipt."`
	proofFlags
}

type logReceiptCmd struct {
	Receipt string `arg:"" help:"File with the receipt, or with the result that holds it, as JSON; - reads standard input."`
	Proof   string `help:"Proof of its entry, from log prove." placeholder:"FILE"`
	Args    string `help:"File with the arguments as they were sent; needs --proof." placeholder:"FILE"`
	Result  string `help:"File with the result as it was released; needs --proof." placeholder:"FILE"`
	Key     string `help:"Verifier key that it must be signed with." placeholder:"KEY"`
}

type logTilesCmd struct {
	Dir string `arg:"" help:"Folder of the mirror; what it has is kept." type:"path"`
}

type logPruneCmd struct {
	Before     *int64        `help:"First entry that is kept." placeholder:"N" xor:"what"`
	Keep       *int64        `help:"How many of the newest entries are kept." placeholder:"N" xor:"what"`
	OlderThan  time.Duration `help:"Entries older than this are dropped." placeholder:"DURATION" xor:"what"`
	Checkpoint string        `help:"Entries under this checkpoint are dropped." placeholder:"FILE" type:"path" xor:"what"`
	Why        string        `help:"Reason, which goes into the log." placeholder:"TEXT"`
}

type logRestoredCmd struct{}

type logWitnessCmd struct {
	List    witnessListCmd    `cmd:"" help:"List the checkpoints that witnesses have signed."`
	Ask     witnessAskCmd     `cmd:"" help:"Ask the witnesses of the configuration over HTTP."`
	Request witnessRequestCmd `cmd:"" help:"Write what a witness is asked with, to be carried to it."`
	Add     witnessAddCmd     `cmd:"" help:"Take in a checkpoint that witnesses have signed."`
	Key     witnessKeyCmd     `cmd:"" help:"Make the key of a witness."`
	Sign    witnessSignCmd    `cmd:"" help:"Be a witness: check a request and sign its checkpoint."`
	Serve   witnessServeCmd   `cmd:"" help:"Be a witness that is asked over HTTP."`
}

type witnessListCmd struct{}

type witnessAskCmd struct {
	Timeout time.Duration `help:"How long one witness may take." default:"30s"`
}

type witnessRequestCmd struct {
	File string `arg:"" optional:"" help:"File to write; standard output without it." type:"path"`
	Old  int64  `help:"Entries at which the witness knows the log; 0 where it does not." placeholder:"N"`
}

type witnessAddCmd struct {
	File string `arg:"" help:"File with the checkpoint and the signatures below it; - reads standard input."`
}

type witnessKeyCmd struct {
	Name string `arg:"" help:"Name of the witness, such as witness.example.org/w1."`
	File string `arg:"" help:"File to write the secret key to; it must not exist." type:"path"`
}

// witnessFlags are what every act of a witness needs.
type witnessFlags struct {
	Key   string   `help:"File with the secret key of the witness." required:"" placeholder:"FILE" type:"path"`
	State string   `help:"File that keeps the last checkpoint that was signed." required:"" placeholder:"FILE" type:"path"`
	Log   []string `help:"Verifier key of the log; repeatable, for a log whose keys were rotated." required:"" placeholder:"KEY" sep:"none"`
}

type witnessSignCmd struct {
	Request string `arg:"" help:"File with the request; - reads standard input."`
	witnessFlags
}

type witnessServeCmd struct {
	witnessFlags
	Listen string `help:"Address to listen on." default:"127.0.0.1:7344" placeholder:"ADDR"`
}

type keysCmd struct {
	List   keysListCmd   `cmd:"" help:"Print the verifier keys of the log, newest first."`
	Rotate keysRotateCmd `cmd:"" help:"Make new keys; the old ones go on verifying."`
}

type (
	keysListCmd   struct{}
	keysRotateCmd struct{}
)

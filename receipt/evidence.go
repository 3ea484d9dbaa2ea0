package receipt

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/note"

	"github.com/seed-ae386458/interlock"
)

// Evidence is what a holder of a receipt has beside it. A member that is nil is
// not at hand and is not checked; arguments and result need the body.
type Evidence struct {
	Body   []byte // of the log entry, as it is spelled there
	Args   []byte // as they were sent
	Result []byte // as it was released
}

// VerifyReceipt checks a caller's receipt offline: that one of the verifier
// keys signed it, that the body is the one it was given for, and that arguments
// and result are those that the body names.
func VerifyReceipt(receipt interlock.Receipt, keys []string, evidence Evidence) error {
	if err := checkSignature(receipt, keys); err != nil {
		return receiptError(receipt.ID, err.Error())
	}
	if evidence.Body == nil {
		if evidence.Args != nil || evidence.Result != nil {
			return receiptError(receipt.ID, "arguments and result cannot be checked without the body")
		}
		return nil
	}
	if err := checkEvidence(receipt, evidence); err != nil {
		return receiptError(receipt.ID, err.Error())
	}
	return nil
}

func receiptError(id, what string) error {
	return &interlock.Error{Code: interlock.CodeInvalid, Reason: interlock.ReasonLogInvalid, Stage: stage,
		Public: fmt.Sprintf("The receipt %q does not verify: %s.", id, what)}
}

func checkSignature(receipt interlock.Receipt, keys []string) error {
	verifiers, err := parseVerifiers(keys)
	if err != nil {
		return err
	}
	signature, err := base64.StdEncoding.DecodeString(receipt.Signature)
	if err != nil || base64.StdEncoding.EncodeToString(signature) != receipt.Signature {
		return errors.New("its signature is malformed")
	}
	for _, v := range verifiers {
		if receipt.Key != keyID(v) {
			continue
		}
		if !v.Verify(receiptText(receipt.ID, receipt.Digest), signature) {
			return fmt.Errorf("its signature is not by %s", receipt.Key)
		}
		return nil
	}
	return fmt.Errorf("no key is given for %q", receipt.Key)
}

// keyID names a verifier key as receipts do.
func keyID(v note.Verifier) string { return fmt.Sprintf("%s+%08x", v.Name(), v.KeyHash()) }

func checkEvidence(receipt interlock.Receipt, evidence Evidence) error {
	if digestOf(evidence.Body) != receipt.Digest {
		return errors.New("the body is another one")
	}
	var body struct {
		Receipt      string `json:"receipt"`
		ArgsDigest   string `json:"args_digest"`
		ResultDigest string `json:"result_digest"`
	}
	salt, err := hex.DecodeString(receipt.Salt)
	if err != nil || len(salt) != idSize || hex.EncodeToString(salt) != receipt.Salt {
		return errors.New("its salt is malformed")
	}
	if json.Unmarshal(evidence.Body, &body) != nil || body.Receipt != receipt.ID {
		return errors.New("the body is of another receipt")
	}
	if evidence.Args != nil && saltedDigest(salt, evidence.Args) != body.ArgsDigest {
		return errors.New("the arguments are not those of the call")
	}
	if evidence.Result != nil && saltedDigest(salt, evidence.Result) != body.ResultDigest {
		return errors.New("the result is not that of the call")
	}
	return nil
}

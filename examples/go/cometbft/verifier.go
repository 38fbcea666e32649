// SPDX-License-Identifier: Apache-2.0

// Package cometbft has the BatchVerifier of CometBFT (crypto.BatchVerifier) on `pointmill serve`. The rule set is
// zip215, which that of CometBFT has too.
package cometbft

import (
	"context"
	"errors"
	"time"

	"github.com/cometbft/cometbft/crypto"
	"github.com/cometbft/cometbft/crypto/ed25519"

	"pointmill/client"
)

// Verifier collects signatures, as CometBFT adds those of a commit.
type Verifier struct {
	client     *client.Client
	timeout    time.Duration
	signatures []client.Signature
}

var _ crypto.BatchVerifier = (*Verifier)(nil)

// NewVerifier is empty; Verify takes at most the timeout.
func NewVerifier(c *client.Client, timeout time.Duration) *Verifier {
	return &Verifier{client: c, timeout: timeout}
}

// Add takes a signature; an error for a key or a signature of another kind or length.
func (v *Verifier) Add(key crypto.PubKey, message, signature []byte) error {
	public, ok := key.(ed25519.PubKey)
	if !ok || len(public) != ed25519.PubKeySize {
		return errors.New("the key is not Ed25519")
	}
	if len(signature) != ed25519.SignatureSize {
		return errors.New("the signature has another length")
	}
	v.signatures = append(v.signatures, client.Signature{
		PublicKey: public, Message: message, Signature: signature, Rule: "zip215"})
	return nil
}

// Verify says whether all are valid, and which. If the service does not give all verdicts, none is.
func (v *Verifier) Verify() (bool, []bool) {
	valid := make([]bool, len(v.signatures))
	ctx, cancel := context.WithTimeout(context.Background(), v.timeout)
	defer cancel()
	verdicts, err := v.client.Verify(ctx, v.signatures)
	if err != nil {
		return false, valid
	}
	all := len(verdicts) > 0
	for i, verdict := range verdicts {
		valid[i] = verdict.Valid
		all = all && verdict.Valid
	}
	return all, valid
}

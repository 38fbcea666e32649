// SPDX-License-Identifier: Apache-2.0

package cometbft

import (
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/cometbft/cometbft/crypto"
	"github.com/cometbft/cometbft/crypto/ed25519"
	"github.com/cometbft/cometbft/crypto/secp256k1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"pointmill/client"
)

func verifier(t *testing.T, address string) *Verifier {
	connection, err := grpc.NewClient(address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	return NewVerifier(client.New(connection), 20*time.Second)
}

// A commit of 150 votes, of which some are wrong: the same verdicts as CometBFT's own verifier gives.
func TestSameAsCometBFT(t *testing.T) {
	for _, wrong := range []int{0, 1, 7} {
		ours, theirs := verifier(t, os.Getenv("POINTMILL_GRPC")), ed25519.NewBatchVerifier()
		for i := range 150 {
			private := ed25519.GenPrivKeyFromSecret([]byte(fmt.Sprint("validator ", i)))
			vote := []byte(fmt.Sprint("vote ", i))
			signature, err := private.Sign(vote)
			if err != nil {
				t.Fatal(err)
			}
			if wrong > 0 && i%wrong == 0 {
				signature[i%64] ^= 1
			}
			for _, one := range []interface {
				Add(crypto.PubKey, []byte, []byte) error
			}{ours, theirs} {
				if err := one.Add(private.PubKey(), vote, signature); err != nil {
					t.Fatal(err)
				}
			}
		}
		all, valid := ours.Verify()
		wantedAll, wanted := theirs.Verify()
		if all != wantedAll || !slices.Equal(valid, wanted) {
			t.Errorf("%d wrong: %v %v, not %v %v", wrong, all, valid, wantedAll, wanted)
		}
	}
}

func TestNothingIsValidWithoutService(t *testing.T) {
	none := verifier(t, "127.0.0.1:1")
	private := ed25519.GenPrivKey()
	signature, _ := private.Sign([]byte("vote"))
	if err := none.Add(private.PubKey(), []byte("vote"), signature); err != nil {
		t.Fatal(err)
	}
	if all, valid := none.Verify(); all || slices.Contains(valid, true) {
		t.Error("valid without a verdict")
	}
	if err := none.Add(secp256k1.GenPrivKey().PubKey(), nil, signature); err == nil {
		t.Error("another kind of key was taken")
	}
	if err := none.Add(private.PubKey(), nil, signature[1:]); err == nil {
		t.Error("a short signature was taken")
	}
}

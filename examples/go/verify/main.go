// SPDX-License-Identifier: Apache-2.0

// A signature and a forged one, verified by the service at the address that is named.
package main

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"log"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"pointmill/client"
)

func main() {
	connection, err := grpc.NewClient(os.Args[1], grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		log.Fatal(err)
	}
	defer connection.Close()
	public, private, _ := ed25519.GenerateKey(nil)
	signature := ed25519.Sign(private, []byte("message"))
	verdicts, err := client.New(connection).Verify(context.Background(), []client.Signature{
		{PublicKey: public, Message: []byte("message"), Signature: signature},
		{PublicKey: public, Message: []byte("another"), Signature: signature, Rule: "zip215"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, verdict := range verdicts {
		fmt.Println(verdict.Valid, verdict.Reason, verdict.Rule)
	}
}

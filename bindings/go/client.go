// SPDX-License-Identifier: Apache-2.0

// Package client asks `pointmill serve` for verdicts on Ed25519 signatures, by gRPC.
package client

import (
	"context"
	"fmt"
	"io"

	"google.golang.org/grpc"

	pb "pointmill/client/pointmillpb"
)

// Messages of a stream have at most so many jobs, and end behind so many bytes of what is signed: the service takes 16 MiB.
const chunk, chunkBytes = 256, 256 << 10

// Signature is one to verify. Rule is a rule set, empty for that of Go's crypto/ed25519 (ref10_bytes).
type Signature struct {
	PublicKey, Message, Signature []byte
	Rule                          string
}

// Verdict says whether a signature is valid, and why not. Device is "model" if the functional device gave it, which is
// not the RTL.
type Verdict struct {
	Valid                bool
	Reason, Rule, Device string
	Cycles               uint64
}

// Client is a connection, for any number of goroutines.
type Client struct {
	verifier pb.VerifierClient
}

// New uses a connection, which the caller opens, with or without TLS, and closes.
func New(connection grpc.ClientConnInterface) *Client {
	return &Client{pb.NewVerifierClient(connection)}
}

// Verify gives verdicts in the order of the signatures. An error means that there is none: nothing is then known to be
// valid. Behind the call the signatures are read no more.
func (c *Client) Verify(ctx context.Context, signatures []Signature) ([]Verdict, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stream, err := c.verifier.Verify(ctx)
	if err != nil {
		return nil, err
	}
	sent := make(chan error, 1)
	go func() { sent <- send(stream, signatures) }()
	verdicts, err := receive(stream, len(signatures))
	if err != nil {
		cancel() // the rest is not sent
		<-sent
		return nil, err
	}
	if err := <-sent; err != nil {
		return nil, err
	}
	return verdicts, nil
}

// receive takes a verdict for each of `count` signatures.
func receive(stream grpc.BidiStreamingClient[pb.Jobs, pb.Verdicts], count int) ([]Verdict, error) {
	verdicts := make([]Verdict, 0, count)
	for {
		message, err := stream.Recv()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		for _, one := range message.Verdicts {
			if one.Id != uint64(len(verdicts)) || len(verdicts) == count || one.Valid != (one.Reason == "ok") {
				return nil, fmt.Errorf("pointmill: verdict %d fits no signature", one.Id)
			}
			verdicts = append(verdicts, Verdict{one.Valid, one.Reason, one.Rule, message.Device, one.Cycles})
		}
	}
	if len(verdicts) != count {
		return nil, fmt.Errorf("pointmill: %d verdicts on %d signatures", len(verdicts), count)
	}
	return verdicts, nil
}

func send(stream grpc.BidiStreamingClient[pb.Jobs, pb.Verdicts], signatures []Signature) error {
	for next := 0; next < len(signatures); {
		jobs := &pb.Jobs{}
		for bytes := 0; next < len(signatures) && len(jobs.Jobs) < chunk && bytes < chunkBytes; next++ {
			one := signatures[next]
			bytes += len(one.Message)
			jobs.Jobs = append(jobs.Jobs, &pb.Job{Id: uint64(next), Operation: &pb.Job_Ed25519{Ed25519: &pb.Ed25519{
				PublicKey: one.PublicKey, Message: one.Message, Signature: one.Signature, Rule: one.Rule}}})
		}
		if err := stream.Send(jobs); err == io.EOF {
			return nil // Recv has the error
		} else if err != nil {
			return err
		}
	}
	return stream.CloseSend()
}

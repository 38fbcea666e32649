// SPDX-License-Identifier: Apache-2.0

package client

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	pb "pointmill/client/pointmillpb"
)

// stream is a call without a service: it has a verdict for each job, or fails while a message is being sent.
type stream struct {
	grpc.ClientStream
	ctx     context.Context
	jobs    chan *pb.Jobs
	failed  error
	sending atomic.Bool
	begun   chan struct{}
	longest int
}

func (s *stream) Send(jobs *pb.Jobs) error {
	s.longest = max(s.longest, proto.Size(jobs))
	if s.failed != nil {
		s.sending.Store(true)
		close(s.begun)
		<-s.ctx.Done() // the window is full
		s.sending.Store(false)
		return s.ctx.Err()
	}
	s.jobs <- jobs
	return nil
}

func (s *stream) CloseSend() error {
	close(s.jobs)
	return nil
}

func (s *stream) Recv() (*pb.Verdicts, error) {
	if s.failed != nil {
		<-s.begun
		return nil, s.failed
	}
	jobs, more := <-s.jobs
	if !more {
		return nil, io.EOF
	}
	verdicts := &pb.Verdicts{Device: "none"}
	for _, job := range jobs.Jobs {
		verdicts.Verdicts = append(verdicts.Verdicts, &pb.Verdict{Id: job.Id, Valid: true, Reason: "ok"})
	}
	return verdicts, nil
}

type service struct {
	pb.VerifierClient
	stream *stream
}

func (s service) Verify(ctx context.Context, _ ...grpc.CallOption) (grpc.BidiStreamingClient[pb.Jobs, pb.Verdicts], error) {
	s.stream.ctx = ctx
	return s.stream, nil
}

// A call that failed leaves nothing behind that reads the caller's signatures.
func TestNothingIsSentBehindACall(t *testing.T) {
	failed := errors.New("no more")
	one := &stream{failed: failed, begun: make(chan struct{})}
	if _, err := (&Client{service{stream: one}}).Verify(context.Background(), make([]Signature, 1000)); err != failed {
		t.Fatal(err)
	}
	if one.sending.Load() {
		t.Error("a message is still being sent")
	}
}

// Messages of a stream stay below what the service takes, however long those that are signed are.
func TestMessagesAreBounded(t *testing.T) {
	for _, bytes := range []int{0, 1, 1000, 100 << 10, 1 << 20} {
		one := &stream{jobs: make(chan *pb.Jobs, 1)}
		signatures := make([]Signature, 300)
		for i := range signatures {
			signatures[i].Message = make([]byte, bytes)
		}
		verdicts, err := (&Client{service{stream: one}}).Verify(context.Background(), signatures)
		if err != nil || len(verdicts) != len(signatures) {
			t.Fatal(len(verdicts), err)
		}
		if one.longest > bytes+512<<10 {
			t.Errorf("a message of %d bytes for signatures of %d", one.longest, bytes)
		}
	}
}

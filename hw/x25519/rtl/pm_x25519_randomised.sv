// SPDX-License-Identifier: Apache-2.0
//
// X25519 engine with random projective coordinates: pm_x25519_paper_engine with Randomised behind a
// port for a noise source, whose bytes pass health tests (pm_entropy_check).
//
// Computes:  X25519 as pm_x25519_paper_engine does. Coordinates of points differ from job to job,
//            also of the same scalar and u; the bits of the scalar, and the result, do not.
// Entropy:   32 bytes a job, of which 253 bits are used; they are collected while the job before is
//            at work. A job is taken only when they are there. The first 1,024 bytes behind the
//            reset are tested and dropped. After an alarm no job is taken until the next reset; the
//            one inside goes on, with bytes that came before the alarm.
// Latency:   25,089 cycles from the transfer of a job to result_valid_o, the same for every job.
// Handshake: valid and ready; the result holds until taken. clear_i drops the job, not the bytes.
// Wiping:    as pm_x25519_paper_engine; the bytes are 0 when a job has taken them.
// Reset:     asynchronous, active low.
// Constant time: yes, with respect to scalar, u and random bytes. When a job is taken depends on
//            when bytes come.
// Source:    Coron 1999, "Resistance against differential power analysis for elliptic curve
//            cryptosystems", 5.3; NIST SP 800-90B, 4.4.

module pm_x25519_randomised (
    input logic clk_i,  // clock
    input logic rst_ni,  // asynchronous reset, active low
    input logic clear_i,  // drop the job
    input logic entropy_valid_i,  // the noise source offers a byte
    output logic entropy_ready_o,  // it is taken
    input logic [7:0] entropy_i,  // the byte
    output logic alarm_o,  // level: a health test has failed, no job is taken
    input logic job_valid_i,  // a job is offered
    output logic job_ready_o,  // it is taken
    input logic [255:0] job_k_i,  // its scalar, as received
    input logic [255:0] job_u_i,  // its coordinate, as received
    output logic result_valid_o,  // a result is there
    input logic result_ready_i,  // it is taken
    output logic [255:0] result_o,  // in [0, p)
    output logic result_zero_o,  // it is 0
    output logic refused_o,  // it is none: the guard of the sequencer stopped the program
    output logic busy_o  // a job is inside
);

  localparam int unsigned Bytes = 32;

  logic byte_valid, byte_ready;
  logic [7:0] random_byte;
  logic [8*Bytes-1:0] bytes_q;
  logic [$clog2(Bytes):0] count_q;  // bytes that are there
  logic full, accept, unused;

  pm_entropy_check u_check (
      .clk_i,
      .rst_ni,
      .valid_i (entropy_valid_i),
      .ready_o (entropy_ready_o),
      .sample_i(entropy_i),
      .valid_o (byte_valid),
      .ready_i (byte_ready),
      .sample_o(random_byte),
      .alarm_o
  );

  assign full = count_q[$clog2(Bytes)];
  assign byte_ready = !full;
  assign accept = job_valid_i && job_ready_o;
  assign unused = ^bytes_q[8*Bytes-1:253];

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) begin
      count_q <= '0;
      bytes_q <= '0;
    end else if (accept) begin
      count_q <= '0;
      bytes_q <= '0;
    end else if (byte_valid && byte_ready) begin
      count_q <= count_q + 1'b1;
      bytes_q <= {bytes_q[8*Bytes-9:0], random_byte};
    end
  end

  pm_x25519_paper_engine #(
      .Randomised(1'b1)
  ) u_engine (
      .clk_i,
      .rst_ni,
      .clear_i,
      .job_valid_i,
      .job_ready_o,
      .job_k_i,
      .job_u_i,
      .random_valid_i(full && !alarm_o),
      .random_i      (bytes_q[252:0]),
      .result_valid_o,
      .result_ready_i,
      .result_o,
      .result_zero_o,
      .refused_o,
      .busy_o
  );

endmodule

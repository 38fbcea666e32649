// SPDX-License-Identifier: Apache-2.0
//
// r_o = x_i mod L, L = 2^252 + LLow (order of the prime-order subgroup of Ed25519), for any 512-bit
// x_i (a SHA-512 digest read as a little-endian integer), a bit a cycle in one adder of 254 bits.
// The result is canonical, in [0, L).
//
// Division without restoring, bits from the top: r becomes 2 r + bit - L if r >= 0, else
// 2 r + bit + L. If -L <= r < L before, then so after: from r >= 0 comes a value from -L to
// 2 (L - 1) + 1 - L = L - 1, from r < 0 one from -2 L + L = -L to -2 + 1 + L = L - 1. A negative r
// at the end gets L more.
//
// Latency:   514 cycles from acceptance to valid_o.
// Handshake: valid_i/ready_o, then valid_o/ready_i; x_i must not change from acceptance to valid_o;
//            the result holds until taken. clear_i abandons the job or the result.
// Reset:     asynchronous, active low: idle.
// Constant time.
// Source:    original. pm_modl takes 19 cycles and the multiplier of the engine.

module pm_modl_bits
  import pm_scalar_pkg::*;
(
    input  logic         clk_i,    // clock
    input  logic         rst_ni,   // asynchronous reset, active low
    input  logic         clear_i,  // abandon the job, drop the result
    input  logic         valid_i,  // x_i is valid
    output logic         ready_o,  // idle
    input  logic [511:0] x_i,      // number to reduce
    output logic         valid_o,  // r_o is valid
    input  logic         ready_i,  // r_o is taken
    output logic [252:0] r_o       // x_i mod L
);

  typedef enum logic [1:0] {
    StIdle,
    StRun,   // a bit
    StLast,  // L more, if negative
    StDone
  } state_e;

  state_e state_q, state_d;
  logic [8:0] bit_q;  // next bit of x
  logic [253:0] r_q;  // two's complement
  logic negative;
  logic [253:0] shifted, term, sum;

  assign negative = r_q[253];
  assign shifted = state_q == StLast ? r_q : {r_q[252:0], x_i[bit_q]};
  // L or -L - 1. The bit below gives the carry that makes it -L.
  assign term = {1'b0, L} ^ {254{!negative}};
  logic unused_low;
  assign {sum, unused_low} = {term, 1'b1} + {shifted, !negative};

  always_comb begin
    state_d = state_q;
    unique case (state_q)
      StIdle:  if (valid_i) state_d = StRun;
      StRun:   if (bit_q == '0) state_d = StLast;
      StLast:  state_d = StDone;
      default: if (ready_i) state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    bit_q <= state_q == StRun ? bit_q - 9'd1 : '1;
    if (state_q == StIdle) r_q <= '0;
    else if (state_q == StRun || (state_q == StLast && negative)) r_q <= sum;
  end

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StDone;
  assign r_o = r_q[252:0];

endmodule

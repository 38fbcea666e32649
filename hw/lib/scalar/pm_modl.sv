// SPDX-License-Identifier: Apache-2.0
//
// r_o = x_i mod L, L = 2^252 + LLow (order of the prime-order subgroup of Ed25519), for any 512-bit
// x_i (a SHA-512 digest read as a little-endian integer). The result is canonical, in [0, L).
//
// Three folds; each takes x = xh * 2^e + xl to xl - t * xh + m * L, congruent because 2^e = -t mod
// L with t = 2^(e-252) * LLow. The multiple of L keeps every intermediate nonnegative:
//     fold  e    xh                   t        m * L      result
//      1   254   < 2^258, 258 bits    4*LLow   L * 2^133  in (2^383.4, 2^385 + 2^257.6)
//      2   252   < 2^133 + 2^5.6      LLow     L * 2^6    in (0, 2^258)
//      3   252   < 2^6                LLow     0 or L     in [0, L)
// Proof, with 2^124.3 < LLow < 2^124.4:
//   1: t*xh < 2^126.4 * 2^258 = 2^384.4, so xl - t*xh + m*L > 2^385 - 2^384.4 > 2^383.4; above:
//      xl + m*L < 2^254 + 2^385 + 2^257.4.
//   2: t*xh < 2^124.4 * (2^133 + 2^5.6) < 2^257.5 < 2^258 < m*L; above: xh > 2^383.4 / 2^252 - 1 >
//      2^131.3, so xl - t*xh + m*L < 2^252 - 2^255.6 + 2^258 + 2^130.4 < 2^258.
//   3: t*xh < 2^131 < L and xl - t*xh lies in (-L, 2^252) with 2^252 < L. Both it and its sum with
//      L are computed; the sign selects. No subtraction of L is needed at the end.
// (Without the addition of L, as printed in the paper, the last fold is negative whenever xl <
// t*xh.)
//
// The products come from a shared 258x258 multiplier whose tap gives the half products: with
// a = {t, t} (129 bits each) and b = {bh, bl} they are h = t*bh and l = t*bl, so that
// t*b = h * 2^129 + l.
//
// Latency: with a multiplier that accepts at once and responds M cycles after acceptance, accept to
// valid_o in 3*(M+2)+1 cycles if ResponseReg, else 3*(M+1)+1: 19 and 16 for M = 4. With SegmentBits
// a fold is three sums of two cycles each, with carry chains no longer than that: 3*(M+8)+1, 37 for
// M = 4. Interval: latency + 1. Handshake: valid_i/ready_o, then valid_o/ready_i; the result holds
// until taken. A multiplier request holds until accepted (clear_i alone withdraws it); one request
// is outstanding at most, and the result must not come in the cycle of acceptance. clear_i abandons
// job and result; if a result was outstanding, ready_o then stays 0 for DrainCycles cycles and
// results are ignored meanwhile, so it does not matter whether the multiplier was cleared too.
// Reset: idle.
// Constant time: yes, if the multiplier is.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 8 (table 5: 19 cycles); offsets and final
// addition are this design's.

module pm_modl
  import pm_scalar_pkg::*;
#(
    parameter bit ResponseReg = 1'b1,  // register the half products before the sum
    // bits of a carry chain, 2 to 386; 0: a fold in one cycle
    parameter int unsigned SegmentBits = 0,
    parameter int unsigned DrainCycles = 8  // at least the longest time to a late answer, 1 to 15
) (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         clear_i,           // abandon the job, drop the result
    input  logic         valid_i,           // x_i is valid
    output logic         ready_o,           // idle
    input  logic [511:0] x_i,               // number to reduce
    output logic         valid_o,           // r_o is valid
    input  logic         ready_i,           // r_o is taken
    output logic [252:0] r_o,               // x_i mod L
    output logic         mul_valid_o,       // request to the multiplier
    input  logic         mul_ready_i,       // the request is accepted
    output logic [257:0] mul_a_o,           // {t, t}
    output logic [257:0] mul_b_o,           // xh
    input  logic         mul_part_valid_i,  // the half products of the request are there
    input  logic [257:0] mul_h_i,           // product of the upper halves
    input  logic [257:0] mul_l_i            // product of the lower halves
);

  if (DrainCycles < 1 || DrainCycles > 15) begin : gen_check
    $fatal(1, "pm_modl: DrainCycles must lie between 1 and 15.");
  end
  if (SegmentBits == 1 || SegmentBits > 386 ||
      (SegmentBits != 0 && !ResponseReg)) begin : gen_check_seg
    $fatal(1, "pm_modl: SegmentBits must be 0 or 2 to 386, and needs ResponseReg.");
  end

  typedef enum logic [2:0] {
    StIdle,
    StRequest,
    StWait,
    StSum,
    StDone,
    StDrain
  } state_e;

  localparam logic [385:0] Offset1 = 386'(L) << 133;
  localparam logic [385:0] Offset2 = 386'(L) << 6;

  state_e state_q, state_d;
  logic [1:0] round_q, round_d;  // 0, 1, 2: the folds of the table
  logic [3:0] drain_q, drain_d;
  logic [511:0] x_q, x_d;

  // ------------------------------------------------------------------------ operands of the folds
  logic [128:0] t;
  logic [257:0] x_high;
  logic [253:0] x_low;
  logic [385:0] offset;

  always_comb begin
    unique case (round_q)
      2'd0: begin
        t      = 129'(LLow) << 2;
        x_high = x_q[511:254];
        x_low  = x_q[253:0];
        offset = Offset1;
      end
      2'd1: begin
        t      = 129'(LLow);
        x_high = 258'(x_q[385:252]);
        x_low  = 254'(x_q[251:0]);
        offset = Offset2;
      end
      default: begin
        t      = 129'(LLow);
        x_high = 258'(x_q[257:252]);
        x_low  = 254'(x_q[251:0]);
        offset = 386'(L);
      end
    endcase
  end

  assign mul_valid_o = state_q == StRequest;
  assign mul_a_o = {t, t};
  assign mul_b_o = x_high;

  // ------------------------------------------------------------------------------------- the fold
  // Nonnegative by the bounds above; modulo 2^386 the order of the terms does not matter.
  logic fold_done;  // the fold ends in this cycle
  logic x_we;  // x gets x_sum
  logic [385:0] x_sum;

  if (SegmentBits == 0) begin : gen_one_cycle
    logic part_valid;  // half products are there for the sum
    logic [257:0] part_h, part_l;
    // The last fold without its offset, with a sign bit: only l counts, as xh is below 2^129.
    logic [253:0] last_plain;

    if (ResponseReg) begin : gen_response_reg
      logic [257:0] h_q, l_q;
      always_ff @(posedge clk_i) begin
        h_q <= mul_h_i;
        l_q <= mul_l_i;
      end
      assign part_valid = state_q == StSum;
      assign part_h = h_q;
      assign part_l = l_q;
    end else begin : gen_no_response_reg
      assign part_valid = state_q == StWait && mul_part_valid_i;
      assign part_h = mul_h_i;
      assign part_l = mul_l_i;
    end

    assign last_plain = x_low - part_l[253:0];
    assign fold_done = part_valid;
    assign x_we = part_valid;

    always_comb begin
      x_sum = 386'(x_low) + offset - 386'(part_l) - 386'({part_h, 129'd0});
      if (round_q == 2'd2 && !last_plain[253]) x_sum = 386'(last_plain);
    end
  end else begin : gen_segments
    // x_low (left in x when the request is accepted) - l - h * 2^129 + m * L, one after the other:
    // the second term is set, added in segments, and its sum taken into x. m of the last fold is 1
    // if x has become negative.
    localparam logic [2:0] LastStep = 3'd6;

    logic [2:0] step_q;
    logic [257:0] h_q;
    logic [385:0] term_q;
    logic carry_q;

    always_ff @(posedge clk_i) begin
      step_q <= (state_q == StSum) ? step_q + 3'd1 : '0;
      h_q <= mul_h_i;
      if (state_q != StSum) begin
        term_q  <= ~386'(mul_l_i);
        carry_q <= 1'b1;
      end else if (step_q == 3'd0) begin
        term_q <= ~386'({h_q, 129'd0});
      end else if (step_q == 3'd4) begin
        term_q  <= (round_q == 2'd2 && !x_q[385]) ? '0 : offset;
        carry_q <= 1'b0;
      end
    end

    pm_segadd #(
        .Width(386),
        .SegmentBits(SegmentBits)
    ) u_add (
        .clk_i,
        .en_i(1'b1),
        .a_i(x_q[385:0]),
        .b_i(term_q),
        .carry_i(carry_q),
        .sum_o(x_sum)
    );

    assign fold_done = state_q == StSum && step_q == LastStep;
    assign x_we = fold_done || (state_q == StSum && (step_q == 3'd1 || step_q == 3'd3));
  end

  // ----------------------------------------------------------------------------- state, registers
  always_comb begin
    state_d = state_q;
    round_d = round_q;
    drain_d = drain_q;
    x_d = x_q;
    unique case (state_q)
      StIdle: begin
        round_d = 2'd0;
        x_d = x_i;
        if (valid_i) state_d = StRequest;
      end
      StRequest: begin
        if (mul_ready_i) begin
          state_d = StWait;
          if (SegmentBits != 0) x_d = 512'(x_low);
        end
      end
      StWait:  if (mul_part_valid_i) state_d = StSum;
      StSum:   ;
      StDone:  if (ready_i) state_d = StIdle;
      StDrain: begin
        drain_d = drain_q - 4'd1;
        if (drain_q == 4'd1) state_d = StIdle;
      end
      default: state_d = StIdle;
    endcase
    if (x_we) x_d = 512'(x_sum);
    if (fold_done) begin
      state_d = (round_q == 2'd2) ? StDone : StRequest;
      round_d = round_q + 2'd1;
    end
    if (clear_i) begin
      state_d = StIdle;
      if (state_q == StWait || (state_q == StRequest && mul_ready_i)) begin
        state_d = StDrain;
        drain_d = 4'(DrainCycles);
      end else if (state_q == StDrain && drain_q != 4'd1) begin
        state_d = StDrain;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    round_q <= round_d;
    drain_q <= drain_d;
    x_q <= x_d;
  end

  assign ready_o = state_q == StIdle;
  assign valid_o = state_q == StDone;
  assign r_o = x_q[252:0];

endmodule

// SPDX-License-Identifier: Apache-2.0
//
// Accumulator of half products, with carry chains of SegmentBits bits.
//
// Computes: after load_i, x_o = value_i; with part_valid_i, x_o grows by (l + h * 2^129) * 2^(129 *
//           high_i), l and h being the half products of t and a number split at bit 129 (see
//           pm_modl).
// Ranges:    any, as long as x_o stays below 2^512.
// Latency:   4 cycles from part_valid_i on, in which busy_o is 1 and x_o is not yet the sum; no
//           half products and no load_i may come meanwhile.
// Handshake: none. clear_i forgets a sum under way. Reset: busy_o = 0. Constant time: yes.

module pm_part_sum #(
    parameter int unsigned SegmentBits = 86  // bits of a carry chain, 2 to 512
) (
    input  logic         clk_i,         // clock
    input  logic         rst_ni,        // asynchronous reset, active low
    input  logic         clear_i,       // forget a sum under way
    input  logic         load_i,        // begin with value_i
    input  logic [511:0] value_i,
    input  logic         part_valid_i,  // add half products
    input  logic         high_i,        // times 2^129
    input  logic [257:0] h_i,           // product of the upper half
    input  logic [257:0] l_i,           // product of the lower half
    output logic         busy_o,        // sums are under way
    output logic [511:0] x_o            // the sum
);

  typedef enum logic [2:0] {
    StIdle,
    StAddL,   // segments of x + l
    StTakeL,  // their carries; h becomes the term
    StAddH,
    StTakeH
  } state_e;

  state_e state_q, state_d;
  logic high_q;
  logic [257:0] h_q;
  logic [511:0] term_q, sum;

  always_comb begin
    unique case (state_q)
      StIdle:  state_d = part_valid_i ? StAddL : StIdle;
      StAddL:  state_d = StTakeL;
      StTakeL: state_d = StAddH;
      StAddH:  state_d = StTakeH;
      default: state_d = StIdle;
    endcase
    if (clear_i) state_d = StIdle;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) state_q <= StIdle;
    else state_q <= state_d;
  end

  always_ff @(posedge clk_i) begin
    if (state_q == StIdle) begin
      high_q <= high_i;
      h_q <= h_i;
      term_q <= high_i ? 512'(l_i) << 129 : 512'(l_i);
    end else if (state_q == StTakeL) begin
      term_q <= high_q ? 512'(h_q) << 258 : 512'(h_q) << 129;
    end
    if (load_i) x_o <= value_i;
    else if (state_q == StTakeL || state_q == StTakeH) x_o <= sum;
  end

  pm_segadd #(
      .Width(512),
      .SegmentBits(SegmentBits)
  ) u_add (
      .clk_i,
      .en_i(1'b1),
      .a_i(x_o),
      .b_i(term_q),
      .carry_i(1'b0),
      .sum_o(sum)
  );

  assign busy_o = state_q != StIdle;

endmodule

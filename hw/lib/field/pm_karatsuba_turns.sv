// SPDX-License-Identifier: Apache-2.0
//
// Three products of a Karatsuba step, one after another through one multiplier: gives it the
// factors of the high, the low and the middle product in turn, and keeps the first two products
// until the third is there.
//
// The multiplier has an interval of its own, Turn = Interval / 3, so that two of these nest:
// Interval 3 or 9. Factors that come in cycle t enter it in cycles t + Hold, t + Hold + Turn and t
// + Hold + 2 Turn. The high ones may so pass through without a register; the others always wait in
// one.
//
// Latency:   Hold + Latency + 2 Turn cycles from the factors to h_o, l_o and the middle product
//            p_i, all three in one cycle. One triple every Interval cycles.
// Handshake: none; came_i tells when factors came, at least Interval cycles apart; en_i = 0 freezes
//            every register.
// Reset:     none (data only). Constant time.

module pm_karatsuba_turns #(
    parameter int unsigned W        = 130,  // bits of the factors of the multiplier
    parameter int unsigned Interval = 3,    // cycles from one triple to the next, 3 or 9
    parameter int unsigned Hold     = 0,    // 1: the first factors, too, come from registers
    parameter int unsigned Latency  = 4,    // cycles of the multiplier
    parameter int unsigned Came     = 6,    // bits of came_i, at least Hold + Latency + 2 Turn
    parameter int unsigned SubCame  = 1     // bits of came_o, at most Latency unless 1
) (
    input  logic                      clk_i,
    input  logic                      en_i,    // clock enable of all registers
    // Of a short line the multiplier wants less than all.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [   Came-1:0]        came_i,  // bit i: factors came i enabled cycles ago
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [        2:0][W-1:0] a_i,     // first factors: middle, low, high
    input  logic [        2:0][W-1:0] b_i,     // second factors
    output logic [SubCame-1:0]        came_o,  // came_i of the multiplier
    output logic [      W-1:0]        a_o,     // its factors
    output logic [      W-1:0]        b_o,
    input  logic [    2*W-1:0]        p_i,     // its product
    output logic [    2*W-1:0]        h_o,     // high product
    output logic [    2*W-1:0]        l_o      // low product
);

  localparam int unsigned Turn = Interval / 3;

  if (Interval != 3 && Interval != 9) begin : gen_bad_interval
    $fatal(1, "pm_karatsuba_turns: Interval must be 3 or 9");
  end

  logic [2:0][W-1:0] a, b;

  always_ff @(posedge clk_i)
    if (en_i && came_i[0]) begin
      a[2:1] <= a_i[2:1];
      b[2:1] <= b_i[2:1];
    end

  if (Hold != 0) begin : gen_hold
    always_ff @(posedge clk_i)
      if (en_i && came_i[0]) begin
        a[0] <= a_i[0];
        b[0] <= b_i[0];
      end
  end else begin : gen_pass
    assign a[0] = a_i[0];
    assign b[0] = b_i[0];
  end

  assign a_o = came_i[Hold+2*Turn] ? a[2] : came_i[Hold+Turn] ? a[1] : a[0];
  assign b_o = came_i[Hold+2*Turn] ? b[2] : came_i[Hold+Turn] ? b[1] : b[0];

  always_comb begin
    for (int unsigned i = 0; i < SubCame; i++) begin
      came_o[i] = came_i[Hold+i] | came_i[Hold+Turn+i] | came_i[Hold+2*Turn+i];
    end
  end

  always_ff @(posedge clk_i)
    if (en_i) begin
      if (came_i[Hold+Latency]) h_o <= p_i;
      if (came_i[Hold+Latency+Turn]) l_o <= p_i;
    end

endmodule

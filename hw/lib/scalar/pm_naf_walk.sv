// SPDX-License-Identifier: Apache-2.0
//
// Digit scan of the interleaved-NAF double-scalar multiplication: keeps the digits of the fixed
// base G and of the key A on two stacks and says which point operation comes next.
//
// Digits arrive in ascending positions, as pm_naf_recoder sends them; the digit scan goes down.
// init_i starts at the highest digit of both stacks. At every position: the G digit if there is
// one, then the A digit if there is one; then the end at position 0, otherwise a doubling and the
// position below. There is no doubling before the first addition. With no digit at all the digit
// scan is at its end.
//
// op_o and op_neg_o are the operation that follows the current one, from registers through a little
// logic. step_i starts op_o: it becomes the current operation. The digit of the current operation
// stays on its stack until the following step_i, and g_idx_o, a_idx_o always show the tops: they
// are stable from one step_i to the next, and while the current operation is not an addition of
// that kind they already show the index of the next one, so that a synchronous table can be read
// ahead. op_o is WalkDone before init_i; step_i does no harm then.
//
// Operands: positions 0 to 253, ascending, at least the window apart (this bounds the stacks).
// Latency: digits are on the stack 1 cycle after they are taken; op_o is valid 1 cycle after init_i
// or step_i. Interval: 1 step per cycle. Handshake: valid/ready for digits (ready while the stack
// has room), pulses for the digit scan. All digits must be on the stacks at init_i. A new job
// starts with clear_i, which empties both stacks; it wins over everything else. Reset: empty, at
// the end.
// Constant time: NO. For public scalars only.
// Source: Xue et al. 2022, J. Commun. 43(3), algorithm 5, steps 4 to 6.

module pm_naf_walk
  import pm_scalar_pkg::*;
#(
    parameter int unsigned WG = 10,  // window of the fixed base, 3 to 15
    parameter int unsigned WA = 5    // window of the key, 3 to 15
) (
    input  logic              clk_i,
    input  logic              rst_ni,
    input  logic              clear_i,    // forget all digits and end the walk
    input  logic              g_valid_i,  // digit of the fixed base
    output logic              g_ready_o,
    input  logic     [   7:0] g_pos_i,    // its power of two
    input  logic              g_neg_i,    // its sign
    input  logic     [WG-3:0] g_idx_i,    // (|d| - 1) / 2
    input  logic              a_valid_i,  // digit of the key
    output logic              a_ready_o,
    input  logic     [   7:0] a_pos_i,
    input  logic              a_neg_i,
    input  logic     [WA-3:0] a_idx_i,
    input  logic              init_i,     // start at the highest digit
    output walk_op_e          op_o,       // next operation
    output logic              op_neg_o,   // sign of its digit; 0 for WalkDouble and WalkDone
    input  logic              step_i,     // op_o is started
    output logic     [WG-3:0] g_idx_o,    // table index of the current or next G digit
    output logic     [WA-3:0] a_idx_o     // table index of the current or next A digit
);

  if (WG < 3 || WG > 15 || WA < 3 || WA > 15) begin : gen_check
    $fatal(1, "pm_naf_walk: the windows must lie between 3 and 15.");
  end

  localparam int unsigned MaxPos = 253;
  localparam int unsigned DepthG = MaxPos / WG + 1;
  localparam int unsigned DepthA = MaxPos / WA + 1;

  typedef struct packed {
    logic [7:0]    pos;
    logic          neg;
    logic [WG-3:0] idx;
  } digit_g_t;

  typedef struct packed {
    logic [7:0]    pos;
    logic          neg;
    logic [WA-3:0] idx;
  } digit_a_t;

  digit_g_t g_in, g_top;
  digit_a_t a_in, a_top;
  logic g_empty, g_full, g_pop, g_here;
  logic a_empty, a_full, a_pop, a_here;

  walk_op_e current_q, current_d;
  logic [7:0] pos_q, pos_d, pos_max;

  assign g_in = '{pos: g_pos_i, neg: g_neg_i, idx: g_idx_i};
  assign a_in = '{pos: a_pos_i, neg: a_neg_i, idx: a_idx_i};
  assign g_ready_o = !g_full;
  assign a_ready_o = !a_full;
  assign g_pop = step_i && current_q == WalkAddG;
  assign a_pop = step_i && current_q == WalkAddA;

  pm_lifo #(
      .Width($bits(digit_g_t)),
      .Depth(DepthG)
  ) u_lifo_g (
      .clk_i,
      .rst_ni,
      .clear_i,
      .push_i (g_valid_i && g_ready_o),
      .data_i (g_in),
      .pop_i  (g_pop),
      .top_o  (g_top),
      .empty_o(g_empty),
      .full_o (g_full)
  );

  pm_lifo #(
      .Width($bits(digit_a_t)),
      .Depth(DepthA)
  ) u_lifo_a (
      .clk_i,
      .rst_ni,
      .clear_i,
      .push_i (a_valid_i && a_ready_o),
      .data_i (a_in),
      .pop_i  (a_pop),
      .top_o  (a_top),
      .empty_o(a_empty),
      .full_o (a_full)
  );

  assign g_here = !g_empty && g_top.pos == pos_q;
  assign a_here = !a_empty && a_top.pos == pos_q;

  always_comb begin
    if (a_empty || (!g_empty && g_top.pos > a_top.pos)) pos_max = g_empty ? 8'd0 : g_top.pos;
    else pos_max = a_top.pos;
  end

  // WalkDouble as the current operation means "arrived at pos_q, no digit of it used yet"; the
  // start of a walk is the same.
  always_comb begin
    op_o = WalkDone;
    if (current_q != WalkDone) begin
      if (current_q == WalkDouble && g_here) op_o = WalkAddG;
      else if (current_q != WalkAddA && a_here) op_o = WalkAddA;
      else if (pos_q != 8'd0) op_o = WalkDouble;
    end
    unique case (op_o)
      WalkAddG: op_neg_o = g_top.neg;
      WalkAddA: op_neg_o = a_top.neg;
      default:  op_neg_o = 1'b0;
    endcase
  end

  always_comb begin
    current_d = current_q;
    pos_d = pos_q;
    if (clear_i) begin
      current_d = WalkDone;
    end else if (init_i) begin
      current_d = WalkDouble;
      pos_d = pos_max;
    end else if (step_i) begin
      current_d = op_o;
      if (op_o == WalkDouble) pos_d = pos_q - 8'd1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) current_q <= WalkDone;
    else current_q <= current_d;
  end

  always_ff @(posedge clk_i) pos_q <= pos_d;

  assign g_idx_o = g_top.idx;
  assign a_idx_o = a_top.idx;

endmodule

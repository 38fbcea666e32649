// SPDX-License-Identifier: Apache-2.0
//
// Segmented adder s = a + b + carry_i of numbers that are not skewed: a pm_segadd with segments of
// about Segment bits and a register behind it, or one chain if one is enough.
//
// Ranges:    any a, b; W + 1 bits, nothing is lost.
// Latency:   pm_field_pkg::select_add_latency(W, Segment) cycles with en_i = 1, 1 or 2, or Stages
//            if that is more. One sum per cycle.
// Handshake: none; en_i = 0 freezes every register.
// Reset:     none (data only). Constant time.

module pm_select_add #(
    parameter int unsigned W = 258,  // bits of the operands
    parameter int unsigned Segment = 64,  // bits of a carry chain; 0: one chain
    parameter int unsigned Stages = pm_field_pkg::select_add_latency(W, Segment)  // latency
) (
    input  logic         clk_i,
    input  logic         en_i,     // clock enable of all registers
    input  logic [W-1:0] a_i,      // operands
    input  logic [W-1:0] b_i,
    input  logic         carry_i,  // carry into bit 0
    output logic [  W:0] s_o       // a + b + carry_i
);

  localparam int unsigned Segments = pm_field_pkg::segments(W, Segment);
  localparam int unsigned Least = pm_field_pkg::select_add_latency(W, Segment);

  if (Stages < Least || Stages > 2) begin : gen_bad_stages
    $fatal(1, "pm_select_add: Stages must be 2, or 1 if there is one segment");
  end

  if (Segments == 1) begin : gen_one
    logic [W+1:0] sum;
    logic [W:0] s_q;
    logic unused;
    assign sum = {1'b0, a_i, 1'b1} + {1'b0, b_i, carry_i};
    assign unused = sum[0];
    always_ff @(posedge clk_i) if (en_i) s_q <= sum[W+1:1];
    pm_reskew #(
        .W   (W + 1),
        .Lead(int'(Stages) - 1)
    ) u_more (
        .clk_i,
        .en_i,
        .d_i(s_q),
        .d_o(s_o)
    );
  end else begin : gen_select
    logic [W:0] sum;

    pm_segadd #(
        .Width(W + 1),
        .SegmentBits(Segment),
        .Segments(Segments)
    ) u_sum (
        .clk_i,
        .en_i,
        .a_i  ({1'b0, a_i}),
        .b_i  ({1'b0, b_i}),
        .carry_i,
        .sum_o(sum)
    );

    always_ff @(posedge clk_i) if (en_i) s_o <= sum;
  end

endmodule

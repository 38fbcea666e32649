// SPDX-License-Identifier: Apache-2.0
//
// Segmented adder s = a + b + carry_i of numbers that are not skewed: the first stage adds every segment
// of about Segment bits without and with a carry, the second one selects (carry select).
//
// Ranges:    any a, b; W + 1 bits, nothing is lost.
// Latency:   pm_field_pkg::select_add_latency(W, Segment) cycles with en_i = 1, 1 or 2, or Stages if
//            that is more. One sum per cycle.
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
    logic [Segments-1:0] without_q, with_q;  // carry out of each segment, without and with one in
    logic [Segments:0] carry;
    logic [W-1:0] sum0_q, sum1_q, s_q;
    logic carry_q;

    // The carry into bit 0 is in the first stage.
    always_comb begin
      logic into;
      into = 1'b0;
      for (int unsigned i = 0; i < Segments; i++) begin
        carry[i] = into;
        into = without_q[i] || (with_q[i] && into);
      end
      carry[Segments] = into;
    end

    for (genvar i = 0; i < Segments; i++) begin : gen_segment
      localparam int unsigned From = i * Segment;
      localparam int unsigned To = i == Segments - 1 ? W : (i + 1) * Segment;
      localparam int unsigned N = To - From;
      logic [N+1:0] sum0, sum1;
      logic unused;
      assign sum0   = {1'b0, a_i[From+:N], 1'b1} + {1'b0, b_i[From+:N], i == 0 ? carry_i : 1'b0};
      assign sum1   = {1'b0, a_i[From+:N], 1'b1} + {1'b0, b_i[From+:N], 1'b1};
      assign unused = ^{sum0[0], sum1[0]};
      always_ff @(posedge clk_i)
        if (en_i) begin
          {without_q[i], sum0_q[From+:N]} <= sum0[N+1:1];
          {with_q[i], sum1_q[From+:N]} <= sum1[N+1:1];
          s_q[From+:N] <= carry[i] ? sum1_q[From+:N] : sum0_q[From+:N];
        end
    end

    always_ff @(posedge clk_i) if (en_i) carry_q <= carry[Segments];
    assign s_o = {carry_q, s_q};
  end

endmodule

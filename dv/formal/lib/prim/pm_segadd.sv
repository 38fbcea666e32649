// SPDX-License-Identifier: Apache-2.0
//
// Claim: sum_o of pm_segadd is a + b + carry modulo 2^Width, of the operands of the last cycle in
//        which en_i was 1.

module pm_segadd_formal #(
    parameter int unsigned Width = 257,
    parameter int unsigned SegmentBits = 86
) (
    input logic             clk_i,
    input logic             rst_ni,
    input logic             en_i,
    input logic [Width-1:0] a_i,
    input logic [Width-1:0] b_i,
    input logic             carry_i
);

  localparam int unsigned Segments = (Width + SegmentBits - 1) / SegmentBits;

  logic [Width-1:0] sum;

  pm_segadd #(
      .Width(Width),
      .SegmentBits(SegmentBits)
  ) u_dut (
      .clk_i,
      .en_i,
      .a_i,
      .b_i,
      .carry_i,
      .sum_o(sum)
  );

  logic [Width-1:0] a_q, b_q;
  logic carry_q, there_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin
    if (!rst_ni) there_q <= 1'b0;
    else if (en_i) there_q <= 1'b1;
  end

  always_ff @(posedge clk_i) if (en_i) {a_q, b_q, carry_q} <= {a_i, b_i, carry_i};

  logic started_q = 1'b0;
  always_ff @(posedge clk_i) started_q <= 1'b1;

  always_comb begin
    a_reset : assume (started_q || !rst_ni);
    if (rst_ni && there_q) begin
      p_sum : assert (sum == a_q + b_q + Width'(carry_q));
    end
  end

  // For the induction step.
  for (genvar i = 0; i < int'(Segments); i++) begin : gen_segment
    localparam int unsigned From = i * SegmentBits;
    localparam int unsigned Bits = i + 1 == Segments ? Width - From : SegmentBits;
    logic [Bits:0] plain;
    logic first;

    assign first = i == 0 && carry_q;
    assign plain = {1'b0, a_q[From+:Bits]} + {1'b0, b_q[From+:Bits]};

    always_comb begin
      if (rst_ni && there_q) begin
        i_without : assert (u_dut.gen_segment[i].without_q == plain + (Bits + 1)'(first));
        i_with : assert (u_dut.gen_segment[i].with_q == plain + (Bits + 1)'(1));
      end
    end
  end

endmodule
